"""Games without a terminal: two players, a person whose moves come from a file, dice."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import forgeron
from forgeron.core.record import Record

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RACE = str(Path(__file__).parent / "dice_race.py")


def test_two_players_play_the_same_game_for_a_seed_and_nodes(run: Run) -> None:
    arguments = ("play", "yolah", "--first", "greedy", "--second", "monte-carlo", "--nodes", "300", "--quiet", "--seed")
    first, again, other = (run(*arguments, seed) for seed in ("7", "7", "8"))
    assert first.returncode == 0
    assert first.stdout == again.stdout != other.stdout


def test_quiet_prints_the_moves_of_a_whole_game_and_its_result(run: Run) -> None:
    done = run("play", "yolah", "--first", "greedy", "--second", "random", "--nodes", "1", "--quiet", "--seed", "3")
    *moves, result = done.stdout.splitlines()
    position = forgeron.game("yolah").start()
    for move in moves:
        position = position.play(move)
    outcome = position.outcome
    assert outcome is not None
    assert f"(black {outcome.scores[0]}, white {outcome.scores[1]})" in result
    winner = {0: "black (greedy) wins", 1: "white (random) wins", None: "draw"}[outcome.winner]
    assert result.startswith(winner)


def test_two_players_are_shown_with_a_board_after_each_move(run: Run) -> None:
    done = run("play", "yolah", "--first", "greedy", "--second", "greedy", "--seed", "3")
    moves = re.findall(r"^(?:black|white) \(greedy\) plays \S+ .*", done.stdout, re.MULTILINE)
    assert done.stdout.count("    a  b  c  d  e  f  g  h") == 2 * (len(moves) + 1)
    assert "\x1b" not in done.stdout


def test_moves_can_come_from_a_pipe_and_the_end_of_it_leaves(run: Run, tmp_path: Path) -> None:
    done = run("play", "yolah", "--second", "greedy", typed="d5:b7\nposition\n")
    assert done.returncode == 0
    assert "black> d5:b7\n" in done.stdout
    assert "The game is kept." in done.stdout
    assert len(list((tmp_path / "data" / "games").iterdir())) == 1


def test_two_people_can_play_and_undo_one_ply_at_a_time(run: Run) -> None:
    typed = "d5:b7\ne5:e6\nundo\nposition\n"
    done = run("play", "yolah", "--second", "human", typed=typed)
    assert "white> position\nw6b/1b6/8/3xw3/3wb3/8/8/b6w:w:1:0\n" in done.stdout


def test_a_finished_game_is_saved_with_its_result(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--first", "greedy", "--second", "random", "--seed", "3", "-q", "--save", str(file))
    record = Record.load(file)
    assert record.players == ("greedy", "random")
    assert record.seed == 3
    outcome = record.positions(forgeron.game("yolah"))[-1].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.scores) == (record.winner, record.scores)


def test_a_resigned_game_is_saved_with_its_winner(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--second", "greedy", "--save", str(file), typed="resign\n")
    record = Record.load(file)
    assert (record.winner, record.reason) == (1, "black resigns")


def test_a_loaded_game_goes_on_with_other_players_when_they_are_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "yolah", "--second", "greedy", typed=f"d5:b7\nsave {file}\n")
    done = run("play", "yolah", "--load", str(file), "--first", "random", "--second", "random", "-q", "--seed", "1")
    record = Record.load(file)
    position = record.positions(forgeron.game("yolah"))[-1]
    for move in done.stdout.splitlines()[:-1]:
        position = position.play(move)
    assert position.turn is None


def test_the_program_throws_the_dice_from_the_seed(run: Run, tmp_path: Path) -> None:
    arguments = ("play", RACE, "--first", "random", "--second", "random", "--quiet", "--seed")
    games = {run(*arguments, str(seed)).stdout for seed in range(3)}
    assert len(games) > 1
    assert run(*arguments, "0").stdout in games
    for text in games:
        *tokens, result = text.splitlines()
        position = forgeron.game(RACE).start()
        for token in tokens:
            position = position.play(token)
        assert position.turn is None
        assert result.endswith(": both runners are home")


def test_a_throw_is_announced_and_undoing_does_not_change_it(run: Run) -> None:
    typed = "left\nundo\nleft\n"
    done = run("play", RACE, "--second", "human", "--seed", "5", typed=typed)
    throws = re.findall(r"^(red|blue) \(human\) throws (\w+) \(33%\)$", done.stdout, re.MULTILINE)
    assert throws[0][0] == "red"
    assert throws[1] == throws[2]
    assert "red 0 0  blue 0 0  thrown " in done.stdout


def test_options_and_presets_reach_the_game(run: Run) -> None:
    lengths = {}
    for options in ((), ("--preset", "short"), ("-o", "goal=9")):
        done = run("play", RACE, "--first", "random", "--second", "random", "--quiet", "--seed", "2", *options)
        lengths[options] = len(done.stdout.splitlines())
    assert lengths[("--preset", "short")] < lengths[()] < lengths[("-o", "goal=9")]


def test_a_saved_game_keeps_its_options(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    run("play", RACE, "--second", "human", "-o", "goal=9", typed=f"left\nsave {file}\n")
    assert json.loads(file.read_text())["options"] == {"goal": 9}
    done = run("play", RACE, "--load", str(file), typed="position\n")
    assert "dice-race[goal=9]" in done.stdout


def test_the_only_move_is_played_by_an_empty_line(run: Run) -> None:
    # red's left runner is home, the right one has to run: hexadecimal fields of the state
    done = run("play", RACE, "--second", "human", "--position", "6:0:0:0:1:0:6", typed="\nposition\n")
    assert "there is only one move, right; an empty line plays it" in done.stdout
    assert "red 6 1  blue 0 0" in done.stdout


def test_a_finished_game_that_is_loaded_shows_its_result(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.json"
    played = run("play", RACE, "--first", "random", "--second", "random", "--seed", "3", "-q", "--save", str(file))
    shown = run("play", RACE, "--load", str(file))
    assert shown.stdout.splitlines()[-1] == played.stdout.splitlines()[-1]
