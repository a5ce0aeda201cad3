"""Results less the luck of the throws: as right as plain results, and less scattered."""

from __future__ import annotations

import math
import random
import statistics

import pytest

import forgeron
from forgeron.core.chance import random_move
from forgeron.core.record import Record
from forgeron.kernels.playout import play_many
from forgeron.stats.luck import LuckTally, has_luck, luck_of

GAME = forgeron.game("yut", pieces=2)
AHEAD = "5,12/0,0:r:t"


def random_record(start: str, seed: int) -> Record:
    rng = random.Random(seed)
    position = GAME.parse(start)
    first, moves = position, []
    while position.turn is not None:
        position = position.push(random_move(position, rng))
        moves.append(str(position.last_move))
    return Record.of(GAME, first, tuple(moves))


@pytest.mark.parametrize("start", ["0,0/0,0:r:t", AHEAD])
def test_the_adjusted_score_agrees_with_a_hundred_thousand_plain_games(start: str) -> None:
    """Random players, whom the evaluation was never meant for: the adjustment must not depend on who plays."""
    plain = play_many(GAME.parse(start), seed=7, games=100_000)
    truth = (plain.wins + plain.draws / 2) / plain.games
    records = [random_record(start, seed) for seed in range(300)]
    luck = [luck_of(record, GAME) for record in records]
    adjusted = [float(record.winner == 0) - own for record, own in zip(records, luck, strict=True)]
    for found, expected in ((luck, 0.0), (adjusted, truth)):
        error = statistics.stdev(found) / math.sqrt(len(found))
        assert abs(statistics.mean(found) - expected) < 3.5 * error
    assert statistics.variance(adjusted) < 0.8 * statistics.variance(float(record.winner == 0) for record in records)


def test_the_mean_luck_of_one_throw_is_zero_and_a_better_throw_is_luckier() -> None:
    position = GAME.parse("5,12/3,0:r:t")
    chances = position.chances()
    lucks = [luck_of(Record.of(GAME, position, (token,)), GAME) for token in position.legal_moves()]
    assert abs(sum(chance * luck for chance, luck in zip(chances, lucks, strict=True))) < 1e-12
    by_token = dict(zip(position.legal_moves(), lucks, strict=True))
    assert by_token["t5"] > by_token["t1"]


def test_the_network_of_the_game_judges() -> None:
    position = GAME.parse("5,12/3,0:r:t")
    judge = forgeron.player("greedy", GAME, eval="network")
    tokens = ("t1", "t2", "t3")
    values = [judge.analyse(position.play(token), forgeron.Limit(nodes=1)).value for token in tokens]
    lucks = [luck_of(Record.of(GAME, position, (token,)), GAME) for token in tokens]
    assert len(set(values)) == 3
    for value, luck in zip(values, lucks, strict=True):
        assert luck - lucks[0] == pytest.approx(value - values[0])


def test_throws_before_a_ply_are_left_out() -> None:
    record = random_record(AHEAD, 3)
    whole, later = luck_of(record, GAME), luck_of(record, GAME, first_ply=1)
    first = luck_of(Record.of(GAME, GAME.parse(AHEAD), record.moves[:1]), GAME)
    assert whole == pytest.approx(first + later)
    assert luck_of(record, GAME, first_ply=len(record.moves)) == 0.0


def test_only_games_with_throws_and_an_evaluation_are_adjusted() -> None:
    assert has_luck(GAME)
    assert not has_luck(forgeron.game("yolah"))


def test_a_tally_is_the_mean_of_its_pairs_with_their_spread() -> None:
    tally = LuckTally()
    assert tally.result() is None
    points, luck = [1.0, 0.5, 0.5, 0.0, 1.0], [0.3, -0.1, 0.1, -0.3, 0.2]
    for one, other in zip(points, luck, strict=True):
        tally.add(one, other)
    found = tally.result()
    assert found is not None
    assert found.saving is not None
    adjusted = [one - other for one, other in zip(points, luck, strict=True)]
    assert found.score.value == pytest.approx(statistics.mean(adjusted))
    assert found.score.error == pytest.approx(1.959964 * statistics.stdev(adjusted) / math.sqrt(5), rel=1e-6)
    assert found.saving == pytest.approx(1 - statistics.variance(adjusted) / statistics.variance(points))


def test_a_score_without_luck_may_leave_the_scale_of_elo() -> None:
    tally = LuckTally()
    for luck in (-0.4, -0.1):
        tally.add(1.0, luck)
    found = tally.result()
    assert found is not None
    assert found.score.value == pytest.approx(1.25)
    assert found.elo.value == math.inf
    assert found.saving is None
