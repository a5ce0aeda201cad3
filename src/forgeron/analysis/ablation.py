"""What each idea of the minimax search is worth: nodes and time to a fixed depth, and Elo over the step before."""

from __future__ import annotations

import csv
import io
import tempfile
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, Standing, play_match
from forgeron.bots.clock import TimeControl
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.random_game import random_game
from forgeron.players.base import Limit
from forgeron.players.minimax import ENHANCEMENTS, MinimaxPlayer

MatchUpdates = Generator[Standing, None, None]

SEED = 20_260_101
POSITIONS = 4
#: The depth is the greatest at which plain minimax needs fewer nodes than this for all positions, by its growth so far.
MOST_NODES = 10_000_000
#: Enough for a fixed depth, and quickly cleared.
_HASH_MB = 16


@dataclass(frozen=True)
class Effort:
    """What a step needed to search all positions to the depth."""

    enhancement: str
    nodes: int
    cpu_seconds: float


def check_ablation(game: Game, games: int, time_control: str) -> None:
    """Refuse, before anything is measured, a game that minimax does not play and matches that cannot be played."""
    if not MinimaxPlayer.plays(game):
        raise OptionError(f"minimax does not play {game.title}, which has dice: there is nothing to compare")
    TimeControl.parse(time_control)
    if games < 0 or games % 2:
        raise OptionError(f"games are played in pairs: give an even number such as 40, not {games}")


def fixed_positions(game: Game, count: int = POSITIONS) -> list[Position]:
    """Positions of random games, the same in every run: from the opening to the later middle game, with a choice."""
    found: list[Position] = []
    for number in range(100 * count):
        line = random_game(game, SEED, number)
        position = line[len(line) * (1 + 2 * len(found)) // (3 * count)]
        if position.turn is not None and len(position.moves) > 1:
            found.append(position)
        if len(found) == count:
            break
    return found


def measure(game: Game, idea: str, positions: list[Position], depth: int) -> Effort:
    """Search every position to the depth, each with an empty table: the nodes are the same on every machine."""
    nodes, seconds = 0, 0.0
    for position in positions:
        player = MinimaxPlayer(game, {"enhancements": idea, "hash": _HASH_MB})
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


@dataclass
class AblationStep:
    """An enhancement added to those before it, with what has been measured of it so far."""

    enhancement: str
    effort: Effort | None = None
    standing: Standing | None = None
    """of its match against the step before"""


@dataclass
class Ablation:
    """The steps, and how they are measured: `search`, then `play`."""

    game: Game
    asked: str
    """the game's name or path as somebody typed it: a worker finds the game again by that"""
    positions: list[Position]
    depth: int
    games: int
    """of each match; 0 for none"""
    time_control: str
    jobs: int = 1
    steps: list[AblationStep] = field(default_factory=lambda: [AblationStep(name) for name in ENHANCEMENTS])
    now: str = ""
    """what is being done"""

    def search(self) -> Generator[str, None, None]:
        """Search the positions with each step; yields what is done next. The steps can be looked at meanwhile."""
        for step in self.steps:
            self.now = f"searching with {step.enhancement} …"
            yield self.now
            step.effort = measure(self.game, step.enhancement, self.positions, self.depth)
        self.now = ""

    def play(self) -> Generator[str, None, None]:
        """Play the matches, each step against the one before; yields what is done next."""
        pairs = zip(self.steps, self.steps[1:], strict=False) if self.games else ()
        for before, step in pairs:
            versus = f"{step.enhancement} against {before.enhancement}"
            yield f"{versus} …"
            enhancements = (step.enhancement, before.enhancement)
            for standing in play_steps(self.asked, self.game, enhancements, self.games, self.time_control, self.jobs):
                step.standing = standing
                self.now = f"{versus}: {standing.played} of {self.games} games"
        self.now = ""


def play_steps(asked: str, game: Game, pair: tuple[str, str], games: int, time_control: str, jobs: int) -> MatchUpdates:
    """A match of one step against the step before; its games are not kept.

    `asked` is the name or path of the game as somebody typed it: a worker finds it again by that.
    """
    terms = Terms.settle(asked, game.chosen, time=time_control, seed=SEED)
    first, second = (Entrant.parse(f"minimax:enhancements={idea}") for idea in pair)
    match = Match(terms, (first, second), games)
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "ablation.journal", match.settings()) as journal,
        closing(play_match(match, journal, executor(jobs))) as course,
    ):
        yield from course


def to_csv(ablation: Ablation) -> str:
    """A line a step, for spreadsheets."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["step", "depth", "nodes", "cpu_seconds", "games", "points", "elo", "elo_low", "elo_high"])
    for step in ablation.steps:
        effort, standing = step.effort, step.standing
        cells: list[object] = [step.enhancement, ablation.depth]
        cells += [effort.nodes, f"{effort.cpu_seconds:.4f}"] if effort else ["", ""]
        elo = standing.summary.elo if standing else None
        cells += [standing.games, standing.points] if standing else ["", ""]
        cells += [f"{elo.value:.1f}", f"{elo.low:.1f}", f"{elo.high:.1f}"] if elo else ["", "", ""]
        writer.writerow(cells)
    return out.getvalue()
