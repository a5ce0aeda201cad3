"""The commands that measure and list, and what every command does with a mistake."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

import forgeron

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RACE = str(Path(__file__).parent / "dice_race.py")
TOKEN = "w6b/1b6/8/3xw3/2wxb3/8/8/b6w:b:1:1"

Terminal = Callable[..., Any]
Refused = Callable[..., str]


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_version_is_that_of_the_package(run: Run) -> None:
    assert run("--version").stdout == f"forgeron {forgeron.__version__}\n"


@pytest.mark.parametrize("command", [(), ("games",), ("play",), ("perft",), ("bench",), ("warmup",)])
def test_every_help_page_has_examples(run: Run, command: tuple[str, ...]) -> None:
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "Usage: forgeron" in done.stdout
    assert f"forgeron {command[0] if command else 'play yolah'}" in done.stdout.partition("Examples")[2]


def test_help_and_version_do_not_wait_for_numpy_and_numba(run_python: Run) -> None:
    code = """
import sys
sys.argv = ["forgeron", {flag!r}]
from forgeron.cli.main import main
try:
    main()
except SystemExit:
    pass
print([name for name in ("numpy", "numba", "forgeron.core", "platformdirs"{more}) if name in sys.modules])
"""
    assert run_python(code.format(flag="--help", more="")).stdout.splitlines()[-1] == "[]"
    assert run_python(code.format(flag="--version", more=", 'rich'")).stdout.splitlines()[-1] == "[]"


def test_games_lists_every_game_and_every_player(run: Run) -> None:
    done = run("games")
    words = done.stdout.split()
    for name in [*forgeron.game_names(), *forgeron.player_names()]:
        assert name in words


def test_one_game_is_shown_with_options_presets_notation_and_board(run: Run) -> None:
    shown = run("games", RACE).stdout
    for text in ("Dice Race (dice-race)", "red moves first", "left or right", "goal", "2 … 9", "short: goal=2"):
        assert text in shown
    yolah = run("games", "yolah").stdout
    assert forgeron.game("yolah").start().draw() in yolah
    assert "w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0" in yolah


def test_perft_prints_a_depth_a_line(run: Run) -> None:
    table = rows(run("perft", "yolah", "3").stdout)
    assert [row[:2] for row in table[1:]] == [["1", "56"], ["2", "2,988"], ["3", "164,512"]]


def test_perft_without_bulk_counts_the_games_that_end(run: Run) -> None:
    table = rows(run("perft", RACE, "4", "--no-bulk", "--preset", "short").stdout)
    game = forgeron.game(RACE, preset="short")
    for depth in (1, 2, 3, 4):
        counted = game.count(game.start(), depth)
        assert [table[depth][1], table[depth][-1]] == [f"{counted.leaves:,}", f"{counted.ended:,}"]


def test_perft_divides_by_the_first_move(run: Run) -> None:
    table = rows(run("perft", "yolah", "2", "--divide").stdout)
    game = forgeron.game("yolah")
    assert {move: int(leaves.replace(",", "")) for move, leaves in table[:-1]} == game.divide(game.start(), 2)
    assert table[-1] == ["total", "2,988"]


def test_perft_begins_at_a_position(run: Run) -> None:
    game = forgeron.game("yolah")
    table = rows(run("perft", "yolah", "2", "--position", TOKEN).stdout)
    assert table[-1][1] == f"{game.perft(game.parse(TOKEN), 2):,}"


def test_the_signature_of_bench_is_the_same_in_every_run(run: Run) -> None:
    data = json.loads(run("bench", "yolah", "--json").stdout)
    counts = {item["item"]: item["count"] for item in data["games"]["yolah"]}
    assert data["signature"] == sum(counts.values())
    assert counts["perft 4"] == counts["perft 4, no bulk"] == 8_655_628
    assert counts["random games, 1 thread"] == counts["random games, 2 threads"]
    assert run("bench", "yolah").stdout.splitlines()[-1] == f"signature {data['signature']}"


def test_warmup_leaves_nothing_to_compile_for_any_command(run: Run, tmp_path: Path) -> None:
    cache = {"FORGERON_CACHE_DIR": str(tmp_path / "cache"), "FORGERON_QUIET": "0"}
    first = run("warmup", RACE, **cache).stdout
    assert "query state for dice-race" in first
    assert " compiled in " in first
    assert "nothing to compile" not in first
    again = run("warmup", RACE, **cache)
    assert again.stdout.startswith("nothing to compile")
    assert "dice-race: expectimax\n" in again.stderr, "it says what it is at, also where nothing is compiled"
    assert run("perft", RACE, "3", **cache).stderr == ""
    assert run("play", RACE, "--first", "greedy", "--nodes", "50", "--seed", "1", **cache).stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "yola"), "there is no game 'yola'; did you mean 'yolah'?"),
        (("play", "missing.py"), "there is no file"),
        (("play", "yolah", "-o", "size=3"), "there is no option of yolah 'size'; valid: (none)"),
        (("play", "yolah", "-o", "preset=x"), "there is no option of yolah 'preset'; valid: (none)"),
        (("play", RACE, "-o", "gaol=3"), "there is no option of dice-race 'gaol'; did you mean 'goal'? valid: goal"),
        (("play", RACE, "-o", "goal=77"), "option goal cannot be '77'; it is one of 2 … 9"),
        (("play", RACE, "-o", "goal"), "is written key=value, not 'goal'; valid keys: goal"),
        (("play", RACE, "--preset", "long"), "there is no preset of dice-race 'long'; valid: short"),
        (("play", "yolah", "--second", "montecarlo"), "did you mean 'monte-carlo'?"),
        (("play", "yolah", "--second", "monte-carlo:budget=x"), "option budget cannot be 'x'; it is one of ucb, equal"),
        (
            ("play", "yolah", "--second", "monte-carlo:x=1"),
            "there is no option of player monte-carlo 'x'; valid: budget",
        ),
        (("play", "yolah", "--time", "0"), "'--time': Input should be greater than or equal to 0.001"),
        (("play", "yolah", "--threads", "0"), "'--threads': Input should be greater than or equal to 1"),
        (("play", "yolah", "--seed", "-1"), "'--seed': Input should be greater than or equal to 0"),
        (("play", "yolah", "--position", "nonsense"), "'nonsense' is not a Yolah position"),
        (("play", "yolah", "--load", "missing.json"), "cannot read missing.json: No such file or directory"),
        (("play", "yolah", "--load", RACE), "this is not a game record"),
        (("perft", "yola", "3"), "there is no game 'yola'"),
        (("perft", "yolah", "0", "--divide"), "give a depth of 1 or more"),
        (("bench", "yola"), "there is no game 'yola'"),
        (("warmup", "yola"), "there is no game 'yola'"),
        (("games", "yola"), "there is no game 'yola'"),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    refused: Refused, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(*arguments)


def test_a_mistake_in_a_process_of_its_own_has_no_traceback(run: Run) -> None:
    done = run("play", "yola")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: there is no game 'yola'; did you mean 'yolah'? valid: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "this record is a game of chess, not of yolah"),
        ({"rules": 99}, "played by version 99 of the rules"),
        ({"moves": ["d5:d4"]}, "illegal move 'd5:d4'"),
        ({"moves": [5]}, "moves cannot have such a value"),
        ({"options": []}, "options cannot have such a value"),
        ({"format": 9}, "this record has format 9"),
        ({"players": ["human", "nobody"]}, "there is no player 'nobody'"),
    ],
)
def test_a_record_that_cannot_be_played_on_is_refused_with_the_reason(
    refused: Refused, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    game = forgeron.game("yolah")
    record = json.loads(forgeron.Record.of(game, game.start(), ("d5:b7",)).to_json())
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**record, **change}))
    assert message in refused("play", "yolah", "--load", str(file))


def test_ctrl_c_ends_a_count_that_would_take_days(terminal: Terminal) -> None:
    child = terminal("perft", "yolah", "12")
    child.expect_exact("8,655,628")
    child.sendintr()
    child.expect_exact("interrupted")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
