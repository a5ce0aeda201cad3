"""The Python side of a game: its name, options, notation and drawing.

The rules themselves are the compiled functions of `forgeron.core.contract`. A game is a subclass of `Game` that names
its state class; everything else has a default that works, so that a first version is short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from forgeron.core.contract import field_types, missing
from forgeron.core.errors import ContractError, NotationError, OptionError, unknown_name
from forgeron.core.jit import JIT
from forgeron.core.perft import Count, count_leaves, count_leaves_in_bulk
from forgeron.core.position import Position, Seat
from forgeron.core.weights import read_weights


@dataclass(frozen=True)
class Option:
    """One option of a game: its default, the values allowed, and what it means."""

    default: int | str | bool
    allowed: Sequence[int | str | bool]
    """none: any text"""
    help: str

    def read(self, name: str, value: object) -> int | str | bool:
        """The allowed value that `value` (perhaps a text from the command line) stands for."""
        if not self.allowed and isinstance(value, str):
            return value
        for one in self.allowed:
            if value == one and type(value) is type(one):
                return one
        if isinstance(value, str):
            for one in self.allowed:
                if str(one).lower() == value.lower():
                    return one
        raise OptionError(f"option {name} cannot be {value!r}; it is one of {self.range}")

    @property
    def range(self) -> str:
        """The allowed values as a person would write them."""
        if not self.allowed:
            return "text"
        if isinstance(self.allowed, range) and len(self.allowed) > 2 and self.allowed.step == 1:
            return f"{self.allowed[0]} … {self.allowed[-1]}"
        return ", ".join(str(one) for one in self.allowed)


class Symmetry(NamedTuple):
    """A way of turning or mirroring a board under which the rules stay the same."""

    name: str
    state: Callable[[Any], Any]
    move: Callable[[int], int]


class Game:
    """A game with its options settled; equal to every other one of the same name and options."""

    name: ClassVar[str]
    """the name by which it is asked for: lower case, words joined by -"""
    title: ClassVar[str]
    state_class: ClassVar[Any]
    """the NamedTuple that `rules_for` was given"""
    max_moves: ClassVar[int]
    """room for the legal moves of any position"""
    seats: ClassVar[tuple[str, str]] = ("first", "second")
    """what the two players are called, the one who begins first"""
    version: ClassVar[int] = 1
    """raised when a change of the rules makes old records replay differently"""
    move_help: ClassVar[str] = ""
    """how a move is written, in a few words with an example"""
    move_pattern: ClassVar[str] = r"\S+"
    """what a move token looks like: other text is a NotationError, not an illegal move"""
    options: ClassVar[Mapping[str, Option]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, int | str | bool]]] = {}
    weight_names: ClassVar[tuple[str, ...]] = ()
    """what each of `weights` weighs; with names, weights can be read from a file and fitted"""
    evaluations: ClassVar[Mapping[str, str]] = {}
    """evaluations besides "default": name → what it is; `other_weights` has their weights"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls):
            return  # a base class for several games
        for attribute in ("title", "state_class", "max_moves"):
            if not hasattr(cls, attribute):
                raise ContractError(f"game '{cls.name}' needs the class attribute '{attribute}'")
        lacking = missing(cls.state_class)
        if lacking:
            raise ContractError(f"game '{cls.name}' has no rule for: {', '.join(lacking)}")
        if JIT:
            from forgeron.core.cache import name_state

            name_state(cls.state_class, cls.name)

    def __init__(self, *, preset: str | None = None, **options: object) -> None:
        chosen: dict[str, object] = {}
        if preset is not None:
            if preset not in self.presets:
                raise unknown_name(f"preset of {self.name}", preset, self.presets)
            chosen.update(self.presets[preset])
        chosen.update(options)
        for name in chosen:
            if name not in self.options:
                raise unknown_name(f"option of {self.name}", name, self.options)
        self.chosen: dict[str, int | str | bool] = {
            name: option.read(name, chosen.get(name, option.default)) for name, option in self.options.items()
        }

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
        """The board as JSON-ready data."""
        return {"position": self.format_state(state)}

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

    def thrower(self, state: Any) -> Seat:
        """In a game with chance: the player who throws in this state."""
        return 0

    def symmetries(self) -> list[Symmetry]:
        """The symmetries that keep the players' roles, the identity not included."""
        return []

    def weights(self) -> np.ndarray:
        """The weights of the game's evaluation."""
        return np.zeros(1)

    def other_weights(self, evaluation: str, root: Seat) -> np.ndarray:
        """The weights of one of `evaluations`, for a search that the player `root` makes."""
        raise NotImplementedError(f"game '{self.name}' needs a method other_weights")

    # --- what everybody uses ------------------------------------------------------------------------------------

    def start(self) -> Position:
        """The first position."""
        return Position(self, self.start_state())

    def parse(self, text: str) -> Position:
        """The position of a token, as `str(position)` gives it."""
        return Position(self, self.parse_state(text.strip()))

    def evaluation(self, name: str = "default", root: Seat = 0) -> np.ndarray:
        """The weights of an evaluation: "default", one of `evaluations`, or a file of weights (its name ends in .json).

        Some evaluations are not the same for both players: `root` is the one who makes the search.
        """
        if name == "default":
            return self.weights()
        if name in self.evaluations:
            return self.other_weights(name, root)
        if name.endswith(".json") and self.weight_names:
            return read_weights(Path(name), self.name, self.weight_names)
        known = ["default", *self.evaluations, *(["a file of weights (.json)"] if self.weight_names else [])]
        raise unknown_name(f"evaluation of {self.title}", name, known)

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


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise OptionError(f"a depth is a number of plies, 1 or more, not {depth}")
