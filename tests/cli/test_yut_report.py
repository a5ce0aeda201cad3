"""The player of the Yut report and its options, as people run it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.arena import journal as journals

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ANY = forgeron.Limit(nodes=1)


def test_a_match_plays_the_report_s_player_with_its_options(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = "yut-report:depth=3,cast_depth=2,capture_bonus=0.5,landing_penalty=0"
    done = run("match", "yut", written, "yut-report", "--games", "2", "--time", "1n", "--journal", "m.journal")
    assert done.returncode == 0, done.stderr
    game = forgeron.game("yut")
    plain = forgeron.player("yut-report", game)
    other = forgeron.player("yut-report", game, depth=3, cast_depth=2, capture_bonus=0.5, landing_penalty=0)
    differing = 0
    for record in journals.read(Path("m.journal"))[1].values():
        seat = record.players.index("yut-report")
        position = game.start()
        for move in record.moves:
            if position.turn in (0, 1):
                mover = plain if position.turn == seat else other
                assert move == mover.choose(position, ANY).move
                differing += plain.choose(position, ANY).move != other.choose(position, ANY).move
            position = position.play(move)
    assert differing > 5


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("depth=5", "option depth cannot be '5'; it is one of 1 … 4"),
        ("landing_penalty=-0.01", "option landing_penalty cannot be '-0.01'; it is a number from 0"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(run: Run, option: str, said: str) -> None:
    done = run("match", "yut", f"yut-report:{option}", "yut-random", "--games", "2")
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
