"""Laws of compiled code: it agrees with plain Python, random games end, and perft counts are right."""

from __future__ import annotations

from typing import Any

import numpy as np

from forgeron.core.contract import OVER
from forgeron.core.errors import EndlessGameError
from forgeron.core.position import Position
from forgeron.core.queries import compile_queries, play_and_query, query_state
from forgeron.kernels.playout import play_many, random_games
from forgeron.laws.reached_positions import ReachedPosition, ask
from forgeron.laws.violation import BrokenLaw

_SAME_TYPES = (
    "write constants as np.uint64(…) or np.int64(…), do not mix the two, and shift a word by less than 64: "
    "compiled integers have 64 bits and wrap around"
)
#: Beyond `max_moves`, so that compiled code that lists too many moves is told, not obeyed.
_SLACK = 64


def compiled_code_agrees(visit: ReachedPosition) -> None:
    """Compiled code says the same as plain Python: turn, moves, play, score, key."""
    game, state = visit.game, visit.state
    compile_queries(state)
    out, scratch = np.zeros((2, game.max_moves + _SLACK), dtype=np.int64)
    who, n, score = query_state(state, out)
    _same("turn", visit.turn, int(who))
    _same("moves", visit.moves, tuple(out[: max(int(n), 0)].tolist()))
    _same("key", int(ask("key", state)) % 2**64, visit.position.key % 2**64)
    for move in visit.moves:
        plain = ask("play", state, np.int64(move))
        fast = play_and_query(state, np.int64(move), scratch)[0]
        kinds: Any = [type(field) for field in state]
        _same(
            f"play of move {move}",
            tuple(map(int, plain)),
            tuple(int(kind(x)) for kind, x in zip(kinds, fast, strict=True)),
        )
    if visit.turn == OVER:
        _same("score", int(ask("score", state)), int(score))


def _same(what: str, plain: object, fast: object) -> None:
    if plain != fast:
        raise BrokenLaw(what.split(" ")[0], f"{what} is {plain} in plain Python and {fast} compiled", _SAME_TYPES)


def random_games_end(visit: ReachedPosition) -> None:
    """Every game ends, however it is played."""
    if visit.line:
        return
    try:
        play_many(visit.position, seed=7, games=200)
    except EndlessGameError as error:
        raise BrokenLaw(
            "turn",
            str(error),
            "give the game an end that no play can avoid: count plies or repetitions "
            "in the state, and let turn say OVER",
        ) from None


def random_games_agree(visit: ReachedPosition) -> None:
    """Whole random games end the same compiled and in plain Python."""
    if visit.line:
        return
    plain = getattr(random_games, "py_func", random_games)
    room = visit.game.max_moves
    scratch = np.zeros(room, dtype=np.int64), np.zeros(room)
    with np.errstate(over="ignore"):
        expected = tuple(map(int, plain(visit.state, np.uint64(11), 0, 3, *scratch)))
    found = tuple(map(int, random_games(visit.state, np.uint64(11), 0, 3, *scratch)))
    _same("play (wins, draws, losses, margin and plies of three random games)", expected, found)


def threads_make_no_difference(visit: ReachedPosition) -> None:
    """Random games are the same on any number of threads."""
    if visit.line:
        return
    one, three = (play_many(visit.position, seed=3, games=50, threads=threads) for threads in (1, 3))
    if one != three or one.games != 50:
        raise BrokenLaw(
            "play", f"50 games on one thread come to {one}, on three to {three}", "let it depend on its arguments alone"
        )


def perft_counts_what_playing_counts(visit: ReachedPosition) -> None:
    """perft counts what playing move by move counts, in all its ways."""
    game, position = visit.game, visit.position
    depth = 2 if len(position.moves) > 20 else 3
    counted = _count(position, depth)
    for way, found in (
        ("perft", game.perft(position, depth)),
        ("count", game.count(position, depth).leaves),
        ("divide", sum(game.divide(position, depth).values())),
    ):
        if found != counted:
            raise BrokenLaw(
                "moves",
                f"{way} counts {found} leaves at depth {depth}, playing move by move {counted}",
                "count, where there is one, must say how many moves there are",
            )


def _count(position: Position, depth: int) -> int:
    return 1 if depth == 0 else sum(_count(position.push(move), depth - 1) for move in position.moves)
