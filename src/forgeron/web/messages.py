"""The messages of a page and their validation: nothing unchecked goes further than this file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from forgeron.core.errors import ForgeronError

#: A message is at most this long.
MESSAGE_BYTES = 16_384
ID = re.compile(r"[0-9a-z]{12}")
KEY = re.compile(r"[0-9a-f]{32}")


class MessageError(ForgeronError):
    """A message that makes no sense; the page is told, and nothing has changed."""


Check = Callable[[Any], bool]


def _text(most: int) -> Check:
    return lambda value: isinstance(value, str) and 0 < len(value) <= most and value.isprintable()


def _matching(pattern: re.Pattern[str]) -> Check:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def _whole(most: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _options(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= 20
        and all(_text(40)(name) for name in value)
        and all(isinstance(one, bool | int) or _text(40)(one) for one in value.values())
    )


def _sides(value: Any) -> bool:
    """Two of: "person" for whoever makes the game, "open" for whoever comes by the link, or the name of a level."""
    return isinstance(value, list) and len(value) == 2 and all(_text(40)(one) for one in value)


def _clock(value: Any) -> bool:
    """None, or the seconds of each side and those added with every move."""
    return value is None or (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
        and 1 <= value[0] <= 36_000
        and 0 <= value[1] <= 600
    )


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _moves(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 2_000 and all(_text(200)(one) for one in value)


def _players(value: Any) -> bool:
    return isinstance(value, list) and 2 <= len(value) <= 8 and all(_text(40)(one) for one in value)


def _one_of(*words: str) -> Check:
    return lambda value: value in words and isinstance(value, str)


def _even(most: int) -> Check:
    return lambda value: _whole(most)(value) and value >= 2 and value % 2 == 0


#: A position of a game that need not be one of ours: what an analysis is about.
_POSITION = {"game": _text(80), "options": _options, "position": _or_none(_text(2_000))}


def _places(value: Any) -> bool:
    """What stands where, of a position that is set up by hand."""
    return (
        isinstance(value, dict)
        and len(value) <= 200
        and all(_text(8)(name) and _text(12)(content) for name, content in value.items())
    )


def _line(value: Any) -> bool:
    """Moves that are made while the page waits: few enough for the event loop."""
    return _moves(value) and len(value) <= 100


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 20 and all(_text(40)(one) for one in value)


#: One of the searches of the microscope, the ideas switched on in it, and how deep it looks.
_SUBJECT = {**_POSITION, "position": _text(2_000), "search": _text(40), "ideas": _names, "depth": _whole(10_000)}
_GAME = {"id": _matching(ID), "key": _matching(KEY)}
#: What each message must have, besides `do`; nothing more is allowed.
FORMS: dict[str, dict[str, Check]] = {
    "games": {"key": _matching(KEY)},
    "new": {
        "key": _matching(KEY),
        "game": _text(80),
        "options": _options,
        "sides": _sides,
        "clock": _clock,
    },
    "open": _GAME,
    "history": _GAME,
    "look": {**_POSITION, "move": _or_none(_text(200))},
    "analyse": {**_POSITION, "position": _text(2_000), "number": _whole(2**31)},
    "review": {**_POSITION, "moves": _moves, "number": _whole(2**31)},
    "compose": {"game": _text(80), "options": _options, "places": _places, "turn": _whole(1)},
    "follow": {**_POSITION, "moves": _line},
    "microscope": {**_SUBJECT, "number": _whole(2**31)},
    "count": {**_SUBJECT, "number": _whole(2**31)},
    "share": {**_POSITION, "moves": _moves},
    "rest": {},
    "leave": {},
    "sit": _GAME,
    "move": {**_GAME, "ply": _whole(100_000), "move": _text(200)},
    "throw": {**_GAME, "ply": _whole(100_000)},
    "takeback": {**_GAME, "ply": _whole(100_000)},
    "resign": _GAME,
    "rematch": _GAME,
    "hint": {**_GAME, "ply": _whole(100_000)},
    "pause": _GAME,
    "go": _GAME,
    "step": _GAME,
    "events": {"key": _matching(KEY)},
    "event-new": {
        "key": _matching(KEY),
        "game": _text(80),
        "options": _options,
        "players": _players,
        "games": _even(1_000),
        "time": _text(20),
        "pace": lambda value: isinstance(value, bool),
    },
    "event-watch": _GAME,
    "event-games": {**_GAME, "names": _sides},
    "event-game": {**_GAME, "game": _text(80)},
    "event-do": {**_GAME, "order": _one_of("hold", "go", "step", "stop", "resume")},
}


def read(text: str | bytes) -> dict[str, Any]:
    """The message of a text; `MessageError` says what is wrong with it."""
    if len(text) > MESSAGE_BYTES:
        raise MessageError(f"a message has at most {MESSAGE_BYTES} characters")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("a message is one JSON object") from None
    if not isinstance(message, dict):
        raise MessageError("a message is one JSON object")
    kind = message.get("do")
    if not isinstance(kind, str) or kind not in FORMS:
        raise MessageError(f"a message has a 'do': {', '.join(FORMS)}")
    form = FORMS[kind]
    for name in message:
        if name not in form and name not in ("do", "ask"):
            raise MessageError(f"a message '{kind}' has no '{str(name)[:40]}'; it has {', '.join(form) or 'nothing'}")
    if "ask" in message and not _whole(2**31)(message["ask"]):
        raise MessageError("'ask' is a number by which the page knows the answer")
    for name, check in form.items():
        if name not in message:
            raise MessageError(f"a message '{kind}' needs '{name}'")
        if not check(message[name]):
            raise MessageError(f"this cannot be the '{name}' of a message '{kind}'")
    return message
