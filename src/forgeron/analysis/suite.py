"""Suites: positions whose best moves are known, to measure a player without an opponent.

    # suite of yolah {}
    TOKEN best d5:b7 c3:c7

A position stands with all its best moves; every other move gives something away. Suites are made from endings that a
search has solved to the end, or in a game with dice from positions whose values are known exactly, so that there is
nothing to argue about.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.core.chance import random_move
from forgeron.core.contract import offers
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import read_file, write_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.core.position import Position
from forgeron.core.registry import game_class, is_file_name
from forgeron.players import player
from forgeron.players.base import Limit, Player
from forgeron.players.expectimax import ExpectimaxPlayer

_TITLE = "# suite of "
_BEST = "best"
#: Games are begun until so many in a row have brought no problem.
_FRUITLESS = 200
#: With dice, a move that is worse by less is as good: exact values are rounded, and nobody could tell the difference.
_MARGIN = 0.005


#: Who knows the best moves in games without dice, and with them.
JUDGES = ("minimax", "expectimax")


@dataclass(frozen=True)
class Problem:
    """A position and its best moves, as tokens."""

    position: Position
    best: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """What a player made of a problem."""

    problem: Problem
    move: str
    seconds: float
    nodes: int

    @property
    def solved(self) -> bool:
        return self.move in self.problem.best


def run_suite(problems: Sequence[Problem], who: Player, limit: Limit) -> Iterator[Attempt]:
    """Put every problem to a player, one after the other."""
    for problem in problems:
        choice = who.choose(problem.position, limit)
        yield Attempt(problem, choice.move, choice.seconds, choice.nodes)


def make_suite(
    game: Game, count: int, *, nodes: int, seed: int = 0, tell: Callable[[int, int], None] = lambda _found, _games: None
) -> list[Problem]:
    """So many problems from the endings of games that a judge plays with random moves among its own.

    A problem has a proven best result, proven worse ones for all other moves, and more of these than of the best. Of a
    game the earliest position of that kind is taken. The judge is minimax; in a game with dice it is expectimax, and
    the values are those of the game's table of exact values.
    """
    judge = player(JUDGES[offers(game.state_class, "chance")], game, seed=seed)
    if isinstance(judge, ExpectimaxPlayer) and not len(game.table()):
        raise ForgeronError(f"no exact values of {game} are known: `forgeron solve` computes them")
    found: dict[str, Problem] = {}
    fruitless = games = 0
    while len(found) < count:
        if fruitless == _FRUITLESS:
            raise ForgeronError(
                f"{len(found)} problems were found, then none in {_FRUITLESS} games: ask for fewer, or for more nodes"
            )
        games += 1
        problem = _problem_of_game(game, judge, nodes, random.Random(f"suite of {game} {seed} {games}"))
        fruitless = fruitless + 1 if problem is None or str(problem.position) in found else 0
        if problem is not None:
            found[str(problem.position)] = problem
        tell(len(found), games)
    return list(found.values())


def _problem_of_game(game: Game, judge: Player, nodes: int, rng: random.Random) -> Problem | None:
    """Play a game quickly to its end, then look for the earliest problem from there."""
    line = [game.start()]
    while line[-1].turn is not None:
        here = line[-1]
        own = here.turn != "chance" and rng.random() < 0.7
        line.append(here.play(judge.choose(here, Limit(nodes=200)).move) if own else here.push(random_move(here, rng)))
    earliest = None
    for position in reversed(line[:-1]):
        if len(position.moves) < 2 or position.turn == "chance":
            continue
        lines = judge.analyse(position, Limit(nodes=nodes), lines=len(position.moves)).lines
        exact = judge.was_exact if isinstance(judge, ExpectimaxPlayer) else all(one.proven for one in lines)
        if len(lines) < len(position.moves) or not exact:
            break  # this far from the end the search does not see it
        values = {one.moves[0]: one.value for one in lines}
        top = max(values.values()) - (_MARGIN if isinstance(judge, ExpectimaxPlayer) else 0.0)
        best = tuple(move for move in position.legal_moves() if values[move] >= top)
        if 2 * len(best) < len(values):
            earliest = Problem(position, best)
    return earliest


def write_suite(path: Path, game: Game, problems: Sequence[Problem], note: str) -> None:
    lines = [f"{_TITLE}{game.name} {json.dumps(dict(game.chosen), sort_keys=True)}", f"# {note}"]
    lines += [f"{problem.position} {_BEST} {' '.join(problem.best)}" for problem in problems]
    write_file(path, "".join(f"{line}\n" for line in lines), make_folder=True)


def read_suite(path: Path, where: str | None = None) -> list[Problem]:
    """The problems of a file; a line that is none is refused with its number.

    `where` is the path of the game, for one that is no name that everybody knows.
    """
    try:
        text = read_file(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ForgeronError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    first, _, _ = text.partition("\n")
    if not first.startswith(_TITLE):
        raise OptionError(f"{path} is no suite: its first line is '{_TITLE}GAME {{OPTIONS}}'")
    name, _, options = first.removeprefix(_TITLE).partition(" ")
    if where is None and is_file_name(name):  # a file from elsewhere must not have another one run
        raise OptionError(f"{path} is no suite: '{name}' is the name of no game")
    kind = game_class(where or name)
    if kind.name != name:
        raise OptionError(f"{path} is a suite of {name}, not of {kind.name}")
    game = kind.with_options(_options(options, path))
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                problems.append(_problem(game, words))
            except ForgeronError as error:
                raise OptionError(f"{path}, line {number}: {error}") from None
    if not problems:
        raise OptionError(f"{path} has no positions")
    return problems


def _options(text: str, path: Path) -> Mapping[str, Any]:
    try:
        given = read_json(text or "{}")
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise OptionError(f"{path}: the options of the game are a JSON object, not '{text}'")
    return given


def _problem(game: Game, words: list[str]) -> Problem:
    token, *rest = words
    if not rest or rest[0] != _BEST or len(rest) < 2:
        raise OptionError(f"a line is 'POSITION {_BEST} MOVE …', not '{' '.join(words)[:80]}'")
    position = game.parse(token)
    best = tuple(str(position.play(word).last_move) for word in rest[1:])
    return Problem(position, best)
