"""The search by an evaluator of one's own: what it asks, what it finds, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron import LeafBatch, Limit, play_many
from forgeron.core.chance import next_decision

ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = forgeron.game(str(ROOT / "examples" / "game_connect_four.py"))


def even(leaves: LeafBatch) -> np.ndarray:
    return np.full(len(leaves), 0.5)


def by_playouts(leaves: LeafBatch) -> tuple[np.ndarray, np.ndarray]:
    values = []
    for position in leaves.positions:
        tally = play_many(position, seed=position.key % 1000, games=20)
        won = (tally.wins + tally.draws / 2) / tally.games
        values.append(won if position.turn == 0 else 1 - won)
    return np.array(values), leaves.masks.astype(float)


def test_a_win_in_one_and_a_loss_in_one_are_found() -> None:
    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=even, batch=8)
    win = CONNECT_FOUR.start()
    for column in "112233":
        win = win.play(column)
    assert player.choose(win, Limit(nodes=400)).move == "4"
    must_block = CONNECT_FOUR.start()
    for column in "12121":
        must_block = must_block.play(column)
    choice = player.choose(must_block, Limit(nodes=2000))
    assert choice.nodes == 2000
    assert choice.move == "1"


def test_the_evaluator_sees_each_position_as_its_mover_does() -> None:
    asked = 0

    def check(leaves: LeafBatch) -> np.ndarray:
        nonlocal asked
        for i, position in enumerate(leaves.positions):
            assert position.turn == leaves.seats[i]
            assert (leaves.observations[i] == position.observe(position.turn)).all()
            assert (leaves.masks[i] == position.action_mask()).all()
            asked += 1
        return even(leaves)

    forgeron.player("mcts", CONNECT_FOUR, evaluator=check).choose(CONNECT_FOUR.start(), Limit(nodes=300))
    assert 200 < asked <= 300


def test_visits_add_up_and_the_policy_steers_them() -> None:
    def prefers_the_edge(leaves: LeafBatch) -> tuple[np.ndarray, np.ndarray]:
        policy = np.tile([0.94, *[0.01] * 6], (len(leaves), 1))
        return even(leaves), policy

    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=prefers_the_edge, batch=4)
    assert isinstance(player, forgeron.EvaluatedMcts)
    player.choose(CONNECT_FOUR.start(), Limit(nodes=100))
    assert player.visits.sum() == 99  # the first simulation is the root's own
    assert player.visits.argmax() == 0
    assert player.visits[0] > 60


def test_the_same_seed_and_nodes_give_the_same_choice_with_noise_as_well() -> None:
    choices = [
        forgeron.player("mcts", CONNECT_FOUR, evaluator=even, noise=True, seed=seed).choose(
            CONNECT_FOUR.start(), Limit(nodes=200)
        )
        for seed in (1, 1, 2)
    ]
    assert choices[0].line == choices[1].line
    assert choices[0].value == choices[1].value


def test_it_plays_better_than_random_moves() -> None:
    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=by_playouts, seed=1)
    other = forgeron.player("random", CONNECT_FOUR, seed=2)
    points = 0.0
    for number in range(4):
        position = CONNECT_FOUR.start()
        while position.turn is not None:
            mover = player if position.turn == number % 2 else other
            position = position.play(mover.choose(position, Limit(nodes=60)).move)
        assert position.outcome is not None
        points += 0.5 if position.outcome.winner is None else float(position.outcome.winner == number % 2)
    assert points >= 3


def test_dice_are_thrown_in_the_tree() -> None:
    game = forgeron.game("yut", pieces=1)
    position = next_decision(game.start())
    player = forgeron.player("mcts", game, evaluator=even, batch=4, seed=3)
    choice = player.choose(position, Limit(nodes=300))
    assert choice.move in position.legal_moves()


def test_a_full_tree_goes_on_with_the_leaves_it_has() -> None:
    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=even, memory=1)
    assert player.choose(CONNECT_FOUR.start(), Limit(nodes=30_000)).nodes == 30_000


def test_the_other_mcts_has_visit_counts_too() -> None:
    player = forgeron.player("mcts", CONNECT_FOUR)
    choice = player.choose(CONNECT_FOUR.start(), Limit(nodes=500))
    assert player.visits.sum() in (499, 500)
    assert player.visits.argmax() == int(choice.move) - 1


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (lambda leaves: None, "win probabilities, or these and policies, not None"),
        (lambda leaves: (0.5, None, 3), "win probabilities, or these and policies, not"),
        (lambda leaves: "good", "win probabilities from 0 to 1, not 'good'"),
        (lambda leaves: np.full(len(leaves), 2.0), "win probabilities from 0 to 1"),
        (lambda leaves: np.full(len(leaves) + 1, 0.5), "win probabilities from 0 to 1"),
        (lambda leaves: np.full(len(leaves), np.nan), "win probabilities from 0 to 1"),
        (lambda leaves: (even(leaves), np.ones((len(leaves), 3))), "policies are finite numbers, 1 × 7"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(said: object, message: str) -> None:
    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=said)
    with pytest.raises(forgeron.OptionError, match=message):
        player.choose(CONNECT_FOUR.start(), Limit(nodes=10))


def test_an_evaluator_that_is_none_is_refused() -> None:
    with pytest.raises(forgeron.OptionError, match="an evaluator is a function"):
        forgeron.player("mcts", CONNECT_FOUR, evaluator=3)


@pytest.mark.parametrize("game", [CONNECT_FOUR, forgeron.game("yut", pieces=1)], ids=["connect four", "yut"])
def test_a_game_of_self_play_is_what_an_evaluator_learns_from(game: forgeron.Game) -> None:
    player = forgeron.player("mcts", game, evaluator=even, noise=True, batch=4, seed=5)
    assert isinstance(player, forgeron.EvaluatedMcts)
    first, again, other = (player.self_play(Limit(nodes=20), number) for number in (0, 0, 1))
    for one, two in zip(first, again, strict=True):
        assert (one == two).all()
    assert first.policies.shape != other.policies.shape or (first.policies != other.policies).any()
    assert len(first.observations) == len(first.policies) == len(first.results)
    assert np.allclose(first.policies.sum(axis=1), 1)
    assert set(first.results.tolist()) <= {0.0, 0.5, 1.0}
    position = next_decision(game.start())
    assert first.observations[0].shape == position.observe(position.turn).shape


def test_self_play_without_simulations_is_refused() -> None:
    player = forgeron.player("mcts", CONNECT_FOUR, evaluator=even)
    assert isinstance(player, forgeron.EvaluatedMcts)
    with pytest.raises(forgeron.OptionError, match="two simulations"):
        player.self_play(Limit(nodes=1))


def test_a_subclass_in_a_file_plays_matches(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\nimport forgeron\n\n\nclass Mine(forgeron.EvaluatedMcts):\n    name = 'mine'\n\n"
        "    def judge(self, leaves):\n        return np.full(len(leaves), 0.5)\n"
    )
    result = forgeron.match(CONNECT_FOUR, str(file), "random", games=2, time="40n")
    assert result.games == 2
    assert not any(result.standing.faults)
