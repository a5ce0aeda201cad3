"""What each idea of the minimax search is worth: nodes and time to a fixed depth, and Elo over the step before."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, Standing, play_match
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.rng import below, split, word
from forgeron.players.base import Limit
from forgeron.players.minimax import IDEAS, MinimaxPlayer

Course = Generator[Standing, None, None]

SEED = 20_260_101
POSITIONS = 4
#: The depth is the greatest at which plain minimax needs fewer nodes than this for all positions, by its growth so far.
MOST_NODES = 10_000_000
#: Enough for a fixed depth, and quickly cleared.
_HASH_MB = 16


@dataclass(frozen=True)
class Effort:
    """What a step needed to search all positions to the depth."""

    idea: str
    nodes: int
    cpu_seconds: float


def check_plays(game: Game) -> None:
    if not MinimaxPlayer.plays(game):
        raise OptionError(f"minimax does not play {game.title}, which has dice: there is nothing to compare")


def fixed_positions(game: Game, count: int = POSITIONS) -> list[Position]:
    """Positions of random games, the same in every run: from the opening to the later middle game, with a choice."""
    found: list[Position] = []
    for number in range(100 * count):
        line = _random_game(game, number)
        position = line[len(line) * (1 + 2 * len(found)) // (3 * count)]
        if position.turn is not None and len(position.moves) > 1:
            found.append(position)
        if len(found) == count:
            break
    return found


def _random_game(game: Game, number: int) -> list[Position]:
    line = [game.start()]
    with np.errstate(over="ignore"):
        stream = split(np.uint64(SEED), number)
        while line[-1].turn is not None:
            moves = line[-1].moves
            line.append(line[-1].push(moves[int(below(word(stream, len(line)), len(moves)))]))
    return line


def measure(game: Game, idea: str, positions: list[Position], depth: int) -> Effort:
    """Search every position to the depth, each with an empty table: the nodes are the same on every machine."""
    nodes, seconds = 0, 0.0
    for position in positions:
        player = MinimaxPlayer(game, {"ideas": idea, "hash": _HASH_MB})
        started = time.thread_time()
        nodes += player.choose(position, Limit(depth=depth)).nodes
        seconds += time.thread_time() - started
    return Effort(idea, nodes, seconds)


def fitting_depth(game: Game, positions: list[Position], most_nodes: int = MOST_NODES) -> int:
    """The depth at which plain minimax is still quick enough to be measured."""
    depth, nodes, growth = 1, measure(game, "minimax", positions, 1).nodes, 1.0
    while depth < 20 and nodes * growth < most_nodes:
        deeper = measure(game, "minimax", positions, depth + 1).nodes
        if deeper > most_nodes:
            break
        depth, nodes, growth = depth + 1, deeper, deeper / nodes
    return depth


def steps() -> list[str]:
    """The ideas, each added to those before it."""
    return list(IDEAS)


def play_steps(asked: str, game: Game, pair: tuple[str, str], games: int, time_control: str, jobs: int) -> Course:
    """A match of one step against the step before; its games are not kept.

    `asked` is the name or path of the game as somebody typed it: a worker finds it again by that.
    """
    terms = Terms.settle(asked, game.chosen, time=time_control, seed=SEED)
    first, second = (Entrant.parse(f"minimax:ideas={idea}") for idea in pair)
    match = Match(terms, (first, second), games)
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "ablation.journal", match.settings()) as journal,
        closing(play_match(match, journal, executor(jobs))) as course,
    ):
        yield from course
