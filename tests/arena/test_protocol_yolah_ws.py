"""Yolah over a websocket, from both sides."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from typing import Any

import pytest

import forgeron
from forgeron.arena.clock import TimeControl
from forgeron.arena.contestant import BuiltIn, Contestant, Request
from forgeron.arena.faults import Reason
from forgeron.arena.protocols import make_process_bot
from forgeron.arena.protocols.door import need_websockets
from forgeron.arena.referee import Referee
from forgeron.arena.sandbox import Sandbox
from forgeron.core.errors import ForgeronError, OptionError
from refereed import BOTS, OURS, bot, play, small_bot

client = pytest.importorskip("websockets.sync.client")
GAME = forgeron.game("yolah")


def stranger(fault: str = "none", at: str = "1") -> Contestant:
    return small_bot("yolah-ws", "yolah_client.py", fault, at)


def ours() -> Contestant:
    words = ["yolah", "--player", "random", "--protocol", "yolah-ws", "--url", "{url}", "--join", "{key}"]
    return bot("yolah-ws", "ours", [*OURS, *words])


def here(seed: int = 3) -> BuiltIn:
    return BuiltIn("here", forgeron.player("random", GAME, seed=seed))


@pytest.mark.parametrize("our_seat", [0, 1])
def test_our_bot_and_a_client_play_a_whole_game(our_seat: int) -> None:
    seats = (ours(), stranger()) if our_seat == 0 else (stranger(), ours())
    record = play(GAME, *seats, "30")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert f"over {record.scores[0]} {record.scores[1]}" in seats[1 - our_seat].log
    assert "init" in seats[1 - our_seat].log


FAULTS = [
    ("illegal", Reason.ILLEGAL, "'d5:d5' is no move of Yolah"),
    ("nothing", Reason.PROTOCOL, "its message .* has no move"),
    ("crash", Reason.CRASH, "exit code 1 .*no more ideas"),
    ("hangs-up", Reason.CRASH, "it closed its connection while running"),
    ("big", Reason.OUTPUT, "a message of more than 64 KB"),
    ("flood", Reason.OUTPUT, "4 MB a move"),
]


@pytest.mark.parametrize(("fault", "reason", "detail"), FAULTS, ids=[row[0] for row in FAULTS])
def test_the_fault_costs_the_game(fault: str, reason: Reason, detail: str) -> None:
    record = play(GAME, stranger(fault), here(), "20")
    assert (record.winner, record.reason) == (1, reason), record.extra["detail"]
    assert re.search(detail, record.extra["detail"]), record.extra["detail"]
    assert len(record.moves) == 2


def test_a_late_move_loses_on_time() -> None:
    record = play(GAME, here(), stranger("late"), "0.4")
    assert (record.winner, record.reason, len(record.moves)) == (0, Reason.TIME, 3)


@pytest.mark.parametrize("fault", ["chatters", "wrong-key"])
def test_a_message_that_cannot_be_understood_is_answered_and_the_game_goes_on(fault: str) -> None:
    one = stranger(fault)
    record = play(GAME, here(), one, "20")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert "'type': 'error'" in one.log


def test_a_move_that_comes_before_it_is_asked_for_never_counts() -> None:
    class Patient(BuiltIn):
        """Lets the early move arrive before it moves itself."""

        def choose(self, request: Request) -> Any:
            while not request.moves and one.door.inbox.empty():  # type: ignore[attr-defined]
                time.sleep(0.001)
            return super().choose(request)

    one = stranger("early")
    record = play(GAME, Patient("patient", forgeron.player("random", GAME)), one, "20")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert record.extra["warnings"] == ["yolah_client.py: 1 moves sent before it was asked were not read"]


def test_a_bot_that_does_not_connect_forfeits() -> None:
    command = [sys.executable, str(BOTS / "yolah_client.py"), "never-connects", "0"]
    mute = make_process_bot("yolah-ws", "mute", command, options={}, sandbox=Sandbox(), startup=0.5)
    record = play(GAME, mute, here(), "1")
    assert (record.winner, record.reason) == (1, Reason.STARTUP)
    assert "send 'new' or 'join' within 0.5 s" in record.extra["detail"]


def test_the_record_says_that_the_network_was_open() -> None:
    one = stranger("crash", "0")
    record = play(GAME, one, here(), "20")
    assert record.extra["layers"][0] in (["rlimits"], ["rlimits", "bwrap", "network"])


def test_somebody_may_watch() -> None:
    seen: list[dict[str, Any]] = []
    threads = []

    class Curious(BuiltIn):
        """Opens a second connection to the bot's door before its first move."""

        def choose(self, request: Request) -> Any:
            if len(request.moves) == 1:
                door = one.door  # type: ignore[attr-defined]
                ready = threading.Event()
                threads.append(threading.Thread(target=watch, args=(door.url, door.watch_key, ready)))
                threads[0].start()
                ready.wait(10)
            return super().choose(request)

    def watch(url: str, key: str, ready: threading.Event) -> None:
        with client.connect(url, proxy=None) as connection:
            connection.send(json.dumps({"type": "watch", "watch key": key, "info": "me"}))
            for text in connection:
                seen.append(json.loads(text))
                ready.set()

    one = stranger()
    record = play(GAME, one, Curious("curious", forgeron.player("random", GAME)), "20")
    threads[0].join(10)
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert {message["type"] for message in seen} == {"game state"}
    assert [int(seen[-1]["state"][f"{colour} score"]) for colour in ("black", "white")] == list(record.scores)


def test_a_game_may_begin_anywhere() -> None:
    one = stranger()
    try:
        record = Referee(GAME, (one, here()), TimeControl.parse("20"), opening=["d5:b7", "e5:f5", "b7:b8"]).play()
    finally:
        one.close()
    assert record.moves[:3] == ("d5:b7", "e5:f5", "b7:b8")
    assert record.reason in (Reason.WIN, Reason.DRAW)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("websockets")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(OptionError, match=r"pip install 'forgeron\[ws\]'"):
        need_websockets("sync.server")


def test_our_bot_says_when_there_is_no_server() -> None:
    from forgeron.arena.speakers.yolah_ws import speak

    with pytest.raises(ForgeronError, match="there is no server at ws://localhost:9"):
        speak(forgeron.player("random", GAME), forgeron.Limit(nodes=1), "ws://localhost:9")
