"""The scripts of examples/ run, the game among them is right, and the tutorial quotes what is really there."""

from __future__ import annotations

import doctest
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import forgeron
from forgeron.core.game import Game
from forgeron.kernels.playout import play_many
from naive import connect_four as naive

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
GAME_FILE = EXAMPLES / "game_connect_four.py"
PLAYER_FILE = EXAMPLES / "player_mobility.py"
TUTORIAL = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
#: script → an argument that makes it short, and what it must say
SCRIPTS = {
    "play_a_game.py": ("50", r"(monte-carlo|greedy|nobody) wins \d+ to \d+\n$"),
    "count_results.py": ("2000", r"2,000 random games of Yolah\nblack wins +\d\d\.\d\d%\n"),
    "swapped_match.py": ("2", r"greedy scores [\d.]+ of 2 against monte-carlo: "),
    "yut_report.py": ("2", r"yut-report +57 %, 48–60 % +\d+% +[\d.]+% ± +[\d.]+% +(\d+%|–) +([\d.]+%|–)\n"),
}
#: An experiment, to be run and not copied.
LONGER = {"yut_report.py"}


@pytest.fixture(scope="module")
def connect_four() -> Game:
    return forgeron.game(str(GAME_FILE))


def test_every_example_is_run_by_the_tests() -> None:
    here = {GAME_FILE.name, PLAYER_FILE.name, *SCRIPTS}
    elsewhere = {"player_my_mcts.py"}  # tests/test_write_a_player.py
    assert {file.name for file in EXAMPLES.glob("*.py")} == here | elsewhere


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_runs_and_says_what_it_promises(name: str) -> None:
    argument, expected = SCRIPTS[name]
    environ = {**os.environ, "FORGERON_QUIET": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(EXAMPLES / name), argument]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, timeout=1200)
    assert done.returncode == 0, done.stderr
    assert re.search(expected, done.stdout), done.stdout
    assert not done.stderr


@pytest.mark.parametrize("name", sorted(SCRIPTS.keys() - LONGER))
def test_an_example_is_short_enough_to_copy(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) < 40


def test_the_player_among_the_examples_leaves_the_fewest_answers() -> None:
    game = forgeron.game("yolah")
    position = game.start().play("d5:b7")
    fewest = min(len(position.play(move).legal_moves()) for move in position.legal_moves())
    for ties in ("first", "last"):
        move = forgeron.player(str(PLAYER_FILE), game, ties=ties).choose(position, forgeron.Limit(nodes=1)).move
        assert len(position.play(move).legal_moves()) == fewest


def test_the_page_about_players_quotes_the_player_among_the_examples() -> None:
    code = PLAYER_FILE.read_text(encoding="utf-8").partition("from forgeron")
    assert f"```python\n{code[1]}{code[2]}```" in (ROOT / "docs" / "players.md").read_text(encoding="utf-8")


def test_connect_four_has_the_known_number_of_move_sequences(connect_four: Game) -> None:
    # The first six are powers of 7; a column of six can be full, and four in a row is possible, from the seventh on.
    known = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
    assert [connect_four.perft(connect_four.start(), depth) for depth in range(1, 10)] == known
    assert naive.perft(naive.empty(7), 6, 4) == known[3]


def test_connect_four_agrees_with_the_naive_rules_in_whole_games(connect_four: Game) -> None:
    rng = random.Random(7)
    winners = set()
    for _ in range(60):
        position, board = connect_four.start(), naive.empty(7)
        while position.turn is not None:
            assert list(position.moves) == naive.legal(board, 6)
            move = rng.choice(position.moves)
            position, board = position.push(move), naive.dropped(board, move)
        assert not naive.legal(board, 6)
        assert position.outcome is not None
        winner = position.outcome.winner
        assert naive.winner(board, 6) == (None if winner is None else "yr"[winner])
        winners.add(winner)
    assert winners >= {0, 1}


def test_connect_four_counts_late_positions_as_the_naive_rules_do(connect_four: Game) -> None:
    rng = random.Random(8)
    for plies in (14, 20, 26, 32):
        position, board = connect_four.start(), naive.empty(7)
        for _ in range(plies):
            quiet = [move for move in position.moves if position.push(move).turn is not None]
            if not quiet:
                break
            move = rng.choice(quiet)
            position, board = position.push(move), naive.dropped(board, move)
        assert connect_four.perft(position, 3) == naive.perft(board, 6, 3)


def test_random_connect_four_ends_as_it_is_known_to(connect_four: Game) -> None:
    tally = play_many(connect_four.start(), seed=1, games=200_000)
    assert tally.wins / tally.games == pytest.approx(0.556, abs=0.006)
    assert tally.plies / tally.games == pytest.approx(21.3, abs=0.1)


def test_connect_four_is_drawn_with_the_last_column_marked(connect_four: Game) -> None:
    position = connect_four.start().play("4").play("4").play("7")
    assert position.draw().splitlines() == [
        " 1  2  3  4  5  6 [7]",
        *[" ·  ·  ·  ·  ·  ·  ·"] * 4,
        " ·  ·  ·  ○  ·  ·  ·",
        " ·  ·  ·  ●  ·  ·  ●",
        " ● yellow   ○ red",
    ]


def test_a_full_column_and_a_column_that_is_not_there_are_different_errors(connect_four: Game) -> None:
    position = connect_four.start()
    for _ in range(6):
        position = position.play("4")
    with pytest.raises(
        forgeron.IllegalMoveError, match=r"illegal move '4' in position '.*': legal here: 1, 2, 3, 5, 6, 7"
    ):
        position.play("4")
    with pytest.raises(
        forgeron.NotationError, match="'8' is not a move of Connect Four; a move is written as the number"
    ):
        position.play("8")


def test_the_benchmark_prints_a_table() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "speed.py"), "--quick"]
    environ = {**os.environ, "FORGERON_QUIET": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, timeout=1200)
    assert done.returncode == 0, done.stderr
    head, rule, *rows = done.stdout.splitlines()
    assert (head, rule) == ("| what | best |", "|---|---|")
    assert len(rows) >= 7
    assert all(re.fullmatch(r"\| [^|]+ \| [\d,.]+[^|]* \|", row) for row in rows), done.stdout


def test_the_comparison_leaves_out_what_is_not_installed_and_says_so() -> None:
    code = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
sys.argv[1:] = ["--quick"]
sys.modules.update(dict.fromkeys(["pyspiel", "pgx", "pettingzoo", "easyAI", "chess"]))
runpy.run_path(sys.path[0] + "/peers.py", run_name="__main__")
"""
    command = [sys.executable, "-c", code, str(ROOT / "benchmarks")]
    environ = {**os.environ, "FORGERON_QUIET": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ, timeout=1200)
    assert done.returncode == 0, done.stderr
    for name in ("pyspiel", "pgx", "easyAI", "chess"):
        assert re.search(rf"(?m)^left out: .*{name}", done.stderr)
    head, _, *rows = done.stdout.splitlines()
    assert head.startswith("|")
    assert rows
    assert all("Forgeron" in row for row in rows)


def python_blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)


def test_every_line_of_the_game_is_in_the_tutorial() -> None:
    shown = "".join(python_blocks())
    told = {line for line in shown.splitlines() if line.strip()}
    missing = [line for line in GAME_FILE.read_text(encoding="utf-8").splitlines() if line.strip() and line not in told]
    assert not missing


def test_every_python_block_of_the_tutorial_is_in_the_game_or_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = GAME_FILE.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    quoted = run = 0
    for block in python_blocks():
        if not block.startswith(">>>"):
            assert block in game
            quoted += 1
            continue
        test = doctest.DocTestParser().get_doctest(block, names, "add-a-game.md", "add-a-game.md", 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        assert runner.failures == 0, "".join(report)
        names = test.globs
        run += 1
    assert quoted > 5
    assert run > 2
