"""OpenSpiel's games for our players, arena and page (extra ``openspiel``): two players, one after the other, who both
see everything; dice are allowed.

A game of OpenSpiel is made a game of ours in a file of its own:

    from forgeron.interop.openspiel_games import openspiel_game

    Breakthrough = openspiel_game("breakthrough(rows=6,columns=6)", module=__name__)

and played as any game in a file, as plain Python: ``FORGERON_JIT=0 forgeron play breakthrough.py``. A state is the list
of actions so far, packed into words, and OpenSpiel plays them again; there is nothing to compile. So it is slow, some
thousand positions a second: enough to play, to referee and to search a little, not for a strong player.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from forgeron.core.contract import CHANCE, OVER, rules_for
from forgeron.core.errors import ForgeronError, NotationError, OptionError
from forgeron.core.game import Game
from forgeron.core.jit import JIT
from forgeron.core.position import Seat
from forgeron.core.rng import mix
from forgeron.interop.extras import needed

#: More words than this are refused: a state is copied at every move.
_MOST_WORDS = 128
_KEPT_STATES = 4096


class _Packing(NamedTuple):
    """How a list of actions becomes words: `bits` an action, `each` actions a word."""

    bits: int
    each: int
    words: int


def openspiel_game(name: str, *, module: str) -> type[Game]:
    """The class of the OpenSpiel game of this name, with its parameters in parentheses; `module` is ``__name__``."""
    pyspiel: Any = needed("pyspiel", "openspiel")
    if JIT:
        raise ForgeronError("games of OpenSpiel run as plain Python: set FORGERON_JIT=0 in the environment")
    try:
        spiel = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise OptionError(f"OpenSpiel has no game '{name}': {str(error).splitlines()[0]}") from None
    _check_kind(pyspiel, spiel, name)
    packing = _packing_of(spiel, name)
    state_class = _state_class(packing.words, module)
    histories = _Histories(spiel, packing)
    _register_rules(state_class, histories)
    title = spiel.get_type().long_name
    body = {
        "__doc__": f"{title}, by OpenSpiel; slow, because every move is asked from there.",
        "__module__": module,
        "name": "openspiel-" + re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-"),
        "title": f"{title} (OpenSpiel)",
        "state_class": state_class,
        "histories": histories,
        "max_moves": max(spiel.num_distinct_actions(), spiel.max_chance_outcomes()),
        "action_count": spiel.num_distinct_actions(),
    }
    return type("AdaptedGame", (OpenSpielGame,), body)


def _check_kind(pyspiel: Any, spiel: Any, name: str) -> None:
    kind, found = spiel.get_type(), pyspiel.GameType
    fits = {
        "two players": spiel.num_players() == 2,
        "moves one after the other": kind.dynamics == found.Dynamics.SEQUENTIAL,
        "perfect information": kind.information == found.Information.PERFECT_INFORMATION,
        "a zero or constant sum": kind.utility in (found.Utility.ZERO_SUM, found.Utility.CONSTANT_SUM),
        "known odds": kind.chance_mode != found.ChanceMode.SAMPLED_STOCHASTIC,
    }
    lacking = [what for what, fine in fits.items() if not fine]
    if lacking:
        raise OptionError(f"'{name}' of OpenSpiel cannot be played here: it lacks {', '.join(lacking)}")


def _packing_of(spiel: Any, name: str) -> _Packing:
    most = max(spiel.num_distinct_actions(), spiel.max_chance_outcomes(), 2)
    bits = (most - 1).bit_length()
    length = spiel.max_game_length() + (spiel.max_chance_nodes_in_history() if spiel.max_chance_outcomes() else 0)
    words = -(-length // (64 // bits))
    if words > _MOST_WORDS:
        raise OptionError(f"games of '{name}' can last {length:,} moves: {words} words, and {_MOST_WORDS} is the most")
    return _Packing(bits, 64 // bits, words)


def _state_class(words: int, module: str) -> Any:
    fields = [("plies", np.uint64), *((f"w{i}", np.uint64) for i in range(words))]
    state_class: Any = NamedTuple("State", fields)  # type: ignore[misc]
    state_class.__module__ = module
    return state_class


class _Histories:
    """OpenSpiel's state after the actions of a state of ours; the last ones are kept."""

    def __init__(self, spiel: Any, packing: _Packing) -> None:
        self.spiel, self.packing = spiel, packing
        self.after = lru_cache(_KEPT_STATES)(self._replay)

    def at(self, state: Any) -> Any:
        return self.after(self.actions(state))

    def actions(self, state: Any) -> tuple[int, ...]:
        bits, each, _ = self.packing
        words = [int(word) for word in state[1:]]
        return tuple(words[i // each] >> bits * (i % each) & (1 << bits) - 1 for i in range(int(state.plies)))

    def _replay(self, actions: tuple[int, ...]) -> Any:
        if not actions:
            return self.spiel.new_initial_state()
        return self.after(actions[:-1]).child(self._action(actions[:-1], actions[-1]))

    def _action(self, before: tuple[int, ...], number: int) -> int:
        """Outcomes of a throw are numbered 0, 1, … here, whatever they are there."""
        state = self.after(before)
        return int(state.chance_outcomes()[number][0]) if state.is_chance_node() else number


def _register_rules(state_class: Any, histories: _Histories) -> None:
    rule = rules_for(state_class)
    bits, each, _ = histories.packing

    @rule
    def turn(state: Any) -> Any:
        there = histories.at(state)
        if there.is_terminal():
            return OVER
        return CHANCE if there.is_chance_node() else np.int64(there.current_player())

    @rule
    def moves(state: Any, out: Any) -> int:
        there = histories.at(state)
        if there.is_terminal():
            return 0
        listed = range(len(there.chance_outcomes())) if there.is_chance_node() else there.legal_actions()
        out[: len(listed)] = listed
        return len(listed)

    @rule
    def play(state: Any, move: Any) -> Any:
        words, place = list(state), int(state.plies)
        words[0] = np.uint64(place + 1)
        words[1 + place // each] |= np.uint64(int(move) << bits * (place % each))
        return state_class(*words)

    @rule
    def score(state: Any) -> Any:
        first, second = histories.at(state).returns()
        return np.int64(round(1000 * (first - second)))

    @rule
    def key(state: Any) -> Any:
        word = np.uint64(0)
        with np.errstate(over="ignore"):
            for field in state:
                word = mix(word + field)
        return word

    if histories.spiel.max_chance_outcomes():

        @rule
        def chance(state: Any, probs: Any) -> int:
            found = [share for _, share in histories.at(state).chance_outcomes()]
            probs[: len(found)] = found
            return len(found)


class OpenSpielGame(Game):
    """What all of them have in common."""

    histories: ClassVar[_Histories]

    def start_state(self) -> Any:
        return self.state_class(*[np.uint64(0)] * (self.histories.packing.words + 1))

    def format_move(self, state: Any, move: int) -> str:
        there = self.histories.at(state)
        number = there.chance_outcomes()[move][0] if there.is_chance_node() else move
        return _token(there.action_to_string(there.current_player(), number))

    def parse_state(self, text: str) -> Any:
        state = super().parse_state(text)
        packing = self.histories.packing
        try:
            position = self.start()
            for move in self.histories.actions(state) if state.plies <= packing.words * packing.each else (-1,):
                position = position.push(move)
        except ForgeronError:
            raise NotationError(f"'{text}' is not a position of {self.title}") from None
        if position.state != state:
            raise NotationError(f"'{text}' is not a position of {self.title}")
        return state

    def draw(self, state: Any, last_move: str | None = None) -> str:
        return str(self.histories.at(state)) or f"{int(state.plies)} moves"

    def thrower(self, state: Any) -> Seat:
        """The one who moved last: OpenSpiel does not say who throws."""
        before = self.histories.actions(state)
        while before:
            before = before[:-1]
            player = self.histories.after(before).current_player()
            if player >= 0:
                return 1 if player else 0
        return 0


def _token(text: str) -> str:
    return re.sub(r"\s+", "_", text.strip()) or "-"
