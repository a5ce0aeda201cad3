"""Options by name: what a game, a player or a protocol declares, and how given values are checked against it.

There is one way for an option to be right or wrong, wherever its value comes from: Python, the command line, a
tournament file, a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from forgeron.core.errors import ContractError, OptionError, UnknownNameError, unknown_name

Value = int | float | str | bool

#: Every whole number up to this is exact as a float, too: what is larger has no meaning anywhere here.
_LARGEST = 2**53
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option:
    """One option: its default, the values allowed, and what it means.

    >>> Option(5, range(3, 7), "how large").read("size", "4")
    4
    >>> Option(2.0, (), "seconds to get ready").read("grace", "0.5")
    0.5
    """

    default: Value
    allowed: Sequence[int | str | bool]
    """none: any text, or, where the default is a number, any such number from 0"""
    help: str

    def read(self, name: str, value: object) -> Value:
        """The allowed value that `value` (perhaps a text, as command lines have it) stands for."""
        found = self._free(value) if not self.allowed else self._listed(value)
        if found is None:
            raise OptionError(f"option {name} cannot be {value!r}; it is {self._wanted}")
        return found

    def _listed(self, value: object) -> Value | None:
        for one in self.allowed:
            if value == one and type(value) is type(one):
                return one
        if isinstance(value, int) and not isinstance(value, bool):
            # A number may stand for a text: 51 for "51" beside "none".
            return str(value) if str(value) in self.allowed else None
        if not isinstance(value, str):
            return None
        for one in self.allowed:
            if str(one).lower() == value.lower():
                return one
            if isinstance(one, bool) and value.lower() in (_TRUE if one else _FALSE):
                return one
        return None

    def _free(self, value: object) -> Value | None:
        if isinstance(self.default, str):
            return value if isinstance(value, str) else None
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        try:
            number = type(self.default)(value)
        except (ValueError, OverflowError):
            return None
        whole_enough = isinstance(value, str) or number == value
        return number if 0 <= number <= _LARGEST and whole_enough else None

    @property
    def range(self) -> str:
        """The allowed values as a person would write them."""
        if not self.allowed:
            return "text" if isinstance(self.default, str) else "a number from 0"
        if isinstance(self.allowed, range) and len(self.allowed) > 2 and self.allowed.step == 1:
            return f"{self.allowed[0]} … {self.allowed[-1]}"
        return ", ".join(str(one) for one in self.allowed)

    @property
    def _wanted(self) -> str:
        return f"one of {self.range}" if self.allowed else self.range


def read_options(owner: str, declared: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every declared option with the value it was given, or its default; what is wrong is said for its `owner`.

    >>> size = {"size": Option(5, range(3, 7), "how large")}
    >>> read_options("toy", size, {"size": "6"}), read_options("toy", size, {})
    ({'size': 6}, {'size': 5})
    >>> read_options("toy", size, {"siez": 6})
    Traceback (most recent call last):
    ...
    forgeron.core.errors.UnknownNameError: there is no option of toy 'siez'; did you mean 'size'? valid: size
    """
    for name in given:
        if name not in declared:
            raise unknown_name(f"option of {owner}", str(name), declared)
    return {name: option.read(name, given.get(name, option.default)) for name, option in declared.items()}


def read_pairs(texts: Iterable[str], owner: str, declared: Iterable[str] | None = None) -> dict[str, str]:
    """KEY=VALUE texts as a mapping; `declared` names are listed in the error for a text of another form.

    >>> read_pairs(["size=6", "style = free"], "toy")
    {'size': '6', 'style': 'free'}
    """
    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key:
            valid = "" if declared is None else f"; valid keys: {', '.join(declared) or '(none)'}"
            raise OptionError(f"an option of {owner} is written key=value, not '{text}'{valid}")
        if key in pairs:
            raise OptionError(f"option {key} of {owner} came more than once")
        pairs[key] = value
    return pairs


def check_kinds(owner: str, data: Mapping[str, object], kinds: Mapping[str, tuple[type, ...]]) -> None:
    """Refuse data, read from a file, of which a value is of another kind than its name wants; not all need be there.

    >>> check_kinds("settings", {"seed": "7", "game": "yolah"}, {"seed": (int,), "game": (str,)})
    Traceback (most recent call last):
    ...
    forgeron.core.errors.OptionError: settings: seed cannot be '7'
    """
    if not isinstance(data, Mapping):
        raise OptionError(f"{owner}: this is no table of names and values")
    for name, wanted in kinds.items():
        value = data.get(name)
        is_truth = isinstance(value, bool)
        if name in data and (not isinstance(value, wanted) or (is_truth and bool not in wanted)):
            raise OptionError(f"{owner}: {name} cannot be {str(value)[:40]!r}")


def check_declared(
    owner: str,
    declared: Mapping[str, Option],
    reserved: Sequence[str],
    presets: Mapping[str, Mapping[str, Value]] | None = None,
) -> None:
    """Refuse declared options that could not be given by keyword, and defaults and presets that are not allowed."""
    for name in declared:
        if not name.isidentifier() or name in reserved:
            taken = ", ".join(reserved)
            raise ContractError(f"{owner} cannot have an option '{name}': it needs a name Python allows, not {taken}")
    try:
        read_options(owner, declared, {})
    except OptionError as error:
        raise ContractError(f"{owner}: the default of an option must be allowed: {error}") from None
    for preset, values in (presets or {}).items():
        try:
            read_options(owner, declared, values)
        except (OptionError, UnknownNameError) as error:
            raise ContractError(f"{owner}: preset '{preset}' must be allowed: {error}") from None
