"""Yut Nori with one or two pieces each is played perfectly, out of the box: the table that ships has every value."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import rank, turn_rank
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.table_file import WHOLE
from forgeron.kernels.value_iteration import MOST_PLIES, UNSEEN, value_in_turn

#: Two values of the table may each be half a step from the truth.
STEP = 1 / WHOLE


@pytest.fixture(autouse=True)
def nothing_but_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGERON_DATA_DIR", str(tmp_path))


class Truth:
    """What moves are worth, by the table at the end of the turn and all throws of the turn."""

    def __init__(self, game: Game) -> None:
        self.table = (game.table() / np.float32(WHOLE)).astype(np.float32)
        self.hands = game.table_hands[1]
        self._memo = np.full(game.table_levels()[-1].entries * self.hands, UNSEEN)
        self._room = np.zeros((MOST_PLIES, game.max_moves), dtype=np.int64), np.zeros((MOST_PLIES, game.max_moves))

    def of_move(self, position: Position, move: int) -> float:
        player, child = position.turn, position.push(move)
        if child.turn is None:
            return float((child.score > 0) == (player == 0))
        if self._owner(child) != player:
            return 1.0 - float(self.table[int(rank(child.state))])
        return self.of_turn(child)

    def of_turn(self, position: Position) -> float:
        """Of a position for whoever is on turn."""
        index, hand = (int(number) for number in turn_rank(position.state))
        place = np.int64(index * self.hands + hand)
        numbers = np.int64(self._owner(position)), place, np.int64(self.hands), np.int64(0)
        return float(value_in_turn(position.state, *numbers, self._memo, *self._room, self.table))

    @staticmethod
    def _owner(position: Position) -> int:
        return position.game.thrower(position.state) if position.turn == "chance" else int(position.turn or 0)


def choices(game: Game, count: int, seed: int) -> Iterator[Position]:
    """Positions of random games in which there is something to choose."""
    rng, found = random.Random(seed), 0
    while found < count:
        position = game.start()
        while position.turn is not None and found < count:
            if position.turn != "chance" and len(position.moves) > 1 and rng.random() < 0.2:
                found += 1
                yield position
            position = position.push(rng.choice(position.moves))


@pytest.mark.parametrize("pieces", [1, 2])
def test_every_choice_is_the_best_one(pieces: int) -> None:
    game = forgeron.game("yut", pieces=pieces)
    truth, player = Truth(game), forgeron.player("expectimax", game, seed=1)
    for position in choices(game, 60, seed=pieces):
        values = {move: truth.of_move(position, move) for move in position.moves}
        choice = player.choose(position, forgeron.Limit(depth=2))
        best = max(values.values())
        assert values[game.parse_move(position.state, choice.move)] == pytest.approx(best, abs=STEP), str(position)
        assert choice.value == pytest.approx(best, abs=2 * STEP), str(position)
        assert choice.depth <= 2, "once with two throws, once with six: no turn beyond this one is searched"


def test_the_table_agrees_with_itself_and_with_what_is_known_of_both_games() -> None:
    """Each value is what the turn from it is worth; 0.5054 was found by another program as well."""
    for pieces, first in ((1, 0.4931), (2, 0.5054)):
        game = forgeron.game("yut", pieces=pieces)
        truth = Truth(game)
        assert len(truth.table) >= game.table_levels()[-1].entries
        assert float(truth.table[int(rank(game.start().state))]) == pytest.approx(first, abs=5e-5)
        rng, position = random.Random(pieces), game.start()
        for _ in range(80):
            if position.turn is None:
                position = game.start()
            if position.turn == "chance" and (index := int(rank(position.state))) < len(truth.table):
                assert truth.of_turn(position) == pytest.approx(float(truth.table[index]), abs=2 * STEP), str(position)
            position = position.push(rng.choice(position.moves))
