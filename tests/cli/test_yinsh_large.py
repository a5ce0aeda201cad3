"""YINSH with N = 7, as the course's judge allows it, at the command line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_games_on_the_largest_board_are_played_listed_and_ranked(
    call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(
        '[event]\ngame = "yinsh"\noptions = { N = 7, K = 4 }\ntime = "1n"\n'
        '[[entrant]]\nname = "ann"\nplayer = "random"\n[[entrant]]\nname = "bob"\nplayer = "random"\n'
    )
    done = call("tournament", "cup.toml", columns=80)
    assert done.returncode == 0, done.stderr
    assert "Ranking by classes" in done.stdout
    results = forgeron.read_results("cup.journal")
    game = results.event.terms.open_game()
    assert str(game) == "yinsh[N=7,K=4]"
    for one in results.games:
        end = one.record.positions(game)[-1]
        assert end.outcome is not None
        assert end.outcome.winner == one.record.winner


def test_the_protocol_of_the_course_says_the_size_of_the_board(run: Run) -> None:
    bot = ("bot", "yinsh", "--protocol", "yinsh", "--preset", "course", "--player", "random")
    done = run(*bot, typed="1 7 120 5\nP 7 1\nP 7 2\n")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["P", "P", "P"]
    refused = run(*bot, typed="1 8 120 5\n")
    assert "option N cannot be '8'; it is one of 3 … 7" in refused.stderr
