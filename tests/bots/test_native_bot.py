"""Our players as bots of the native protocol, typed at and refereed."""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import BuiltIn
from forgeron.bots.faults import Reason
from forgeron.bots.native_bot import NativeBot
from forgeron.bots.native_host import NativeHost
from forgeron.bots.process import BotProcess
from forgeron.bots.protocols import protocol_names
from forgeron.core.errors import OptionError
from forgeron.core.record import Record


def talk(*lines: str, player: str = "greedy") -> list[str]:
    out = io.StringIO()
    NativeBot(forgeron.game("yolah"), player, out=out).run(f"{line}\n" for line in lines)
    return out.getvalue().splitlines()


def test_the_handshake_names_the_bot_and_its_games() -> None:
    said = talk("ugi")
    assert said[0].startswith("id name forgeron")
    assert any(line.startswith("games ") and "yolah" in line.split() for line in said)
    assert said[-1] == "ugiok"


def test_it_is_ready_for_a_new_game_and_finds_a_move() -> None:
    said = talk("newgame yolah", "isready", "position startpos moves d5:b7 e5:f5", "go nodes 100")
    assert said[0] == "readyok"
    assert said[1].startswith("info depth 1 nodes ")
    assert said[2].startswith("bestmove ")
    assert said[2].split()[1] in forgeron.game("yolah").start().play("d5:b7").play("e5:f5").legal_moves()


def test_thinking_without_end_is_ended_by_stop() -> None:
    assert talk("go infinite", "stop", player="monte-carlo")[-1].startswith("bestmove ")


def test_a_limit_that_a_player_cannot_keep_still_gets_a_move() -> None:
    """Flat Monte Carlo counts no plies: a referee that waits for a move must get one all the same."""
    said = talk("go depth 3", "stop", player="monte-carlo")
    assert said[0].startswith("info string ")
    assert said[-1].split()[0] == "bestmove"
    assert said[-1].split()[1] in forgeron.game("yolah").start().legal_moves()


def test_a_player_that_fails_gives_the_first_legal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no idea")

    monkeypatch.setattr("forgeron.players.greedy.GreedyPlayer.choose", fail)
    said = talk("go nodes 10", "isready")
    assert "info string error: ZeroDivisionError: no idea" in said
    assert f"bestmove {forgeron.game('yolah').start().legal_moves()[0]}" in said


def test_a_person_can_draw_list_count_and_ask() -> None:
    said = talk("d", "moves", "perft 2", "help", "eval")
    assert " ● black 0   ○ white 0   black to move" in said
    assert "total 2988" in said
    assert any(line.startswith("a1:b1 a1:c1") for line in said)
    assert any(line.startswith("setoption name X value Y") for line in said)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("setoption name budget", "info string error: write 'setoption name X value Y'"),
        (
            "setoption name speed value 3",
            "info string error: there is no option of player greedy 'speed'; valid: eval",
        ),
        ("hello", "info string unknown command 'hello'; 'help' lists them"),
        ("position there", "info string error: write 'position startpos …' or 'position pos TOKEN …'"),
        ("position startpos moves a9:b1", "info string error: 'a9:b1' is not a Yolah move"),
        ("go", "info string error: 'go' needs movetime"),
        ("newgame chess", "info string error: there is no game 'chess'"),
    ],
)
def test_a_line_that_cannot_be_done_is_answered_and_nothing_breaks(line: str, answer: str) -> None:
    said = talk(line, "isready")
    assert said[0].startswith(answer)
    assert said[-1] == "readyok"


def test_a_whole_game_between_a_bot_process_and_a_player_here() -> None:
    game = forgeron.game("yolah")
    code = (
        "import sys, forgeron; from forgeron.bots.native_bot import NativeBot;"
        "NativeBot(forgeron.game('yolah'), 'monte-carlo').run(sys.stdin)"
    )
    process = NativeHost("process", [sys.executable, "-c", code], startup_seconds=60)
    here = BuiltIn("here", forgeron.player("greedy", game))
    try:
        record = Referee(game, (process, here), TimeControl(move_nodes=50)).play()
    finally:
        process.close()
    assert record.reason in ("win", "draw")
    assert record.positions(game)[-1].scores == record.scores
    assert [note["n"] for note in record.extra["notes"] if note["ply"] == 0] == [50]
    assert process.identity["name"].startswith("forgeron")


def test_times_are_read_and_wrong_ones_refused() -> None:
    assert TimeControl.parse("0.25").move_seconds == 0.25
    assert TimeControl.parse("60+1").increment_seconds == 1
    assert TimeControl.parse("500n").move_nodes == 500
    assert TimeControl.parse("0.25cpu") == TimeControl(move_seconds=0.25, cpu=True)
    assert TimeControl.parse("60+1cpu") == TimeControl(base_seconds=60, increment_seconds=1, cpu=True)
    for text in ("0.25", "60+1", "500n", "0.25cpu", "60+1cpu"):
        assert str(TimeControl.parse(text)) == text
    for text in ("", "fast", "-1", "0", "1+", "0n", "1e3", "0cpu", "cpu", "1000ncpu", "1 cpu"):
        with pytest.raises(OptionError):
            TimeControl.parse(text)


def test_a_clock_runs_down_and_gains_its_increment() -> None:
    clocks = Clocks(TimeControl.parse("10+0.5"))
    clocks.spend(0, 4.0)
    assert clocks.left == [6.5, 10.0]
    assert clocks.allowed(0) == 6.5
    assert 0 < (clocks.limit(0).seconds or 0) < 6.5


def test_a_bot_that_does_not_know_the_rules_is_sent_the_legal_moves() -> None:
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word, *rest = line.split()\n"
        "    if word == 'ugi': print('option name legal type check\\nugiok', flush=True)\n"
        "    if word == 'isready': print('readyok', flush=True)\n"
        "    if word == 'legal': legal = rest\n"
        "    if word == 'go': print('bestmove', legal[-1], flush=True)\n"
        "    if word == 'quit': break\n"
    )
    game = forgeron.game("yolah")
    ignorant = NativeHost("ignorant", [sys.executable, "-c", code])
    here = BuiltIn("here", forgeron.player("random", game))
    try:
        record = Referee(game, (ignorant, here), TimeControl(move_seconds=20)).play()
    finally:
        ignorant.close()
    assert record.reason in ("win", "draw")
    assert all(position.legal_moves()[-1] == move for position, move in _of_the_first(record, game))


def _of_the_first(record: Record, game: forgeron.Game) -> list[tuple[forgeron.Position, str]]:
    positions = record.positions(game)
    return [(positions[i], move) for i, move in enumerate(record.moves) if positions[i].turn == 0]


def test_a_bot_is_told_its_fault_before_it_goes() -> None:
    code = (
        "import sys\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'error': print('heard', line, file=sys.stderr, flush=True)\n"
        "    answer = {'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove h1:h9'}.get(word)\n"
        "    if answer: print(answer, flush=True)\n"
        "    if word == 'quit': break\n"
    )
    game = forgeron.game("yolah")
    wrong = NativeHost("wrong", [sys.executable, "-c", code])
    record = Referee(
        game, (wrong, BuiltIn("here", forgeron.player("random", game))), TimeControl(move_seconds=20)
    ).play()
    assert record.reason == "illegal"
    assert "heard error illegal 'h1:h9' is no move of Yolah" in record.extra["stderr"]


def test_the_page_of_the_protocol_names_every_protocol_reason_and_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    for word in [*protocol_names(), *(reason for reason in Reason if reason not in ("win", "draw", "resign"))]:
        assert f"`{word}`" in page, word
    commands = [name.removeprefix("_do_") for name in dir(NativeBot) if name.startswith("_do_")]
    assert [command for command in commands if not re.search(rf"`{command}\b", page)] == []
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == [str(i) for i in range(1, 31)]


@pytest.mark.parametrize("line", ["setoption name budget value equal", "eval", "newgame yolah"])
def test_a_bot_that_thinks_without_end_still_hears(line: str) -> None:
    said = talk("go infinite", line, "isready", player="monte-carlo")
    assert any(answer.startswith("bestmove ") for answer in said)
    assert said[-1] == "readyok"


def test_a_conversation_is_shown_line_by_line_also_where_lines_were_sent_together() -> None:
    process = BotProcess(["cat"])
    try:
        process.send("position startpos\ngo movetime 100", time.monotonic() + 60)
        assert process.receive(time.monotonic() + 60) == "position startpos"
        assert process.transcript == ["→ position startpos", "→ go movetime 100", "← position startpos"]
    finally:
        process.close(hang_up=True)
