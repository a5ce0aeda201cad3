"""Each side with its own limit and threads, as people run it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from forgeron.arena import journal as journals

Run = Callable[..., "subprocess.CompletedProcess[str]"]
CONNECT_FOUR = str(Path(__file__).parent.parent.parent / "examples" / "game_connect_four.py")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def nodes_of(path: Path, name: str) -> list[int]:
    """How many nodes a player used for each of its moves that were thought about."""
    found = []
    for record in journals.read(path)[1].values():
        for note in record.extra["notes"]:
            if record.players[note["ply"] % 2] == name and note.get("n"):
                found.append(note["n"])
    return found


def test_each_side_of_a_match_may_have_its_own_time(run: Run, tmp_path: Path) -> None:
    done = run(
        *("match", CONNECT_FOUR, "monte-carlo", "monte-carlo:budget=equal", "--games", "4", "--journal", "m.journal"),
        *("--time-a", "200n", "--time-b", "5000n"),
    )
    assert done.returncode == 0, done.stderr
    weak, strong = (
        nodes_of(tmp_path / "m.journal", "monte-carlo"),
        nodes_of(tmp_path / "m.journal", "monte-carlo:budget=equal"),
    )
    assert 0 < max(weak) < 400 < 4000 < max(strong) < 6000
    records = journals.read(tmp_path / "m.journal")[1].values()
    assert {record.extra["time"] for record in records} == {"200n / 5000n", "5000n / 200n"}


def test_entrants_of_a_tournament_may_have_a_time_and_threads(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        f'[event]\ngame = "{CONNECT_FOUR}"\ntime = "100n"\n'
        '[[entrant]]\nname = "two"\nplayer = "minimax"\nthreads = 2\n'
        '[[entrant]]\nname = "strong"\nplayer = "minimax"\ntime = "3000n"\n'
        '[[entrant]]\nname = "plain"\nplayer = "minimax"\n'
    )
    done = run("tournament", "cup.toml")
    assert done.returncode == 0, done.stderr
    assert max(nodes_of(tmp_path / "cup.journal", "plain")) < 1000 < max(nodes_of(tmp_path / "cup.journal", "strong"))
    assert journals.read(tmp_path / "cup.journal")[0]["entrants"][0]["threads"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("greedy", "random", "--time-a", "x"), "entrant 'greedy': 'x' is not a time"),
        (("greedy", "random", "--threads-b", "0"), "Invalid value for '--threads-b'"),
        (("greedy", "python3 b.py", "--threads-b", "2"), "threads is for players; set an option of the program"),
    ],
)
def test_a_handicap_that_makes_no_sense_is_refused(
    refused: Callable[..., str], arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused("match", "yolah", *arguments)
