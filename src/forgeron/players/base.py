"""What every player is: something that chooses a move within a limit."""

from __future__ import annotations

import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from forgeron.core.chance import next_decision
from forgeron.core.errors import ContractError, GameOverError, OptionError
from forgeron.core.game import NETWORK, Game
from forgeron.core.options import Option, Value, check_declared, read_options
from forgeron.core.position import Position
from forgeron.core.rng import split
from forgeron.core.tiers import thinking
from forgeron.drawing.notebook import table_html

Clock = Callable[[], float]
MAX_THREADS = 256

#: The game's network where it has one that serves, else its weights.
AUTO = "auto"
#: The option of every player that judges positions by the game's evaluation.
EVAL = Option("default", (), "the evaluation: default, network, another one of the game, or a file (.json, .network)")


@dataclass(frozen=True)
class Limit:
    """How much a player may think: whichever of the three comes first.

    `seconds` is never exceeded. Where time is saved for later moves, `target_seconds` is what this move should cost: a
    player ends sooner when all is clear and goes on, at most up to `seconds`, when it is not. With `cpu` both count
    processor time of the whole process, which a busy machine does not shorten.

    >>> Limit(seconds=0.5)
    Limit(seconds=0.5, nodes=None, depth=None, target_seconds=None, cpu=False)
    """

    seconds: float | None = None
    nodes: int | None = None
    """positions or random games, whatever the player counts"""
    depth: int | None = None
    target_seconds: float | None = None
    """at most `seconds`, without which it means nothing"""
    cpu: bool = False
    """whether seconds are those of the processor, instead of the clock on the wall"""

    def __post_init__(self) -> None:
        if self.seconds is None and self.nodes is None and self.depth is None:
            raise OptionError("a limit needs seconds, nodes or depth, for example Limit(seconds=1.0)")
        for name in ("seconds", "nodes", "depth", "target_seconds"):
            value, whole = getattr(self, name), name in ("nodes", "depth")
            if value is None:
                continue
            if not isinstance(value, (int, np.integer) if whole else (int, float, np.number)):
                raise OptionError(f"a limit of {name} is a {'whole ' * whole}number, not {value!r}")
            if not value > 0:
                raise OptionError(f"a limit of {name} must be more than 0, not {value}")
        if self.target_seconds is not None and (self.seconds is None or self.target_seconds > self.seconds):
            raise OptionError(
                f"a target of {self.target_seconds} seconds needs a limit of at least as many, not {self.seconds}"
            )


@dataclass(frozen=True)
class Line:
    """One way to go on, and what the player thinks of it."""

    moves: tuple[str, ...]
    value: float
    """the mover's expected result, as in `Choice`"""
    nodes: int = 0
    """the positions or random games spent on it, where the player counts them by move"""
    proven: bool = False
    """whether the value is no estimate: the search has seen that this is how the game ends"""


@dataclass(frozen=True)
class Thought:
    """What a player has found out so far, told while it thinks."""

    lines: tuple[Line, ...]
    """the best first"""
    depth: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Choice:
    """A move and what the player thought of it."""

    move: str
    value: float
    """the mover's expected result: 1 a certain win, 0.5 even, 0 a certain loss"""
    line: tuple[str, ...]
    """how the player expects the game to go on, beginning with the move"""
    depth: int
    nodes: int
    seconds: float
    lines: tuple[Line, ...] = ()
    """for an analysis: the best lines, the best first, beginning with different moves"""

    @property
    def proven(self) -> bool:
        """Whether the value is no estimate, as in `Line`."""
        return bool(self.lines) and self.lines[0].proven

    def _repr_html_(self) -> str:
        """The lines as a table, as a notebook shows it."""
        lines = self.lines or (Line(self.line, self.value, self.nodes),)
        rows = [
            (line.moves[0], f"{line.value:.1%}{' ✓' if line.proven else ''}", f"{line.nodes:,}", " ".join(line.moves))
            for line in lines
        ]
        told = f"{self.nodes:,} nodes, depth {self.depth}, {self.seconds:.2f} s"
        return f"{table_html(('move', 'value', 'nodes', 'line'), rows)}<div>{told}</div>"


Listener = Callable[[Thought], None]


class Search:
    """One act of choosing: what is left of its limit, whether somebody said stop, and who listens."""

    def __init__(
        self, limit: Limit, clock: Clock, stopped: threading.Event, lines: int = 1, listener: Listener | None = None
    ) -> None:
        self.limit = limit
        self.lines = lines
        """how many lines are wanted"""
        self.listener = listener
        """told of progress, where the player has some to tell; called from the thinking thread"""
        self.clock = time.process_time if limit.cpu else clock
        """by which the seconds are counted"""
        self.started = self.clock()
        self._stopped = stopped

    @property
    def seconds(self) -> float:
        """Time spent so far."""
        return self.clock() - self.started

    @property
    def seconds_left(self) -> float:
        """Time left of what this act should take: the target where there is one, else the limit."""
        limit = self.limit.seconds if self.limit.target_seconds is None else self.limit.target_seconds
        return float("inf") if limit is None else limit - self.seconds

    @property
    def stopped(self) -> bool:
        """Whether somebody said stop."""
        return self._stopped.is_set()

    def finished(self) -> bool:
        """Whether thinking should end now, by the clock or by a word; nodes are counted by the player itself.

        A player with a plan of its own for the time between the target and the limit asks `stopped` and the limit.
        """
        return self._stopped.is_set() or self.seconds_left <= 0


class Player(ABC):
    """Chooses moves in one game. A player of your own is a subclass with a name, a summary and a method `think`.

    The same seed, position and limit of nodes give the same choice, on any number of threads.
    """

    name: ClassVar[str]
    """the name by which it is asked for: lower case, words joined by -"""
    summary: ClassVar[str] = ""
    """what it plays, in a few words"""
    options: ClassVar[Mapping[str, Option]] = {}
    judges: ClassVar[bool] = False
    """whether it judges positions by the game's evaluation, unless an option says otherwise"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):  # else a base class for several players
            if not isinstance(cls.name, str) or not re.fullmatch(r"[A-Za-z0-9][\w.-]*", cls.name):
                raise ContractError(f"{cls.name!r} cannot be the name of a player: letters, digits, _ . and - can")
            check_declared(f"player '{cls.name}'", cls.options, ["seed", "threads"])

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object] | None = None,
        *,
        seed: int = 0,
        threads: int = 1,
        clock: Clock = time.perf_counter,
    ) -> None:
        if not isinstance(game, Game):
            raise OptionError(f"a player needs a game, such as forgeron.game('yolah'), not {game!r}")
        if not isinstance(threads, (int, np.integer)) or not 1 <= threads <= MAX_THREADS:
            raise OptionError(f"threads is a whole number from 1 to {MAX_THREADS}, not {threads!r}")
        self.game = game
        self.seed = seed
        self.threads = threads
        self.chosen = self.settle(game, options or {})
        self.notice = self.notice_about(game, self.chosen)
        """what a person should know about this player, such as an option that could not be kept to the letter"""
        self._weights: tuple[np.ndarray, np.ndarray] | None = None
        self._evaluation_name = ""
        if "eval" in self.chosen:
            name = self._evaluation_name = _available(game, str(self.chosen["eval"]))
            weights = game.evaluation(name, 0)
            # Only evaluations by name may differ by player: a file is one array, and its values go with both seats.
            self._weights = weights, game.evaluation(name, 1) if name in game.evaluations else weights
        self._clock = clock
        self._stopped = threading.Event()
        start = game.start()
        start.push(start.moves[0])
        self.stream(start)
        self.warm()

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether this kind of player is offered for the game."""
        return True

    @classmethod
    def why_not(cls, game: Game) -> str | None:
        """Why it cannot play the game even when it is asked for by name; None when it can."""
        return None if cls.plays(game) else f"{cls.name} does not play {game.title}"

    @classmethod
    def settle(cls, game: Game, options: Mapping[str, object]) -> dict[str, Value]:
        """Every option with its value; a game it cannot play, or an option that makes no sense, is refused.

        Nothing is compiled: an event asks this of all its players before its first game.
        """
        why_not = cls.why_not(game)
        if why_not is not None:
            raise OptionError(why_not)
        chosen = read_options(f"player {cls.name}", cls.options, options)
        if "eval" in chosen:
            game.evaluation(_available(game, str(chosen["eval"])), 0)
        return chosen

    @classmethod
    def notice_about(cls, game: Game, chosen: Mapping[str, Value]) -> str:
        """What a person should know before such a player, with these settled options, begins; "" for nothing."""
        name = str(chosen.get("eval", ""))
        if name == AUTO or name == _available(game, name):
            return ""
        return f"no network comes with Forgeron for {game}: the default weights evaluate"

    def choose(self, position: Position, limit: Limit) -> Choice:
        """The move for the side to move. A forced move is answered at once."""
        self.check(position)
        self._stopped.clear()
        search = Search(limit, self._clock, self._stopped)
        if len(position.moves) == 1:
            only = position.legal_moves()[0]
            return Choice(only, self.glance(position), (only,), 0, 0, search.seconds)
        thinking.add(id(search))
        try:  # not `stopping_threads`: a context manager would cost a tenth of a choice of `greedy`
            return self.think(position, search)
        except BaseException:
            self.stop()
            raise
        finally:
            thinking.discard(id(search))

    def analyse(self, position: Position, limit: Limit, *, lines: int = 1, listener: Listener | None = None) -> Choice:
        """Like `choose`, but thinks about a forced move too, finds several lines where the player can, and tells
        `listener` of its progress."""
        self.check(position)
        if lines < 1:
            raise OptionError(f"an analysis has at least one line, not {lines}")
        self._stopped.clear()
        search = Search(limit, self._clock, self._stopped, lines, listener)
        thinking.add(id(search))
        try:
            with self.stopping_threads():
                choice = self.think(position, search)
        finally:
            thinking.discard(id(search))
        return choice if choice.lines else replace(choice, lines=(Line(choice.line, choice.value, choice.nodes),))

    def check(self, position: Position) -> None:
        """Refuse a position about which there is nothing to think."""
        if position.game != self.game:
            raise OptionError(f"this player plays {self.game}, not {position.game}")
        if position.turn is None:
            raise GameOverError("(any)", str(position), "the game is over, there is nothing to choose")
        if position.turn == "chance":
            after = next_decision(position)
            raise OptionError(
                f"dice are to be thrown in position '{position}': name one after a throw, such as '{after}'"
            )

    def stop(self) -> None:
        """Make a `choose` that is running in another thread answer with the best it has, at once."""
        self._stopped.set()

    @contextmanager
    def stopping_threads(self) -> Iterator[None]:
        """Tell all threads of this player to stop when an error or Ctrl-C ends the search in one of them."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    @abstractmethod
    def think(self, position: Position, search: Search) -> Choice:
        """Choose among the legal moves; there is at least one."""

    def glance(self, position: Position) -> float:
        """What the mover may expect where it has no choice, told without thinking; 0.5 when nothing is known."""
        return 0.5

    def weights(self, position: Position) -> np.ndarray:
        """The weights by which this player judges when it has to move in the position."""
        assert self._weights is not None, "a player with an evaluation has the option `eval`"
        return self._weights[1 if position.turn == 1 else 0]

    def warm(self) -> None:  # noqa: B027
        """Have every kernel this player uses compiled, so that thinking time is never spent on it; refuses nothing."""

    def get_ready(self, limit: Limit) -> None:  # noqa: B027
        """Have the memory in place that searches with this limit need, before a clock runs. Need not be called."""

    def stream(self, position: Position) -> np.uint64:
        """The random stream for this position: the same whenever the player is asked about it."""
        with np.errstate(over="ignore"):
            return np.uint64(split(np.uint64(self.seed % 2**64), np.uint64(position.key)))

    def __repr__(self) -> str:
        return f"<Player {self.name} of {self.game}>"


def _available(game: Game, evaluation: str) -> str:
    """The name of the evaluation, or "default" where it is the network of a game that has none."""
    if evaluation in (AUTO, NETWORK):
        return "default" if game.network() is None else NETWORK
    return evaluation
