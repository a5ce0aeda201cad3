"""`forgeron openings` and `forgeron suite` as people run them."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.arena import journal as journals
from forgeron.arena.openings import canonical

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(run: Run, *words: str) -> list[str]:
    done = run("openings", CONNECT_FOUR, "--out", "book.openings", "--nodes", "200", "--margin", "0.2", *words)
    assert done.returncode == 0, done.stderr
    assert "written: book.openings" in done.stdout
    lines = Path("book.openings").read_text().splitlines()
    return [line.partition("#")[0].strip() for line in lines if not line.startswith("#")]


def test_openings_are_balanced_and_distinct_and_the_same_again(run: Run) -> None:
    lines = write(run, "--count", "6")
    assert len(lines) == 6
    game = forgeron.game(CONNECT_FOUR)
    judge = forgeron.player("minimax", game)
    ends = []
    for line in lines:
        position = game.start()
        for token in line.split():
            position = position.play(token)
        assert len(line.split()) == 4
        value = judge.choose(position, forgeron.Limit(nodes=200)).value
        assert 0.1 < value < 0.9
        ends.append(canonical(position))
    assert len(set(ends)) == 6
    assert write(run, "--count", "6") == lines
    assert write(run, "--count", "6", "--seed", "1") != lines


def test_a_match_plays_each_opening_of_the_file_twice_and_a_tournament_takes_it_too(run: Run) -> None:
    lines = write(run, "--count", "4")
    words = ["--games", "8", "--time", "5n", "--openings", "book.openings", "--journal", "m.journal"]
    done = run("match", CONNECT_FOUR, "greedy", "random", *words)
    assert done.returncode == 0, done.stderr
    begun = Counter(" ".join(record.moves[:4]) for record in journals.read(Path("m.journal"))[1].values())
    assert begun == dict.fromkeys(lines, 2)
    assert run("results", "m.journal").returncode == 0
    Path("cup.toml").write_text(
        f'[event]\ngame = "{CONNECT_FOUR}"\ntime = "5n"\nopenings = "book.openings"\n'
        '[[entrant]]\nplayer = "random"\n[[entrant]]\nplayer = "greedy"\n'
    )
    done = run("tournament", "cup.toml")
    assert done.returncode == 0, done.stderr
    records = journals.read(Path("cup.journal"))[1].values()
    assert {" ".join(record.moves[:4]) for record in records} == {lines[0]}


def test_openings_that_do_not_fit_are_refused(run: Run, refused: Callable[..., str]) -> None:
    write(run, "--count", "2")
    words = ("--time", "5n", "--openings", "book.openings")
    assert "5 openings are needed, and there are 2" in refused(
        "match", CONNECT_FOUR, "random", "greedy", "--games", "10", *words
    )
    assert "openings of connect-four, not of yolah" in refused("match", "yolah", "random", "greedy", *words)
    Path("book.openings").write_text("1 2 9\n")
    assert "book.openings, line 1: " in refused("match", CONNECT_FOUR, "random", "greedy", *words)
    Path("book.openings").write_text("1 2\n2 3\n1 2\n")
    assert "line 3: this opening leads to the same" in refused("match", CONNECT_FOUR, "random", "greedy", *words)
    Path("book.openings").write_text("# nothing\n")
    assert "has no opening" in refused("match", CONNECT_FOUR, "random", "greedy", *words)
    assert "cannot read gone" in refused("match", "yolah", "random", "greedy", "--openings", "gone")
    said = refused("openings", CONNECT_FOUR, "--count", "60", "--plies", "1", "--margin", "0.5", "--out", "x")
    assert "ask for fewer, or for more plies" in said
    assert not Path("x").exists()


def test_a_suite_of_solved_endings_tells_who_sees_them(run: Run) -> None:
    made = run("suite", "e.suite", "--make", "--game", CONNECT_FOUR, "--count", "4", "--nodes", "3000")
    assert made.returncode == 0, made.stderr
    done = run("suite", "e.suite", "--game", CONNECT_FOUR, "--nodes", "3000", "--json")
    found = json.loads(done.stdout)
    assert (found["positions"], found["solved"], found["player"]) == (4, 4, "minimax")
    assert 0 < found["nodes"] <= 4 * 3000
    for attempt in found["attempts"]:
        position = forgeron.game(CONNECT_FOUR).parse(attempt["position"])
        assert set(attempt["best"]) < set(position.legal_moves())
        assert 2 * len(attempt["best"]) < len(position.moves)
    weak = run("suite", "e.suite", "--game", CONNECT_FOUR, "--player", "random", "--nodes", "1")
    assert "of 4 solved (" in weak.stdout
    assert weak.stdout.count("✓") + weak.stdout.count("✗") == 4


def test_a_suite_with_dice_has_the_moves_of_the_exact_values(run: Run) -> None:
    made = run("suite", "y.suite", "--make", "--game", "yut", "--count", "3")
    assert made.returncode == 0, made.stderr
    assert "by exact values" in Path("y.suite").read_text()
    found = json.loads(run("suite", "y.suite", "--nodes", "20000", "--json").stdout)
    assert (found["positions"], found["solved"], found["player"]) == (3, 3, "expectimax")
    for attempt in found["attempts"]:
        assert 2 * len(attempt["best"]) < len(forgeron.game("yut").parse(attempt["position"]).moves)


def test_what_is_no_suite_is_refused(refused: Callable[..., str]) -> None:
    Path("a.suite").write_text("hello\n")
    assert "a.suite is no suite" in refused("suite", "a.suite")
    Path("a.suite").write_text("# suite of yolah {}\nnonsense\n")
    assert "line 2: a line is 'POSITION best MOVE …'" in refused("suite", "a.suite")
    start = forgeron.game("yolah").start()
    Path("a.suite").write_text(f"# suite of yolah {{}}\n{start} best d5:d6 a1:h8\n")
    assert "a.suite, line 2: " in refused("suite", "a.suite")
    Path("a.suite").write_text("# suite of yolah {}\n")
    assert "has no positions" in refused("suite", "a.suite")
    assert "say of which game" in refused("suite", "new.suite", "--make")
    dice = str(Path(__file__).parent / "dice_race.py")
    assert "no exact values of dice-race are known" in refused("suite", "new.suite", "--make", "--game", dice)
