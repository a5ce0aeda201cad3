"""The commands analyse and ablation, as people run them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

import forgeron
from forgeron.core.record import Record

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Terminal = Callable[..., Any]
MOVES = "d5:b7 e5:g7 e4:g2 d4:b2"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = forgeron.game("yolah")
    path = tmp_path / "game.json"
    Record.of(game, game.start(), tuple(MOVES.split()), players=("ann", "bob")).save(path)
    return path


def test_a_position_is_analysed_as_json(run: Run) -> None:
    done = run("analyse", "yolah", "--depth", "4", "--lines", "3", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["game"], data["turn"], data["depth"], data["player"]) == ("yolah", 0, 4, "minimax")
    assert len(data["lines"]) == 3
    position = forgeron.game("yolah").start()
    for line in data["lines"]:
        position.play(line["moves"][0])
        assert 0 <= line["value"] <= 1


def test_a_position_is_analysed_as_a_table(run: Run) -> None:
    token = str(forgeron.game("yolah").start().play("d5:b7"))
    done = run("analyse", "yolah", token, "--nodes", "2000")
    assert done.returncode == 0, done.stderr
    assert "white wins" in done.stdout
    assert "2,000 nodes" in done.stdout


def test_in_a_terminal_the_lines_appear_while_it_thinks(terminal: Terminal) -> None:
    child = terminal("analyse", "yolah", "--time", "3")
    child.expect("black wins")
    child.expect(r"depth [2-9]")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_ctrl_c_ends_an_analysis_and_keeps_what_was_found(terminal: Terminal) -> None:
    child = terminal("analyse", "yolah", "--time", "600")
    child.expect(r"depth [3-9]")
    child.sendintr()
    child.expect("stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_ctrl_c_keeps_what_a_player_found_that_tells_nothing_on_the_way(terminal: Terminal) -> None:
    child = terminal("analyse", "yolah", "--time", "600", "--player", "monte-carlo")
    child.expect("monte-carlo thinks")
    child.sendintr()
    child.expect("black wins")
    child.expect("stopped")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_whole_game_is_judged_and_drawn(run: Run, record: Path, tmp_path: Path) -> None:
    done = run("analyse", "yolah", str(record), "--nodes", "500", "--graph", str(tmp_path / "g.svg"))
    assert done.returncode == 0, done.stderr
    assert "ann – bob" in done.stdout
    assert "average loss" in done.stdout
    assert (tmp_path / "g.svg").read_text().startswith("<svg")
    again = run("analyse", "yolah", str(record), "--nodes", "500", "--json")
    data = json.loads(again.stdout)
    assert [one["move"] for one in data["moves"]] == MOVES.split()
    assert len(data["course"]) == 5
    assert [side["moves"] for side in data["sides"]] == [2, 2]


def test_plain_moves_are_judged_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text(f"{MOVES}\n")
    done = run("analyse", "yolah", str(tmp_path / "moves.txt"), "--nodes", "200", "--json")
    assert len(json.loads(done.stdout)["moves"]) == 4, done.stderr


def test_what_cannot_be_analysed_is_refused_clearly(refused: Callable[..., str], tmp_path: Path, record: Path) -> None:
    assert "and there is no file of that name" in refused("analyse", "yolah", "nonsense")
    assert "there is no file lost.json" in refused("analyse", "yolah", "lost.json")
    (tmp_path / "bad.json").write_text("{")
    assert "this is not a game record" in refused("analyse", "yolah", str(tmp_path / "bad.json"))
    assert "is a game of yolah, not of mancala" in refused("analyse", "mancala", str(record))
    assert "minimax does not play Yut Nori" in refused("analyse", "yut", "--player", "minimax")
    assert "--graph and --game need the file of a game" in refused("analyse", "yolah", "--graph", "x.svg")
    assert "ends in .svg or .png" in refused("analyse", "yolah", str(record), "--graph", "x.gif")
    assert "Input should be greater than or equal to 0.001" in refused("analyse", "yolah", "--time", "0")
    over = "bbwwxxxx/bbwwxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx:b:28:28"
    assert "the game is over" in refused("analyse", "yolah", over)
    assert "name one after a throw, such as '0,0,0,0/0,0,0,0:r:1'" in refused("analyse", "yut", "--nodes", "10")
    (tmp_path / "empty.txt").write_text("")
    assert "there is no game in it" in refused("analyse", "yolah", str(tmp_path / "empty.txt"))
    assert "Input should be less than or equal to 256" in refused("analyse", "yolah", "--threads", "100000")


def test_ablation_counts_fewer_nodes_with_each_exact_idea_that_prunes(run: Run) -> None:
    done = run("ablation", "mancala", "--depth", "4", "--games", "0", "--csv")
    assert done.returncode == 0, done.stderr
    rows = {row["step"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    exact = ["minimax", "alphabeta", "deepening", "table", "killers", "history", "pvs"]
    assert list(rows) == [*exact, "reductions", "full"]
    nodes = {step: int(row["nodes"]) for step, row in rows.items()}
    assert nodes["alphabeta"] < nodes["minimax"] / 2
    assert nodes["killers"] < nodes["table"] < nodes["deepening"]
    assert nodes["full"] <= nodes["reductions"] < nodes["pvs"]
    again = run("ablation", "mancala", "--depth", "4", "--games", "0", "--csv")
    assert [row["nodes"] for row in csv.DictReader(io.StringIO(again.stdout))] == [
        row["nodes"] for row in rows.values()
    ]


def test_ablation_plays_each_step_against_the_one_before(run: Run) -> None:
    done = run("ablation", "mancala", "--depth", "2", "--games", "2", "--time", "20n")
    assert done.returncode == 0, done.stderr
    assert "Elo over the last" in done.stdout
    assert done.stdout.count("/2") == 8


def test_ablation_of_a_game_with_dice_is_refused(refused: Callable[..., str]) -> None:
    assert "there is nothing to compare" in refused("ablation", "yut")
    assert "games are played in pairs" in refused("ablation", "yolah", "--games", "3")


@pytest.mark.parametrize("command", ["analyse", "ablation"])
def test_the_help_page_has_examples(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert f"forgeron {command}" in done.stdout.partition("Examples")[2]
