"""The roll of a tournament: who has entered it, in which order, and as which version.

Entrants come, go and are replaced while an event goes on. What is to be played must stay a pure function of the
settings all the same, so the settings carry the roll: a game is known by the names and versions of those who play it,
and not by the round that a timetable of the day gives it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from forgeron.arena.schedule import Pairing
from forgeron.core.errors import OptionError
from forgeron.core.options import check_kinds

#: Repeats of an encounter begin so many openings further: few are drawn, and no encounter has one twice.
_OPENING_STRIDE = 5


@dataclass(frozen=True)
class Roll:
    """Everybody who ever entered."""

    names: tuple[str, ...] = ()
    """in the order of their entry, those who left included"""
    versions: Mapping[str, int] = field(default_factory=dict)
    """1 where nothing is said; games of earlier versions do not count"""
    left: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """the data of entrants who have left, so that it is known whether the same comes back"""
    joined: Mapping[str, int] = field(default_factory=dict)
    """in a Swiss tournament: the first round of who came late"""
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    """in a Swiss tournament or a knockout: from which round on an entrant of it is not there any more"""

    def version(self, name: str) -> int:
        return self.versions.get(name, 1)

    def is_there(self, name: str, round_number: int) -> bool:
        """Whether an entrant can be paired in a round."""
        return self.joined.get(name, 1) <= round_number < self.withdrawn.get(name, round_number + 1)

    def encounter(self, pairing: Pairing) -> Pairing:
        """A pairing as it is known whatever the timetable: the same for the same two, whoever else takes part.

        The opening is that of the sum of their numbers, so everybody has another one against each opponent.

        >>> roll = Roll(("ann", "bob", "cid"))
        >>> roll.encounter(Pairing("cid", "ann", round=2, number=1))
        Pairing(first_name='ann', second_name='cid', round=0, number=0, repeat=0, opening=1)
        """
        first, second = sorted(pairing.names, key=self._numbers.__getitem__)
        opening = self._numbers[first] + self._numbers[second] - 1 + _OPENING_STRIDE * pairing.repeat
        return Pairing(first, second, 0, 0, pairing.repeat, opening)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}

    def openings_needed(self, pairs: int) -> int:
        """More than the number of the last opening that `encounter` can name."""
        return max(2 * len(self.names) - 3, 1) + _OPENING_STRIDE * (pairs - 1)

    def to_data(self) -> dict[str, Any]:
        maps = ("versions", "left", "joined", "withdrawn")
        plain = {key: dict(getattr(self, key)) for key in maps if getattr(self, key)}
        return {"names": list(self.names), **plain}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Roll:
        maps: dict[str, tuple[type, ...]] = dict.fromkeys(("versions", "left", "joined", "withdrawn"), (dict,))
        check_kinds("the roll", data, {"names": (list,), **maps})
        if any(not isinstance(name, str) for name in data["names"]):
            raise OptionError("the roll: a name is a text")
        for name in ("versions", "joined", "withdrawn"):
            counts = data.get(name, {})
            check_kinds(f"the roll, {name}", counts, dict.fromkeys(counts, (int,)))
        return cls(**{**data, "names": tuple(data["names"])})


def first_roll(names: Sequence[str]) -> Roll:
    """The roll of an event that begins."""
    return Roll(tuple(names))
