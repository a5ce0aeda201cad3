"""YINSH moves and turns in writing.

A ply is a token of standard names: ``F6`` places a ring, ``F6-F9`` moves one, ``xA2-E6`` takes a row off, ``xF6`` the
ring that goes with it, and ``pass``. A whole turn joins them: ``xA2-E6xF6,F6-F9``. The course writes the same as
``RS 5 21 RE 1 5 X 0 0 S 0 0 M 3 0``, with points by hexagon and place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from forgeron import NotationError

from .board import POINT_BITS, course_names, course_numbers, standard_names, standard_numbers
from .point_sets import State
from .state import ENDED, MOVE, PASS, PLACE, RING, ROW, TURN, kind_of, size_of

HELP = "F6 (place), F6-F9 (move), xA2-E6 (take a row), xF6 (take a ring) or pass; a whole turn is xA2-E6xF6,F6-F9"
COLOURS = ("white", "black")

_PART = re.compile(r"(x?)([A-Z][0-9]{1,2})(?:[-:]([A-Z][0-9]{1,2}))?", re.IGNORECASE | re.ASCII)
_COURSE_WORDS = ("P", "S", "M", "RS", "RE", "X")


def pack_move(kind: int, first: int = 0, second: int = 0) -> int:
    """The number of a move, as `rules` has it; a row is always named from its lower end."""
    if kind == ROW and first > second:
        first, second = second, first
    return first | second << POINT_BITS | int(kind) << 2 * POINT_BITS


def unpack_move(move: int) -> tuple[int, int, int]:
    """Kind, first point, second point."""
    point = (1 << POINT_BITS) - 1
    return move >> 2 * POINT_BITS, move & point, move >> POINT_BITS & point


def format_move(size: int, move: int) -> str:
    """The token of one ply on a board of this size.

    >>> format_move(5, pack_move(MOVE, *(standard_numbers(5)[name] for name in ("F6", "F9"))))
    'F6-F9'
    """
    kind, first, second = unpack_move(move)
    if kind == PASS:
        return "pass"
    names = standard_names(size)
    taken = "x" if kind in (ROW, RING) else ""
    return taken + names[first] + (f"-{names[second]}" if kind in (MOVE, ROW) else "")


def format_turn(size: int, moves: Sequence[int], notation: str = "native") -> str:
    """The plies of a whole turn in one line, ``native`` or as the ``course`` writes them."""
    if notation == "course":
        return " ".join(_course_words(size, move) for move in moves)
    if notation != "native":
        raise NotationError(f"there is no notation '{notation}' of YINSH; valid: course, native")
    text = ""
    for move in moves:
        ring_of_a_row = unpack_move(move)[0] == RING
        text += ("," if text and not ring_of_a_row else "") + format_move(size, move)
    return text


def _course_words(size: int, move: int) -> str:
    kind, first, second = unpack_move(move)
    names = course_names(size)
    if kind == PLACE:
        return f"P {names[first]}"
    if kind == MOVE:
        return f"S {names[first]} M {names[second]}"
    if kind == ROW:
        return f"RS {names[first]} RE {names[second]}"
    return f"X {names[first]}" if kind == RING else "pass"


def parse_turn(size: int, text: str) -> list[int]:
    """The plies of a turn, or of a part of one, in either notation. Whether they are legal is not asked here."""
    words = text.split()
    course = bool(words) and words[0].upper() in _COURSE_WORDS
    moves = list(_parse_course(size, text) if course else _parse_native(size, text))
    if sum(unpack_move(move)[0] in (PLACE, MOVE, PASS) for move in moves) > 1:
        raise NotationError(f"'{text}' is more than one turn: a turn moves or places one ring")
    return moves


def _parse_native(size: int, text: str) -> Iterator[int]:
    for chunk in re.split(r"\s*,\s*", text.strip()):
        if chunk.lower() == "pass":
            yield pack_move(int(PASS))
            continue
        at = 0
        while at < len(chunk) or not chunk:
            part = _PART.match(chunk, at)
            if not part or (at and not part[1]):
                raise NotationError(f"'{text}' is not a move of YINSH; write {HELP}")
            at = part.end()
            yield _native_part(size, part)


def _native_part(size: int, part: re.Match[str]) -> int:
    taken, first, second = part.groups()
    a = _standard_point(size, first)
    if second is None:
        return pack_move(int(RING if taken else PLACE), a)
    b = _standard_point(size, second)
    if a == b:
        raise NotationError(f"'{part[0]}' names one point twice; a move or a row has two ends")
    return pack_move(int(ROW if taken else MOVE), a, b)


def _standard_point(size: int, name: str) -> int:
    numbers = standard_numbers(size)
    number = numbers.get(name[0].upper() + str(int(name[1:])))
    if number is not None:
        return number
    column = [point for point in numbers if point[0] == name[0].upper()]
    hint = f"column {column[0][0]} is {column[0]} … {column[-1]}" if column else f"columns are A … {max(numbers)[0]}"
    raise NotationError(f"there is no point '{name}' on the board of N = {size}; {hint}")


def _parse_course(size: int, text: str) -> Iterator[int]:
    """P h p · S h p M h p · RS h p RE h p · X h p, in any number."""
    words = text.split()
    found: list[tuple[str, int]] = []
    while words:
        word, *point = words[:3]
        if word.upper() not in _COURSE_WORDS or len(point) < 2 or not all(p.isascii() and p.isdigit() for p in point):
            raise NotationError(
                f"'{text}' is not a turn of YINSH: '{' '.join(words[:3])}' is not one of {', '.join(_COURSE_WORDS)} "
                "with the two numbers of a point; a turn is written "
                "P 1 2, or S 1 2 M 2 4, with RS 2 3 RE 3 16 X 3 11 before or after it for a row taken off"
            )
        found.append((word.upper(), _course_point(size, *map(int, point))))
        words = words[3:]
    parts = iter(found)
    for word, first in parts:
        if word in ("P", "X"):
            yield pack_move(int(PLACE if word == "P" else RING), first)
            continue
        partner = {"S": "M", "RS": "RE"}.get(word)
        follows, second = next(parts, ("", 0))
        if partner is None or follows != partner:
            raise NotationError(f"'{text}' is not a turn of YINSH: S goes with M after it, RS with RE after it")
        if first == second:
            raise NotationError(f"'{text}' names one point twice; a move or a row has two ends")
        yield pack_move(int(MOVE if word == "S" else ROW), first, second)


def _course_point(size: int, hexagon: int, place: int) -> int:
    number = course_numbers(size).get(f"{hexagon} {place}")
    if number is not None:
        return number
    if hexagon > size:
        hint = f"hexagons are 0 … {size}"
    else:
        hint = f"hexagon {hexagon} has places 0 … {max(6 * hexagon - 1, 0)}"
        hint += f", less the corners 0, {size}, …" if hexagon == size else ""
    raise NotationError(f"there is no point '{hexagon} {place}' on the board of N = {size}; {hint}")


def colour(state: State) -> str:
    return COLOURS[int(state.stage & TURN)]


def why_illegal(state: State, move: int, legal: list[str]) -> str:
    """What is wrong with a move that was read and that the rules refuse."""
    kind, first, _ = unpack_move(move)
    wanted = int(kind_of(state))
    side = colour(state)
    shown = ", ".join(legal[:12]) + (", …" if len(legal) > 12 else "")
    if wanted == ENDED:
        return "the game is over before this part of the turn"
    if wanted == ROW:
        lead = "there is no such row to take" if kind == ROW else f"{side} must first remove a row"
        return f"{lead}: {shown}"
    if wanted == RING:
        lead = f"there is no {side} ring on it" if kind == RING else f"{side} must now remove a ring"
        return f"{lead}: {shown}"
    if wanted == PASS:
        return f"{side} cannot move a ring and must pass: pass"
    if wanted == PLACE:
        if kind == PLACE:
            return f"{standard_names(int(size_of(state.options)))[first]} is not empty"
        return f"{side} must place a ring first, for example {legal[0]}"
    if kind == MOVE:
        return _why_not_moved(state, first, legal)
    if kind == PASS:
        return f"{side} can still move and may not pass; for example {legal[0]}"
    return (
        f"all rings are placed; move one, for example {legal[0]}" if kind == PLACE else f"{side} has no row to remove"
    )


def _why_not_moved(state: State, first: int, legal: list[str]) -> str:
    names = standard_names(int(size_of(state.options)))
    own = point_sets(state)[0]
    if not own >> first & 1:
        rings = ", ".join(names[point] for point in names if own >> point & 1)
        return f"there is no {colour(state)} ring on {names[first]}; {colour(state)} has rings on {rings}"
    targets = [token.split("-")[1] for token in legal if token.split("-")[0] == names[first]]
    return f"{names[first]} can go to {', '.join(targets)}" if targets else f"the ring on {names[first]} is blocked"


def point_sets(state: State) -> list[int]:
    """The four sets of points, each as one number: rings and markers of the side to move, those of the other side."""
    fields = [int(field) for field in state[:-2]]
    words = len(fields) // 4
    return [sum(fields[words * i + j] << 64 * j for j in range(words)) for i in range(4)]


def sets_by_colour(state: State) -> dict[str, int]:
    """The same by what stands there: W and B rings, w and b markers."""
    letters = "WwBb" if state.stage & TURN == np.uint64(0) else "BbWw"
    return dict(zip(letters, point_sets(state), strict=True))


def content(state: State) -> dict[int, str]:
    """What stands on each point of the board: W, B rings, w, b markers, . nothing."""
    sets = sets_by_colour(state)
    numbers = standard_names(int(size_of(state.options)))
    return {n: next((letter for letter, bits in sets.items() if bits >> n & 1), ".") for n in numbers}
