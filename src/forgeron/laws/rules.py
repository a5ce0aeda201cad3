"""Laws of the rules: turn, moves, play, score, key and chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from forgeron.core.contract import CHANCE, OVER, field_types, fixed, offers
from forgeron.laws.reached_positions import MOST, ReachedPosition, ask, is_integer
from forgeron.laws.violation import BrokenLaw


def attributes_make_sense(visit: ReachedPosition) -> None:
    """The class attributes of the game are of the right kind."""
    game = visit.game
    if not is_integer(game.max_moves) or not 1 <= game.max_moves <= MOST:
        raise BrokenLaw("max_moves", f"it is {game.max_moves!r}", "a number from 1 to 2²⁴")
    seats: Any = game.seats
    if not (isinstance(seats, tuple) and len(seats) == 2 and all(isinstance(name, str) for name in seats)):
        raise BrokenLaw("seats", f"it is {seats!r}", "name the two players, such as ('white', 'black')")


def the_next_player_is_known(visit: ReachedPosition) -> None:
    """turn says 0, 1, CHANCE or OVER, and the same when it is asked again."""
    said = visit.turn
    if said == CHANCE and not offers(visit.game.state_class, "chance"):
        raise BrokenLaw(
            "turn",
            "it says 2, which is CHANCE, and the game has no rule chance",
            "the players are 0 and 1, not 1 and 2",
        )
    again = ask("turn", visit.state)
    if again != said:
        raise _impure("turn", said, again)


def each_move_is_listed_once(visit: ReachedPosition) -> None:
    """moves lists each legal move once, from 0 to 2²⁴ - 1, in the same order every time."""
    listed = visit.moves
    for move in listed:
        if not 0 <= move < MOST:
            raise BrokenLaw("moves", f"it lists the move {move}", f"a move is a number from 0 to {MOST - 1:,}")
    if len(set(listed)) < len(listed):
        twice = next(move for i, move in enumerate(listed) if move in listed[:i])
        raise BrokenLaw("moves", f"the move {twice} is listed twice", "list each legal move once")
    again = visit.list_moves()
    if again != listed:
        if sorted(again) == sorted(listed):
            raise BrokenLaw(
                "moves",
                f"the order is not fixed: {_some(listed)}, then {_some(again)}",
                "let the order depend on the state alone",
            )
        raise _impure("moves", _some(listed), _some(again))


def it_is_over_when_there_is_no_move(visit: ReachedPosition) -> None:
    """The game is over exactly when there is no move."""
    if visit.turn == OVER and visit.moves:
        raise BrokenLaw("moves", f"turn says OVER, and {_some(visit.moves)} are listed", "return 0 when it is over")
    if visit.turn != OVER and not visit.moves:
        raise BrokenLaw(
            "moves",
            f"there is no move, and turn says {visit.turn}",
            "turn says OVER where nobody can move; a player who must wait gets a move for it, a pass",
        )


def playing_gives_a_state(visit: ReachedPosition) -> None:
    """play gives a state of integers that fit their fields, the same every time, and changes nothing."""
    before = tuple(visit.state)
    for move in visit.moves:
        after = _checked(visit, ask("play", visit.state, np.int64(move)))
        again = ask("play", visit.state, np.int64(move))
        if tuple(again) != tuple(after):
            raise _impure("play", f"{tuple(map(int, after))} after move {move}", tuple(map(int, again)))
    if tuple(visit.state) != before:
        raise BrokenLaw("play", "it changed the state that it was given", "return a new state")
    if visit.list_moves() != visit.moves:
        raise _impure("moves", _some(visit.moves), _some(visit.list_moves()))


def the_same_moves_lead_here(visit: ReachedPosition) -> None:
    """The same moves from the first position lead to the same position, whatever was played in between."""
    again = ReachedPosition(visit.game, fixed(visit.game.start_state()))
    for move in visit.line:
        if move not in again.list_moves():
            raise _impure("moves", f"that {move} is legal", "that it is not")
        again = again.after(move)
    if tuple(again.state) != tuple(visit.state):
        raise _impure("play", tuple(map(int, visit.state)), tuple(map(int, again.state)))


def _checked(visit: ReachedPosition, after: Any) -> Any:
    cls = visit.game.state_class
    if not isinstance(after, cls):
        raise BrokenLaw("play", f"it returns {after!r}", f"return a {cls.__qualname__}")
    for name, kind, value in zip(cls._fields, field_types(cls), after, strict=True):
        if not is_integer(value):
            raise BrokenLaw(
                "play",
                f"the field {name} becomes {value!r}, a {type(value).__name__}",
                f"fields are integers: divide with //, or write np.{kind.__name__}(…)",
            )
        held: Any = np.iinfo(kind)
        if not held.min <= value <= held.max:
            raise BrokenLaw(
                "play",
                f"the field {name} becomes {value}, and np.{kind.__name__} cannot hold that",
                f"keep it between {held.min} and {held.max}",
            )
    return after


def the_score_is_an_integer(visit: ReachedPosition) -> None:
    """score is an integer when the game is over, and the same when it is asked again."""
    if visit.turn != OVER:
        return
    said = ask("score", visit.state)
    if not is_integer(said) or not -(2**62) < said < 2**62:
        raise BrokenLaw("score", f"it says {said!r}", "an integer: its sign says who won, its size by how much")
    again = ask("score", visit.state)
    if again != said:
        raise _impure("score", said, again)


def the_key_is_a_word(visit: ReachedPosition) -> None:
    """key is a 64-bit word, and the same when it is asked again."""
    said = ask("key", visit.state)
    if not is_integer(said) or not -(2**63) <= said < 2**64:
        raise BrokenLaw("key", f"it says {said!r}", "return a np.uint64, such as mix(…) of the fields")
    again = ask("key", visit.state)
    if again != said:
        raise _impure("key", said, again)


class DistinctKeys:
    """Different positions have different keys. It remembers the positions it was shown."""

    def __init__(self) -> None:
        self._seen: dict[int, ReachedPosition] = {}

    def __call__(self, visit: ReachedPosition) -> None:
        key = int(ask("key", visit.state)) % 2**64
        other = self._seen.setdefault(key, visit)
        if tuple(other.state) != tuple(visit.state):
            fields = [name for name, a, b in zip(visit.state._fields, other.state, visit.state, strict=True) if a != b]
            tokens = " ".join(_tokens(other)) or "(none)"
            raise BrokenLaw(
                "key",
                f"the position after the moves {tokens} has the same key and differs in {', '.join(fields)}",
                "mix every field into the key: a search takes positions of the same key for the same",
            )


def probabilities_add_up(visit: ReachedPosition) -> None:
    """At CHANCE, outcomes are moves 0, 1, … and their probabilities are positive and add up to 1."""
    if visit.turn != CHANCE:
        return
    probs = np.full(visit.game.max_moves, np.nan)
    n = ask("chance", visit.state, probs)
    if not is_integer(n) or n != len(visit.moves):
        raise BrokenLaw(
            "chance",
            f"it returns {n!r}, and {len(visit.moves)} moves are listed",
            "one probability for each of the moves",
        )
    if visit.moves != tuple(range(int(n))):
        raise BrokenLaw(
            "moves",
            f"the outcomes of a throw are listed as {_some(visit.moves)}",
            "outcomes are the moves 0, 1, …, in this order",
        )
    given = [float(p) for p in probs[: int(n)]]
    if not all(0 < p <= 1 for p in given):
        raise BrokenLaw("chance", f"the probabilities are {_some(given)}", "each is more than 0 and at most 1")
    if abs(math.fsum(given) - 1) > 1e-12:
        raise BrokenLaw("chance", f"the probabilities add up to {math.fsum(given):.15g}", "they must add up to 1")
    thrower: Any = visit.game.thrower(visit.state)
    if thrower not in (0, 1):
        raise BrokenLaw("thrower", f"it says {thrower!r}", "0 or 1: the player who throws")


def _impure(rule: str, first: object, then: object) -> BrokenLaw:
    return BrokenLaw(
        rule,
        f"asked twice about the same state, it says {first}, then {then}",
        "let it depend on its arguments alone: no counters, no random numbers, nothing that changes outside the state",
    )


def _some(values: Any) -> str:
    shown = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values[:8])
    return shown + (", …" if len(values) > 8 else "")


def _tokens(visit: ReachedPosition) -> list[str]:
    """The moves that led there, as text where the game can say them."""
    from forgeron.laws.safe_notation import tokens_of

    return tokens_of(visit.game, visit.line)
