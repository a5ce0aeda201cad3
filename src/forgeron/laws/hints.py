"""Hints for the author when a function of a game raises an exception."""

from __future__ import annotations

from forgeron.core.errors import ContractError, ForgeronError
from forgeron.laws.source_locations import SourceLocation
from forgeron.laws.violation import BrokenLaw


class TookTooLong(BaseException):
    """A rule did not come to an end. No `except Exception` of an author holds it up."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it has not come to an end after {seconds:g} s")


_REMEDIES: tuple[tuple[type[BaseException], str], ...] = (
    (TookTooLong, "is there a loop that never ends?"),
    (IndexError, "keep the index inside the array: machine code does not check it, and would read or write elsewhere"),
    (ZeroDivisionError, "look whether the divisor is 0 first"),
    (FloatingPointError, "look whether the divisor is 0 first"),
    (RecursionError, "rules must not call themselves without end"),
    (MemoryError, "a rule needs no memory of its own: is there a list that only grows?"),
    (OverflowError, "np.uint64 holds 0 … 2⁶⁴ - 1 and np.int64 -2⁶³ … 2⁶³ - 1"),
    (NameError, "a name is misspelt, or its import is missing"),
    (SyntaxError, "Python cannot read this line"),
    (SystemExit, "a game must not end the program: raise an exception that says what is wrong"),
    (ImportError, "install what is missing, or leave it out"),
)


def said_by(error: BaseException, place: SourceLocation | None) -> str:
    """What happened, in one line; the place is told elsewhere."""
    if isinstance(error, BrokenLaw):
        return error.said
    text = " ".join(str(error).split())
    if isinstance(error, TookTooLong | ForgeronError):
        if place is not None:
            text = text.removeprefix(f"{place.file}, line {place.line}: ").removeprefix(f"{place.file} ")
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def hint_for(error: BaseException) -> str:
    if isinstance(error, BrokenLaw):
        return error.remedy
    if isinstance(error, ContractError) and "cannot be compiled" in str(error):
        return "write it with integers, arrays, tuples and loops; FORGERON_JIT=0 runs it without compiling"
    if isinstance(error, ForgeronError):
        return "see docs/add-a-game.md" if error.__cause__ is None else hint_for(error.__cause__)
    found = (remedy for kind, remedy in _REMEDIES if isinstance(error, kind))
    return next(found, "no function of a game may raise an exception in a position that can be reached")
