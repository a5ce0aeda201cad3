"""The Python side of a game: its name, options, notation and drawing.

The rules themselves are the compiled functions of `forgeron.core.contract`. A game is a subclass of `Game` that names
its state class; everything else has a default that works, so that a first version is short.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from forgeron.core.contract import field_types, missing, offers
from forgeron.core.errors import ContractError, NotationError, OptionError, unknown_name
from forgeron.core.jit import JIT
from forgeron.core.lesson import Lesson
from forgeron.core.network_file import NetworkFile, check_fit, options_of, read_network
from forgeron.core.options import Option as Option
from forgeron.core.options import Value, check_declared, read_options
from forgeron.core.perft import Count, count_leaves, count_leaves_in_bulk
from forgeron.core.position import Position, Seat
from forgeron.core.search_errors import SearchErrors, check_search_errors
from forgeron.core.table_file import read_table, table_path
from forgeron.core.weights import read_weights

#: The evaluation by the network that comes with a game, and another name of the default one, by its weights.
NETWORK, LINEAR = "network", "linear"
#: The package whose games come with it.
_OURS = __name__.partition(".")[0]


class Symmetry(NamedTuple):
    """A way of turning or mirroring a board under which the rules stay the same."""

    name: str
    state: Callable[[Any], Any]
    move: Callable[[int], int]


class ImportedGame(NamedTuple):
    """A game that another program played, as `Game.import_games` reads it."""

    moves: tuple[int, ...]
    """from the start of the game"""
    random_plies: int
    """how many of them, the first ones, were drawn at random"""
    result: int
    """1 when player 0 won, -1 when player 1 did, 0 for a draw"""


class TableLevel(NamedTuple):
    """Positions of a game whose exact values can be computed when those of the levels before are known."""

    name: str
    entries: int
    """of the table, this level and all before it included"""


class Game:
    """A game with its options settled; equal to every other one of the same name and options."""

    name: ClassVar[str]
    """the name by which it is asked for: lower case, words joined by -"""
    title: ClassVar[str]
    state_class: Any
    """the NamedTuple that `rules_for` was given; see `use_state_class`"""
    max_moves: int
    """room for the legal moves of any position"""
    action_count: int = 0
    """how many actions there are for reinforcement learning: the rule `action` numbers every move of a player among
    them, by default with its own number. 0: an action is the place of a move among the legal ones, which always works,
    and means something else in every position"""
    seats: ClassVar[tuple[str, str]] = ("first", "second")
    """what the two players are called, the one who begins first"""
    version: ClassVar[int] = 1
    """raised when a change of the rules makes old records replay differently"""
    rules_card: ClassVar[tuple[str, ...]] = ()
    """the rules for somebody who wants to play in a minute: a few short paragraphs; see `rules`"""
    lessons: ClassVar[tuple[Lesson, ...]] = ()
    """an example to play through in a minute, with the default options"""
    move_help: ClassVar[str] = ""
    """how a move is written, in a few words with an example"""
    move_pattern: ClassVar[str] = r"\S+"
    """what a move token looks like: other text is a NotationError, not an illegal move"""
    options: ClassVar[Mapping[str, Option]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, int | str | bool]]] = {}
    draws_turns: ClassVar[bool] = False
    """whether `draw` also takes a whole turn as the last move: its tokens, joined by spaces"""
    weight_names: ClassVar[tuple[str, ...]] = ()
    """what each of `weights` weighs; with names, weights can be read from a file and fitted"""
    evaluations: ClassVar[Mapping[str, str]] = {}
    """evaluations besides "default": name → what it is; `other_weights` has their weights"""
    feature_count: int = 0
    """how many different features `features` can write; 0: the bits of `planes`, 64 for each word"""
    max_features: ClassVar[int] = 0
    """how many features a position has at most, 0: all, or as many as a network can take; fewer make it more exact"""
    phases: ClassVar[int] = 1
    """how many stages `phase` tells apart"""
    network_files: ClassVar[tuple[str, ...]] = ()
    """networks beside the file of the game, as `forgeron train` writes them; each serves the options it names"""
    network_options: ClassVar[tuple[str, ...] | None] = None
    """the options that a network depends on: with others it plays as well; None: all of them"""
    table_file: ClassVar[str] = ""
    """a table of exact values beside the file of the game, as `forgeron solve` writes it"""
    table_hands: ClassVar[tuple[int, int]] = (1, 1)
    """with `turn_rank`: how many hands a quick and a thorough sweep of `forgeron solve` look at"""
    search_errors: Mapping[str, SearchErrors] = {}
    """how far shallow searches are from deeper ones, as `forgeron probcut` measures it, by the kind of evaluation:
    "linear" or "network"; what is here is what ProbCut relies on"""
    images: int = 1
    """how many symmetries `image` knows with these options, the identity included"""
    result_classes: ClassVar[type[IntEnum] | None] = None
    """where results are of more kinds than win, draw and loss: these kinds, the worst first; see `ranking`"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls):
            return  # a base class for several games
        for attribute in ("title", "state_class", "max_moves"):
            if not hasattr(cls, attribute):
                raise ContractError(f"game '{cls.name}' needs the class attribute '{attribute}'")
        check_declared(f"game '{cls.name}'", cls.options, ["preset"], cls.presets)
        check_search_errors(f"game '{cls.name}'", cls.search_errors)
        cls._check_rules(cls.state_class)

    @classmethod
    def _check_rules(cls, state_class: Any) -> None:
        lacking = missing(state_class)
        if lacking:
            raise ContractError(f"game '{cls.name}' has no rule for: {', '.join(lacking)}")
        if JIT:
            from forgeron.core.cache import name_state

            name_state(state_class, cls.name)

    def __init__(self, /, *, preset: str | None = None, **options: object) -> None:
        # It may come from a file or a page, as anything.
        if preset is not None and not (isinstance(preset, str) and preset in self.presets):
            raise unknown_name(f"preset of {self.name}", str(preset), self.presets)
        chosen = {**(self.presets[preset] if preset is not None else {}), **options}
        self.chosen: dict[str, Value] = read_options(self.name, self.options, chosen)

    def use_state_class(self, state_class: Any) -> None:
        """With these options the states are of another class, such as one with more words for a larger board. To be
        called by the constructor of a game, which sets `max_moves` and the other sizes that differ as well."""
        self._check_rules(state_class)
        self.state_class = state_class

    @classmethod
    def with_options(cls, options: Mapping[str, object], preset: str | None = None) -> Self:
        """The game with options that come as data, from a record or a file: whatever they are called, none of them is
        taken for an argument of the constructor."""
        read_options(cls.name, cls.options, options)
        return cls(preset=preset, **options)

    # --- what an author writes ----------------------------------------------------------------------------------

    def start_state(self) -> Any:
        """The state in which the game begins, with these options."""
        raise NotImplementedError(f"game '{self.name}' needs a method start_state")

    def format_move(self, state: Any, move: int) -> str:
        """The token of a move: no spaces, different for each legal move of the state."""
        return str(move)

    def parse_move(self, state: Any, text: str) -> int:
        """The number of the move that `text` stands for; NotationError when it can be no move of this game."""
        if not re.fullmatch(self.move_pattern, text):
            raise NotationError(f"'{text}' is not a move of {self.title}{self._move_hint()}")
        position = Position(self, state)
        for token, move in zip(position.legal_moves(), position.moves, strict=True):
            if token == text:
                return move
        return -1

    def parse_turn(self, state: Any, text: str) -> list[int]:
        """The moves of a whole turn; games in which a turn is one move need not write it."""
        return [self.parse_move(state, text.strip())]

    def format_state(self, state: Any) -> str:
        """The position as one token that `parse_state` reads back."""
        return ":".join(format(int(value), "x") for value in state)

    def parse_state(self, text: str) -> Any:
        """The state a token stands for; NotationError when it is none."""
        parts = text.split(":")
        kinds = field_types(self.state_class)
        if len(parts) != len(kinds):
            raise NotationError(f"'{text}' is not a position of {self.title}: it has {len(kinds)} parts joined by ':'")
        try:
            return self.state_class(*(kind(int(part, 16)) for kind, part in zip(kinds, parts, strict=True)))
        except (ValueError, OverflowError):
            raise NotationError(f"'{text}' is not a position of {self.title}: its parts are hexadecimal") from None

    def draw(self, state: Any, last_move: str | None = None) -> str:
        """The board as lines of text, the last move marked where there is one."""
        return repr(state)

    def view(self, state: Any) -> dict[str, Any]:
        """The board as JSON-ready data, so that a page can draw it: docs/web.md. Without it the page shows `draw`."""
        return {}

    def view_move(self, state: Any, move: int) -> dict[str, Any]:
        """What a page needs to know of a legal move: its `parts`, what a person points at to say it; the move in
        words, its `text`; and `events`, what happens on the board. Each may be missing: docs/web.md."""
        return {}

    def compose(self, places: Mapping[str, str], turn: Seat) -> str:
        """The token of a position that was set up by hand: what stands on each place that is not empty, in the game's
        own letters, and who is to move. What the board does not tell, such as points, is filled in so that it fits;
        `parse_state` judges the result. Without it the page offers no setting up by hand."""
        raise NotationError(f"positions of {self.title} cannot be set up by hand")

    def scores(self, state: Any) -> tuple[int, int]:
        """The points of both players so far; without points, 1 for a win that is on the board."""
        score = Position(self, state).score
        return (max(score, 0), max(-score, 0))

    def reason(self, state: Any, winner: Seat | None) -> str:
        """Why the game is over."""
        return "draw" if winner is None else "win"

    def why_illegal(self, state: Any, move: int, legal: list[str]) -> str:
        """What is wrong with the move, or what could be played instead."""
        shown = ", ".join(legal[:12]) + (", …" if len(legal) > 12 else "")
        return f"legal here: {shown}"

    def typical_moves(self) -> int:
        """How many choices a player has in a typical game, with these options: a clock for the whole game is shared out
        over so many moves. The median of some games between good players is right."""
        return 40

    def opening_moves(self) -> int:
        """How many of the first choices gain little from thinking: on a clock they get less time than the others."""
        return 0

    def thrower(self, state: Any) -> Seat:
        """In a game with chance: the player who throws in this state."""
        return 0

    def ranking(self, position: Position, seat: Seat) -> tuple[IntEnum, int, *tuple[int, ...]]:
        """With `result_classes`: the result of a finished game for one seat, a greater one being better.

        It has its class, a number within the class, and whatever else settles ties.
        """
        raise NotImplementedError(f"game '{self.name}' has no classes of results")

    def course_score(self, position: Position, seat: Seat) -> float | None:
        """With `result_classes`: the grade that a course gives one seat for a finished game; None where none does."""
        return None

    def forfeit_ranking(self, position: Position, seat: Seat, loser: Seat) -> tuple[IntEnum, int, *tuple[int, ...]]:
        """With `result_classes`: the result for one seat of a game that `loser` lost here by a fault."""
        raise NotImplementedError(f"game '{self.name}' does not say what a fault counts")

    def forfeit_score(self, position: Position, seat: Seat, loser: Seat) -> float | None:
        """With `result_classes`: the grade for such a game; None where there is none."""
        return None

    def symmetries(self) -> list[Symmetry]:
        """The symmetries that keep the players' roles, the identity not included."""
        return []

    def import_games(self, data: bytes) -> Iterator[ImportedGame]:
        """The games in a file of another program: training data for `forgeron import-games`."""
        raise OptionError(f"no records of {self.title} by other programs can be read")

    def table_levels(self) -> tuple[TableLevel, ...]:
        """With `rank`: the levels of a table of exact values, the last one being the whole game with these options.

        From a position of a level, a turn leads to one of the same level or of one before it."""
        return ()

    def weights(self) -> np.ndarray:
        """The weights of the game's evaluation."""
        return np.zeros(1)

    def other_weights(self, evaluation: str, root: Seat) -> np.ndarray:
        """The weights of one of `evaluations`, for a search that the player `root` makes."""
        raise NotImplementedError(f"game '{self.name}' needs a method other_weights")

    # --- what everybody uses ------------------------------------------------------------------------------------

    def rules(self) -> list[str]:
        """The rules as paragraphs: the game's own card, else what can be said of any game."""
        if self.rules_card:
            return list(self.rules_card)
        about = " ".join((type(self).__doc__ or "").partition("\n\n")[0].split())
        moves = f"A move is written {self.move_help}." if self.move_help else ""
        return [
            *(text for text in (about, moves) if text),
            f"{self.seats[0].capitalize()} begins. The author of this game has written no rules card; the page shows "
            "every legal move, and so does 'moves' in the terminal.",
        ]

    def start(self) -> Position:
        """The first position."""
        return Position(self, self.start_state())

    @property
    def action_space(self) -> int:
        """The number of actions, legal or not: `action_count`, or `max_moves` where the game does not number them."""
        return self.action_count or self.max_moves

    def from_array(self, words: np.ndarray) -> Position:
        """The position that `numpy.asarray(position)` gave.

        >>> import forgeron
        >>> game = forgeron.game("yolah")
        >>> game.from_array(np.asarray(game.start())) == game.start()
        True
        """
        given = np.asarray(words)
        kinds = field_types(self.state_class)
        if given.shape != (len(kinds),) or given.dtype not in (np.uint64, np.int64):
            raise OptionError(
                f"a position of {self.title} is an array of {len(kinds)} integers of 64 bits, "
                f"not of shape {given.shape} and type {given.dtype}"
            )
        unsigned = given.view(np.uint64)
        return Position(self, self.state_class(*(word.view(kind) for kind, word in zip(kinds, unsigned, strict=True))))

    def parse(self, text: str) -> Position:
        """The position of a token, as `str(position)` gives it."""
        with np.errstate(over="ignore"):  # rules run as plain Python multiply as machine code does
            return Position(self, self.parse_state(text.strip()))

    def evaluation(self, name: str = "default", root: Seat = 0) -> np.ndarray:
        """The weights of an evaluation: "default" or "linear", "network", one of `evaluations`, or a file's.

        Some evaluations are not the same for both players: `root` is the one who makes the search.
        """
        if name in ("default", LINEAR):
            return self.weights()
        if name == NETWORK:
            file = self.network()
            if file is None:
                raise OptionError(f"no network comes with Forgeron for {self}")
            return file.network
        if name in self.evaluations:
            return self.other_weights(name, root)
        if name.endswith(".json") and self.weight_names:
            return read_weights(Path(name), self.name, self.weight_names)
        if name.endswith(".network") and (self.feature_count or offers(self.state_class, "planes")):
            return self._checked(Path(name)).network
        known = ["default", NETWORK, *self.evaluations]
        known += ["a file of weights (.json)"] if self.weight_names else []
        known += ["a network (.network)"] if self.feature_count or offers(self.state_class, "planes") else []
        raise unknown_name(f"evaluation of {self.title}", name, known)

    def network(self) -> NetworkFile | None:
        """The network that comes with the game and serves these options; None when there is none."""
        kind: Any = type(self)
        shipped = (_shipped_network(self._module, name, kind) for name in self.network_files)
        return next((file for file in shipped if file.serves(self)), None)

    def errors_of(self, evaluation: str) -> SearchErrors:
        """What is known of the errors of searches by this evaluation, one of those that `evaluation` takes; nothing of
        an evaluation that is neither linear in the game's weights nor a network."""
        if evaluation in ("default", LINEAR) or evaluation.endswith(".json"):
            return self.search_errors.get(LINEAR, {})
        if evaluation == NETWORK or evaluation.endswith(".network"):
            return self.search_errors.get(NETWORK, {})
        return {}

    def table(self) -> np.ndarray:
        """The exact values that are known, by rank, as 65,535ths: what `forgeron solve` has computed here, or what
        comes with the game; an empty array where there is nothing."""
        kind: Any = type(self)
        shipped = _shipped_table(self._module, self.table_file, kind) if self.table_file else _NO_TABLE
        path = table_path(self.name)
        if offers(self.state_class, "rank") and path.exists():
            computed = _read_table(path, path.stat().st_mtime_ns, kind)
            return computed if len(computed) > len(shipped) else shipped
        return shipped

    @property
    def _module(self) -> str:
        return type(self).__module__

    def _checked(self, path: Path) -> NetworkFile:
        file = read_network(path)
        check_fit(path, file, self)
        return file

    def perft(self, position: Position, depth: int) -> int:
        """How many sequences of exactly `depth` plies there are from the position.

        >>> import forgeron
        >>> game = forgeron.game("yolah")
        >>> [game.perft(game.start(), depth) for depth in range(4)]
        [1, 56, 2988, 164512]
        """
        if depth == 0:
            return 1
        _check_depth(depth)
        return int(count_leaves_in_bulk(position.state, np.int64(depth), self._rows(depth)))

    def count(self, position: Position, depth: int) -> Count:
        """Like `perft`, with every last move really played, and how many of the leaves end the game."""
        if depth == 0:
            return Count(1, int(position.turn is None))
        _check_depth(depth)
        leaves, ended = count_leaves(position.state, np.int64(depth), self._rows(depth))
        return Count(int(leaves), int(ended))

    def divide(self, position: Position, depth: int) -> dict[str, int]:
        """The perft of each legal move: how many sequences of `depth` plies begin with it."""
        _check_depth(depth)
        return {token: self.perft(position.play(token), depth - 1) for token in position.legal_moves()}

    def _rows(self, depth: int) -> np.ndarray:
        return np.empty((depth + 1, self.max_moves), dtype=np.int64)

    def _move_hint(self) -> str:
        return f"; a move is written {self.move_help}" if self.move_help else ""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and self.chosen == other.chosen

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.chosen.items())))

    def __str__(self) -> str:
        """The name with the options that differ from their defaults, e.g. ``yinsh[N=6]``."""
        changed = [f"{k}={v}" for k, v in self.chosen.items() if v != self.options[k].default]
        return self.name + (f"[{','.join(changed)}]" if changed else "")

    def __repr__(self) -> str:
        return f"<Game {self}>"


_NO_TABLE = np.zeros(0, dtype=np.uint16)


@cache
def _shipped_table(module: str, name: str, kind: Any) -> np.ndarray:
    return read_table(_beside(module, name), kind()).entries


@cache
def _read_table(path: Path, _modified: int, kind: Any) -> np.ndarray:
    return read_table(path, kind()).entries


@cache
def _shipped_network(module: str, name: str, kind: Any) -> NetworkFile:
    path = _beside(module, name)
    file = read_network(path)
    if module.partition(".")[0] != _OURS:  # ours are compared with their games by a test, and starts are quicker
        check_fit(path, file, kind.with_options(options_of(path, file)))
    return file


def _beside(module: str, name: str) -> Path | Traversable:
    """A file beside that of a module: in its package, or in the folder of a game that is a single file."""
    found = sys.modules[module]
    return files(found.__package__) / name if found.__package__ else Path(str(found.__file__)).with_name(name)


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise OptionError(f"a depth is a number of plies, 1 or more, not {depth}")
