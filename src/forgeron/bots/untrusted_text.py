"""What a bot says, made harmless in one place: numbers within bounds, texts of bounded length, no control characters.

Nothing that a bot prints goes into an answer or a record in any other way.
"""

from __future__ import annotations

import re

#: The greatest number that is believed: it fits where records and databases keep it.
MOST = 2**53
#: The longest text that can be a move, or a whole turn, of any game.
MOVE_CHARACTERS = 1000
#: How much is kept of a principal variation, and of what a bot says about itself.
LINE_MOVES, NAME_CHARACTERS = 200, 200

_NUMBER = re.compile(r"[0-9]{1,16}", re.ASCII)


class SenselessError(ValueError):
    """A value that is none; whoever reads it leaves it out, with a warning."""


def number(text: str, most: int = MOST) -> int:
    """A number from 0 to `most` in decimal digits.

    >>> number("42")
    42
    >>> number("9" * 400)
    Traceback (most recent call last):
        ...
    forgeron.bots.untrusted_text.SenselessError: a number of 400 characters is too great
    """
    if _NUMBER.fullmatch(text) is None:
        what = f"a number of {len(text)} characters is too great" if text.isdigit() else "this is no number"
        raise SenselessError(what)
    value = int(text)
    if value > most:
        raise SenselessError(f"a number is at most {most}")
    return value


def probability(win: str, draw: str, loss: str) -> float:
    """The expected score that three frequencies stand for.

    >>> probability("500", "500", "0")
    0.75
    """
    parts = [number(text, 10**9) for text in (win, draw, loss)]
    if sum(parts) == 0:
        raise SenselessError("three times nothing is no probability")
    return (parts[0] + parts[1] / 2) / sum(parts)


def move_text(text: str) -> str:
    """A text that may be a move."""
    if len(text) > MOVE_CHARACTERS:
        raise SenselessError(f"a move has at most {MOVE_CHARACTERS} characters, not {len(text)}")
    return text


def variation(words: list[str]) -> tuple[str, ...]:
    """A principal variation: as much of it as can be one.

    >>> variation(["a1:b2", "x" * 2000, "b2:c3"])
    ('a1:b2',)
    """
    found = []
    for word in words[:LINE_MOVES]:
        if len(word) > MOVE_CHARACTERS or not word.isprintable():
            break
        found.append(word)
    return tuple(found)
