"""Whole tunings, small ones: the same weights however they are run, and better ones than those they began with."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import points
from forgeron.arena.executor import Executor, executor, in_this_process
from forgeron.arena.journal import Journal
from forgeron.arena.match import play_match
from forgeron.core.errors import ForgeronError
from forgeron.core.weights import read_weights, write_weights
from forgeron.learning.cma_tuning import EvolutionStrategy, tune_by_evolution
from forgeron.learning.dataset import move_numbers, read_positions, split_by_game, usable_plies
from forgeron.learning.regression_tuning import tune_by_regression
from forgeron.learning.selfplay import check_played, make_task, random_openings
from forgeron.learning.tuning_run import Tuning, TuningFolder, TuningProgress
from forgeron.learning.validation_match import make_validation_match, save_validation

CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")
SMALL: dict[str, dict[str, Any]] = {
    "regression": {"method": "regression", "games": 20, "rounds": 2, "nodes": 60},
    "cma": {"method": "cma", "games": 2, "rounds": 2, "nodes": 60},
}


def run(path: Path, tuning: Tuning, where: Executor = in_this_process) -> TuningProgress:
    """Tune to the end, or go on to it."""
    method = tune_by_evolution if tuning.method == "cma" else tune_by_regression
    folder = TuningFolder(path, tuning)
    with Journal(folder.journal, tuning.settings()) as journal:
        *_, last = method(tuning, folder, journal, where)
    return last


def outcome(path: Path) -> tuple[str, str]:
    return (path / "weights.json").read_text(), (path / "report.json").read_text()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A tuning of Connect Four that was never interrupted, by each method."""
    done: dict[str, Path] = {}

    def find(method: str) -> Path:
        if method not in done:
            done[method] = tmp_path_factory.mktemp(method)
            run(done[method], Tuning.settle(CONNECT_FOUR, **SMALL[method]))
        return done[method]

    return find


@pytest.mark.parametrize("method", SMALL)
def test_a_tuning_that_is_cut_off_at_any_byte_goes_on_to_the_same_weights(
    finished: Callable[[str], Path], tmp_path: Path, method: str
) -> None:
    journal = (finished(method) / "games.journal").read_bytes()
    tuning = Tuning.settle(CONNECT_FOUR, **SMALL[method])
    rng = random.Random(7)
    for number in range(4):
        torn = tmp_path / str(number)
        torn.mkdir()
        (torn / "games.journal").write_bytes(journal[: rng.randrange(len(journal))])
        run(torn, tuning)
        assert outcome(torn) == outcome(finished(method))


@pytest.mark.parametrize("method", SMALL)
def test_the_number_of_processes_changes_nothing(finished: Callable[[str], Path], tmp_path: Path, method: str) -> None:
    run(tmp_path, Tuning.settle(CONNECT_FOUR, **SMALL[method]), executor(2))
    assert outcome(tmp_path) == outcome(finished(method))


@pytest.mark.parametrize("method", SMALL)
def test_another_seed_comes_to_other_weights(finished: Callable[[str], Path], tmp_path: Path, method: str) -> None:
    run(tmp_path, Tuning.settle(CONNECT_FOUR, **SMALL[method], seed=1))
    assert outcome(tmp_path) != outcome(finished(method))


@pytest.mark.parametrize("method", SMALL)
def test_a_folder_of_another_tuning_is_refused_and_stays_as_it_is(
    finished: Callable[[str], Path], tmp_path: Path, method: str
) -> None:
    other = tmp_path / "start.json"
    game = forgeron.game(CONNECT_FOUR)
    write_weights(other, game.name, game.weight_names, np.array([1.0, 2.0]), "others")
    before = {file: file.read_bytes() for file in finished(method).rglob("*.*") if file.is_file()}
    with pytest.raises(ForgeronError, match=r"other settings \(start\)"):
        run(finished(method), Tuning.settle(CONNECT_FOUR, **SMALL[method], start=str(other)))
    assert {file: file.read_bytes() for file in before} == before


@pytest.mark.parametrize("method", SMALL)
def test_progress_counts_every_game_and_every_round(tmp_path: Path, method: str) -> None:
    tuning = Tuning.settle(CONNECT_FOUR, **SMALL[method])
    folder = TuningFolder(tmp_path, tuning)
    course = tune_by_evolution if method == "cma" else tune_by_regression
    with Journal(folder.journal, tuning.settings()) as journal:
        seen = list(course(tuning, folder, journal, in_this_process))
        assert [one.played for one in seen if len(one.rounds) == 0] == list(range(seen[0].total // 2 + 1))
        assert seen[-1].played == seen[-1].total == len(journal.records)
    assert [step.round for step in seen[-1].rounds] == [1, 2]
    data = json.loads((tmp_path / "weights.json").read_text())
    assert "seed 0" in data["note"]
    weights = read_weights(tmp_path / "weights.json", "connect-four", tuning.game.weight_names)
    assert weights == pytest.approx(seen[-1].rounds[-1].weights, rel=1e-5)


def test_openings_are_different_and_of_drawn_lengths() -> None:
    tuning = Tuning.settle("yolah", games=100, rounds=1)
    openings = random_openings(tuning.terms, 100)
    assert {len(opening) for opening in openings} == {4, 5, 6, 7, 8}
    assert len(set(openings)) == 100
    assert random_openings(Tuning.settle("yut", games=100).terms, 5) == [()] * 5


def test_positions_are_fitted_from_after_the_opening_to_where_a_player_saw_the_end(
    finished: Callable[[str], Path],
) -> None:
    game = forgeron.game(CONNECT_FOUR)
    tuning = Tuning.settle(CONNECT_FOUR, **SMALL["regression"])
    openings = random_openings(tuning.terms, 40)
    with Journal(finished("regression") / "games.journal", tuning.settings()) as journal:
        records = [journal.records[f"game-{i}"] for i in range(40)]
    cut = 0
    for opening, record in zip(openings, records, strict=True):
        assert record.moves[: len(opening)] == opening
        first, end = usable_plies(record, len(opening))
        assert first == len(opening) + 2
        notes = {note["ply"]: note["v"] for note in record.extra["notes"]}
        assert all(0 < notes[ply] < 1 for ply in range(first, end))
        cut += end < len(record.moves)
        rows = read_positions(game, record, len(opening))
        assert len(rows) == max(end - first, 0)
        positions = record.positions(game)
        for row, position in zip(rows, positions[first:end], strict=True):
            assert row[1] == (1 if position.turn == 0 else -1)
        for position, move, after in zip(positions[:-1], move_numbers(game, record), positions[1:], strict=True):
            assert position.push(move) == after
        assert points(record, 0) == {0: 1.0, 1: 0.0, None: 0.5}[record.winner]
    assert cut > 10, "most games end by a win that somebody saw coming"
    report = json.loads((finished("regression") / "report.json").read_text())
    used = [i for i in range(40) if i % 5 != 4]
    expected = sum(len(read_positions(game, records[i], len(openings[i]))) for i in used)
    assert report["rounds"][1]["measures"]["positions"] == expected


def test_games_have_luck_of_their_own_and_pairs_share_it() -> None:
    terms = Tuning.settle("yut", games=10).terms
    player = Entrant("one", player="greedy")
    seeds = [make_task(terms, f"game-{i}", (player, player), ()).seed for i in range(50)]
    assert len(set(seeds)) == 50
    pair = [make_task(terms, id, (player, player), (), "pair-1").seed for id in ("a", "b")]
    assert pair[0] == pair[1]
    other = Tuning.settle("yut", games=10, seed=1).terms
    assert make_task(other, "game-0", (player, player), ()).seed not in seeds


def test_a_game_is_either_fitted_to_or_kept_back() -> None:
    rows = {number: np.full((number % 3 + 1, 2), float(number)) for number in range(20)}
    used, held_out = split_by_game(rows, {number: number / 20 for number in range(20)})
    assert set(held_out.games) == {4, 9, 14, 19}
    assert set(used.games) == set(range(20)) - set(held_out.games)
    for sample in (used, held_out):
        assert (sample.features == sample.games[:, None]).all()
        assert sample.results == pytest.approx(sample.games / 20)


def test_the_proof_is_a_match_against_the_weights_it_began_with(tmp_path: Path) -> None:
    """Weights of the wrong sign make the worst player there is; one round of games is enough to see it."""
    game = forgeron.game(CONNECT_FOUR)
    wrong = tmp_path / "wrong.json"
    write_weights(wrong, game.name, game.weight_names, -game.weights(), "upside down")
    tuning = Tuning.settle(CONNECT_FOUR, games=120, rounds=1, nodes=60, start=str(wrong), l2=0.1)
    folder = TuningFolder(tmp_path / "out", tuning)
    last = run(folder.path, tuning).rounds[-1]
    assert last.weights[0] > 0 > tuning.weights[0]
    assert last.measures["loss after"] < last.measures["loss at first"]
    match = make_validation_match(folder, 40, "60n")
    with Journal(tmp_path / "match.journal", match.settings()) as journal:
        *_, standing = play_match(match, journal, in_this_process)
    save_validation(folder, match, standing)
    noted = json.loads((folder.path / "match.json").read_text())
    assert noted["games"] == 40
    assert noted["score"]["low"] > 0.5


def test_evolution_climbs_a_hill_that_it_sees_only_through_scores() -> None:
    top, scale = np.array([0.5, -3.0, 0.02]), np.array([1.0, 0.1, 30.0])
    strategy = EvolutionStrategy(np.zeros(3), scale, seed=3)
    for _ in range(60):
        strategy.tell([-float(np.sum(((one - top) * scale) ** 2)) for one in strategy.ask()])
    assert strategy.favourite == pytest.approx(top, abs=1e-2)


def test_evolution_is_deaf_to_random_numbers_that_others_draw() -> None:
    asked = []
    for noise in (1, 2):
        strategy = EvolutionStrategy(np.array([0.1, 0.2]), np.ones(2), seed=9)
        for _ in range(3):
            np.random.seed(noise)
            candidates = strategy.ask()
            strategy.tell([float(one[0]) for one in candidates])
        asked.append(np.array(candidates).tolist())
    assert asked[0] == asked[1]


def test_evolution_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(ForgeronError, match=r"pip install 'forgeron\[tune\]'"):
        EvolutionStrategy(np.zeros(2), np.ones(2), 0)


def test_a_game_that_a_player_of_ours_failed_stops_the_tuning() -> None:
    game = forgeron.game(CONNECT_FOUR)
    record = forgeron.Record.of(game, game.start(), (), reason="crash", winner=0, extra={"detail": "it fell over"})
    with pytest.raises(ForgeronError, match="game-3 of the tuning failed: it fell over"):
        check_played("game-3", record)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"method": "guess"}, "no method of tuning 'guess'"),
        ({"games": 9}, "needs 10 games a round or more, not 9"),
        ({"method": "cma", "games": 3}, "an even number such as 16, not 3"),
        ({"rounds": -1}, "rounds are 1 or more"),
        ({"nodes": 0}, "nodes a move are 1 or more"),
        ({"l2": 0.0}, "l2 must be more than 0"),
        ({"l2": float("inf")}, "l2 must be more than 0 and finite"),
        ({"player": "mcts"}, "player mcts does not judge by the game's evaluation"),
        ({"seed": -1}, "a seed is a number from 0"),
        ({"player": "random"}, "player random does not judge by the game's evaluation"),
        ({"player": "minmax"}, "did you mean 'minimax'"),
        ({"start": "nowhere.json"}, "there is no file 'nowhere.json'"),
        ({"opening_plies": -1}, "opening_plies is a number from 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ForgeronError, match=complaint):
        Tuning.settle(CONNECT_FOUR, **given)


def test_a_game_with_dice_is_tuned_for_a_player_that_plays_it() -> None:
    assert Tuning.settle("yolah").player == "minimax"
    assert Tuning.settle("yut").player in ("expectimax", "greedy")
    with pytest.raises(ForgeronError, match="player minimax does not play Yut Nori"):
        Tuning.settle("yut", player="minimax")
