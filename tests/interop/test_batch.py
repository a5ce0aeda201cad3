"""Games side by side are the games that the rules make, one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron
from forgeron.core.game import Game
from forgeron.interop.batch import GameBatch

ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = ROOT / "examples" / "game_connect_four.py"
#: Of every sort: with dice, numbered by its moves, without planes and numbers.
GAMES = [
    forgeron.game("yut", pieces=1),
    forgeron.game(str(CONNECT_FOUR)),
    forgeron.game(str(ROOT / "tests" / "hostile" / "games" / "wrong_count.py")),
]


def ids(game: Game) -> str:
    return game.name


@pytest.mark.parametrize("game", GAMES, ids=ids)
def test_a_batch_shows_what_positions_show(game: Game) -> None:
    batch = GameBatch(game, 6, seed=3)
    finished = 0
    for _ in range(60):
        before = [batch.position(i) for i in range(6)]
        for i, position in enumerate(before):
            assert position.turn == batch.seats[i]
            assert (batch.observations[i] == position.observe(position.turn)).all()
            assert (batch.masks[i] == position.action_mask()).all()
        actions = batch.draw_actions()
        batch.step(actions)
        for i, position in enumerate(before):
            after = position.act(int(actions[i]))
            if after.turn in (0, 1):
                assert batch.position(i) == after
                assert not batch.ended[i]
            if after.turn is None:
                finished += 1
                assert batch.ended[i]
                sign = np.sign(after.score)
                assert batch.rewards[i] == (sign if position.turn == 0 else -sign)
                assert (batch.final_observations[i] == after.observe(position.turn)).all()
    assert finished == batch.finished_games or game.name == "yut"
    assert batch.finished_games > 0


def test_plain_python_steps_a_game_that_numbers_its_actions_by_a_rule(run_python: Callable[..., object]) -> None:
    run_python(
        """
import forgeron
from forgeron.interop.batch import GameBatch
batch = GameBatch(forgeron.game("yinsh", N=3, K=3, L=1), 2, seed=3)
for _ in range(40):
    before, actions = [batch.position(i) for i in range(2)], batch.draw_actions()
    batch.step(actions)
    for i, position in enumerate(before):
        after = position.act(int(actions[i]))
        assert batch.ended[i] if after.turn is None else batch.position(i) == after
        assert (batch.observations[i] == batch.position(i).observe(batch.seats[i])).all()
        assert (batch.masks[i] == batch.position(i).action_mask()).all()
""",
        FORGERON_JIT="0",
    )


def history(batch: GameBatch, steps: int = 40) -> bytes:
    parts = []
    for _ in range(steps):
        batch.step(batch.draw_actions())
        parts.append(batch.observations.tobytes() + batch.rewards.tobytes() + batch.seats.tobytes())
    return b"".join(parts)


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_the_same_seed_gives_the_same_games_on_any_number_of_threads(opponent: str) -> None:
    game = forgeron.game("yut", pieces=1)
    first = GameBatch(game, 9, seed=5, opponent=opponent)
    seen = history(first)
    assert history(GameBatch(game, 9, seed=5, opponent=opponent, threads=3)) == seen
    first.reset(5)
    assert history(first) == seen
    first.reset()
    assert history(first) != seen
    assert history(GameBatch(game, 9, seed=6, opponent=opponent)) != seen


def test_against_a_random_opponent_the_agent_keeps_its_seat_in_a_game_and_has_both_in_turn() -> None:
    batch = GameBatch(forgeron.game(str(CONNECT_FOUR)), 200, seed=1, opponent="random")
    seats, wins = batch.seats.copy(), []
    assert 60 < seats.sum() < 140
    for _ in range(60):
        batch.step(batch.draw_actions())
        assert (seats == batch.seats)[~batch.ended].all()
        wins.extend(batch.rewards[batch.ended])
        seats = batch.seats.copy()
    assert np.mean(wins) == pytest.approx(0.0, abs=0.15)  # random against random, both seats alike
    assert {-1.0, 1.0} <= set(wins)


def test_with_next_step_a_finished_game_shows_its_end_and_then_begins_again() -> None:
    batch = GameBatch(forgeron.game(str(CONNECT_FOUR)), 50, seed=1, autoreset="next-step")
    while not batch.ended.any():
        batch.step(batch.draw_actions())
    ended = batch.ended.copy()
    assert batch.masks[ended].sum() == 0
    assert all(batch.position(int(i)).turn is None for i in np.flatnonzero(ended))
    batch.step(batch.draw_actions())
    assert not batch.ended[ended].any()
    assert (batch.rewards[ended] == 0).all()
    assert (batch.masks[ended] == 1).all()  # an empty board


def test_an_illegal_action_is_told_and_nothing_is_played() -> None:
    batch = GameBatch(forgeron.game(str(CONNECT_FOUR)), 3, seed=1)
    before = batch.observations.tobytes()
    for actions in ([0, 7, 0], [0, -1, 0]):
        with pytest.raises(forgeron.IllegalMoveError, match=r"illegal move 'action (7|-1)' .* in game 1 of the batch"):
            batch.step(np.array(actions))
    with pytest.raises(forgeron.OptionError, match="actions are 3 integers, not float64"):
        batch.step(np.zeros(3))
    assert batch.observations.tobytes() == before


def test_options_that_make_no_sense_are_refused() -> None:
    game = forgeron.game(str(CONNECT_FOUR))
    with pytest.raises(forgeron.OptionError, match="opponent is self or random"):
        GameBatch(game, 3, opponent="perfect")
    name: Any = "yolah"
    with pytest.raises(forgeron.OptionError, match=r"a batch needs a game, such as .*, not 'yolah'"):
        GameBatch(name, 4)
    with pytest.raises(forgeron.OptionError, match="at least one game"):
        GameBatch(game, 0)


@pytest.mark.parametrize("autoreset", ["same-step", "next-step"])
def test_gymnasium_finds_its_conventions_kept(autoreset: str) -> None:
    pytest.importorskip("gymnasium", reason="pip install 'forgeron[pettingzoo]'")
    from forgeron.interop.gymnasium import vector_env

    table = vector_env(str(CONNECT_FOUR), num_envs=16, autoreset=autoreset)
    observations, infos = table.reset(seed=2)
    ended = 0
    for _ in range(50):
        assert observations in table.observation_space
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in infos["action_mask"]])
        assert actions in table.action_space
        observations, rewards, terminations, truncations, infos = table.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (16,)
        assert not truncations.any()
        ended += int(terminations.sum())
        if autoreset == "same-step" and terminations.any():
            assert (infos["_final_obs"] == terminations).all()
            assert infos["final_obs"][terminations].any()
    assert ended > 0
    table.close()
