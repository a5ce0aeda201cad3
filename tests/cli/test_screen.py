"""What a small terminal shows while a game is played."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import termios
from collections.abc import Callable

import pytest
from rich.console import Console

import forgeron
from forgeron.cli.screen import Screen, keys_unseen
from forgeron.cli.session import Session, ThinkingBudget

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def small_screen() -> tuple[Screen, io.StringIO]:
    screen, printed = Screen(), io.StringIO()
    screen.console = Console(width=80, file=printed, force_terminal=True, color_system=None)
    return screen, printed


def session_of(name: str, moves: tuple[str, ...], **options: object) -> Session:
    game = forgeron.game(name, **options)
    return Session(game, game.start(), ("human", "human"), 1, ThinkingBudget(), moves)


def test_lines_end_between_words() -> None:
    screen, printed = small_screen()
    text = " ".join(["expects", "d5:b7"] * 20)
    screen.say(text)
    assert printed.getvalue().split() == text.split()
    assert all(len(line) <= 80 for line in printed.getvalue().splitlines())


def test_what_is_copied_is_left_as_it_is() -> None:
    screen, printed = small_screen()
    command = "forgeron analyse yolah " + "folder/" * 20 + "game.json"
    screen.say(command, as_it_is=True)
    assert printed.getvalue() == f"{command}\n"


def test_captures_are_told_in_words() -> None:
    screen, printed = small_screen()
    session = session_of("yut", ("t2", "s0:2", "t2", "s0:2"))
    screen.captures(session, 0)
    assert " ".join(printed.getvalue().split()) == "blue: gae: a new piece to 2, sends 1 piece back to the start"


def test_every_part_of_a_turn_is_marked() -> None:
    screen, printed = small_screen()
    session = session_of("yut", ("t4", "t2", "s0:4", "s4:2"))
    assert session.last_turn() == ["t4", "t2", "s0:4", "s4:2"]
    screen.board(session)
    marked = re.findall(r"\[(\d+)", printed.getvalue())
    assert marked == ["6", "4"]


@pytest.mark.parametrize("name", forgeron.game_names())
def test_the_first_board_of_every_game_fits_80_columns_and_24_rows(name: str) -> None:
    lines = forgeron.game(name).start().draw().splitlines()
    assert len(lines) <= 22
    assert max(map(len, lines)) <= 80


def test_keys_are_not_shown_while_a_player_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    try:
        with os.fdopen(slave, "r", closefd=False) as terminal:
            monkeypatch.setattr("sys.stdin", terminal)

            def shown() -> bool:
                return bool(termios.tcgetattr(slave)[3] & termios.ECHO)

            assert shown()
            with keys_unseen():
                assert not shown()
            assert shown()
    finally:
        os.close(master)
        os.close(slave)


def test_where_there_is_no_terminal_nothing_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with keys_unseen():
        pass


def test_a_match_won_in_every_game_claims_no_nonsense_elo(run: Run, tmp_path: object, monkeypatch: object) -> None:
    monkeypatch.chdir(tmp_path)  # type: ignore[attr-defined]
    done = run("match", "yolah", "greedy", "random", "--games", "4", "--time", "20n")
    assert "score 100.0%, Elo –" in done.stdout
    assert "inf" not in done.stdout
    assert "∞" not in done.stdout


def test_an_explanation_that_is_too_long_goes_on_below_itself() -> None:
    screen, printed = Screen(), io.StringIO()
    screen.console = Console(width=40, file=printed, force_terminal=True, color_system=None)
    screen.explain({"a move": "F6 (place), F6-F9 (move), xA2-E6 (take a row)", "hint [PLAYER]": "ask a player"})
    assert [line.rstrip() for line in printed.getvalue().splitlines()] == [
        "  a move        F6 (place), F6-F9",
        "                (move), xA2-E6 (take a",
        "                row)",
        "  hint [PLAYER] ask a player",
    ]
