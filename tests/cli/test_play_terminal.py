"""A person at a terminal: everything that can be typed, and every way to leave."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from forgeron.core.record import Record

Terminal = Callable[..., Any]
PROMPT = "black> "


def exit_code(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.close()
    assert child.signalstatus is None
    code: int = child.exitstatus
    return code


@pytest.fixture
def child(terminal: Terminal) -> Any:
    """Black to move at the first position, against a player that always answers the same."""
    started = terminal("play", "yolah", "--second", "greedy", "--seed", "1")
    started.expect("black \\(human\\) against white \\(greedy\\)")
    started.expect(PROMPT)
    return started


def ask(child: Any, line: str, prompt: str = PROMPT) -> str:
    """Type a line; return what is printed up to the next prompt, without control sequences."""
    child.sendline(line)
    child.expect_exact(line)
    child.expect_exact(prompt)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", child.before)


def test_the_board_is_drawn_before_the_first_question(terminal: Terminal) -> None:
    child = terminal("play", "yolah", "--second", "greedy")
    child.expect_exact("8  ○  ·  ·  ·  ·  ·  ·  ●  8")
    child.expect_exact("black to move")
    child.expect_exact(PROMPT)


def test_an_impossible_move_is_explained_and_asked_again(child: Any) -> None:
    said = ask(child, "d5:d4")
    assert "d5:d4 cannot be played: d5 can go to a2, b3, c4" in said
    assert "3bw3" not in said  # no position token for people
    assert "no black piece stands on e5" in ask(child, "e5:e6")
    assert "w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0" in ask(child, "position")


def test_a_text_that_is_no_move_is_answered_with_how_to_write_one(child: Any) -> None:
    said = ask(child, "xyz")
    assert "'xyz' is not a Yolah move; write from:to" in said
    assert "'help' the commands" in said
    assert "did you mean 'moves'?" in ask(child, "mvoes")


def test_the_legal_moves_are_listed_on_demand(child: Any) -> None:
    said = ask(child, "moves")
    assert "56 legal moves:" in said
    tokens = re.findall(r"[a-h][1-8]:[a-h][1-8]", said)
    assert len(set(tokens)) == len(tokens) == 56
    assert max(map(len, said.splitlines())) <= 100


def test_help_names_every_command(child: Any) -> None:
    said = ask(child, "help")
    for word in ("moves", "undo", "hint", "board", "position", "save FILE", "load FILE", "resign", "quit"):
        assert word in said


def test_a_hint_names_a_legal_move_and_how_good_it_is(child: Any) -> None:
    tokens = re.findall(r"[a-h][1-8]:[a-h][1-8]", ask(child, "moves"))
    found = re.search(r"greedy would play (\S+)   \d+% to win, 56 nodes", ask(child, "hint"))
    assert found
    assert found[1] in tokens
    assert "monte-carlo would play" in ask(child, "hint monte-carlo")
    assert "there is no player 'nobody'" in ask(child, "hint nobody")


def test_undo_goes_back_to_the_turn_before(child: Any) -> None:
    assert "nothing to undo" in ask(child, "undo")
    said = ask(child, "d5:b7")
    assert re.search(r"white \(greedy\) plays \S+   \d+% to win, \d+ nodes, \d+\.\d\d s", said)
    after_one = ask(child, "position")
    ask(child, "a1:b1")
    assert ask(child, "position") != after_one
    ask(child, "undo")
    assert ask(child, "position") == after_one
    ask(child, "undo")
    assert "w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0" in ask(child, "position")


def test_a_saved_game_is_loaded_again_and_the_other_one_is_kept(child: Any, tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    ask(child, "d5:b7")
    saved = ask(child, "position")
    assert f"saved to {file}" in ask(child, f"save {file}")
    ask(child, "a1:b1")
    assert "is saved in" in ask(child, f"load {file}").replace("\n", "")
    assert ask(child, "position") == saved
    (kept,) = (tmp_path / "data" / "games").glob("yolah-*.json")
    assert Record.load(kept).moves[2] == "a1:b1"
    assert "cannot read" in ask(child, "load nothing.json")
    assert "cannot write" in ask(child, f"save {tmp_path}/no/folder/game.json")
    assert ask(child, "position") == saved


def test_resigning_ends_the_game(child: Any) -> None:
    ask(child, "d5:b7")
    child.sendline("resign")
    child.expect_exact("Resign this game? y or n: ")
    assert "The game goes on." in ask(child, "n")
    child.sendline("resign")
    child.expect_exact("Resign this game? y or n: ")
    child.sendline("y")
    child.expect_exact("white (greedy) wins (black 1, white 1): black resigns")
    assert exit_code(child) == 0


def test_quitting_says_how_to_go_on_and_that_works(child: Any, terminal: Terminal) -> None:
    ask(child, "d5:b7")
    position = ask(child, "position")
    child.sendline("quit")
    child.expect(r"forgeron (play yolah --load [^\r\n]+)")
    command = shlex.split(child.match[1])
    assert exit_code(child) == 0
    again = terminal(*command)
    again.expect_exact("black (human) against white (greedy)")
    again.expect_exact(PROMPT)
    assert ask(again, "position") == position


def test_ctrl_d_leaves_and_keeps_the_game(child: Any, tmp_path: Path) -> None:
    ask(child, "d5:b7")
    child.sendeof()
    child.expect_exact("The game is saved.")
    assert exit_code(child) == 0
    (kept,) = (tmp_path / "data" / "games").glob("yolah-*.json")
    record = Record.load(kept)
    assert record.moves[0] == "d5:b7"
    assert record.players == ("human", "greedy")
    assert record.reason == "unfinished"


def test_ctrl_c_at_the_prompt_leaves_with_130_and_keeps_the_game(child: Any, tmp_path: Path) -> None:
    ask(child, "d5:b7")
    child.sendintr()
    child.expect_exact("The game is saved.")
    assert exit_code(child) == 130
    assert "Traceback" not in child.before
    assert len(list((tmp_path / "data" / "games").glob("yolah-*.json"))) == 1


def test_ctrl_c_while_a_player_thinks_leaves_with_130_and_keeps_the_game(terminal: Terminal, tmp_path: Path) -> None:
    child = terminal("play", "yolah", "--second", "monte-carlo", "--time", "3600")
    child.expect_exact(PROMPT)
    child.sendline("d5:b7")
    child.expect(r"white \(monte-carlo\) thinks … 0\.\d of 3600 s")
    child.sendintr()
    child.expect_exact("The game is saved.")
    assert exit_code(child) == 130
    (kept,) = (tmp_path / "data" / "games").glob("yolah-*.json")
    assert Record.load(kept).moves == ("d5:b7",)


def test_leaving_before_the_first_move_keeps_nothing(child: Any, tmp_path: Path) -> None:
    child.sendeof()
    assert exit_code(child) == 0
    assert not (tmp_path / "data").exists()


def test_a_game_can_be_continued_where_it_was_left_by_its_token(terminal: Terminal) -> None:
    token = "w6b/1b6/8/3xw3/2wxb3/8/8/b6w:b:1:1"
    child = terminal("play", "yolah", "--position", token)
    child.expect_exact(PROMPT)
    assert token in ask(child, "position")


def test_tab_completes_a_move(child: Any) -> None:
    child.send("h8:f\t")  # h8:f6 and h8:f8
    child.send("6\n")
    child.expect(r"white \(greedy\) plays")
    child.send("posi\t\n")
    child.expect_exact("/")
