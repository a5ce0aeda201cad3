"""Yolah over a websocket, from both sides."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn, Contestant, MoveRequest
from forgeron.bots.faults import Reason
from forgeron.bots.protocol_bot import ProtocolBot
from forgeron.bots.protocols import make_process_bot, protocol_class
from forgeron.bots.sandbox import Sandbox
from forgeron.bots.websocket_client import play_on_server
from forgeron.bots.websockets_extra import need_websockets
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.games.yolah.websocket import state_of
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


@pytest.mark.parametrize("fault", ["deaf", "small-flood", "crowd"])
def test_a_flood_that_reads_nothing_costs_the_game_and_the_referee_stays_flat(fault: str) -> None:
    """Ended at the deadline or before, whatever fills up on the way; a referee that waits for its reader never ends."""
    code = f"""
import resource, sys, threading
sys.path[:0] = [{str(BOTS.parent)!r}, {str(BOTS.parent.parent)!r}]
import test_protocol_yolah_ws as ws
ws.play(ws.GAME, ws.stranger(), ws.here(), "20")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
record = ws.play(ws.GAME, ws.stranger({fault!r}), ws.here(), "10")
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(record.winner, record.reason, len(record.moves), grown >> 10, threading.active_count())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    winner, reason, plies, grown_mb, threads = done.stdout.split()
    assert (winner, plies) == ("1", "2"), done.stdout
    assert reason in ("time", "output", "crash"), done.stdout
    assert int(grown_mb) < 50, done.stdout
    assert int(threads) < 10, done.stdout


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

        def choose(self, request: MoveRequest) -> Any:
            while not request.moves and one.server.inbox.empty():  # type: ignore[attr-defined]
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
    layers = [layer for layer in record.extra["layers"][0] if layer not in ("user", "pids", "namespace")]
    assert layers in (["rlimits"], ["rlimits", "landlock", "network"], ["rlimits", "bwrap", "network"])


class AuthorsServer:
    """Ends a game as the author's server does: the last state to both, and only the last mover's connection closed."""

    def __init__(self) -> None:
        self.seats: dict[str, Any] = {}
        self.over = threading.Event()
        self.server = pytest.importorskip("websockets.sync.server").serve(self.serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, connection: Any) -> None:
        kind = json.loads(connection.recv())["type"]
        connection.send(json.dumps({"type": "init", "join key": "K", "watch key": "W"}))
        self.seats[kind] = connection
        if kind == "join":
            self.play(self.seats["new"], connection)
        self.over.wait(120)
        for _ in connection:  # stay until the other end has gone
            pass

    def play(self, *players: Any) -> None:
        position, ply = GAME.start(), 0
        while True:
            for player in players:
                player.send(json.dumps({"type": "game state", "state": state_of(position, ply)}))
            if position.turn is None:
                break
            players[position.turn].send(json.dumps({"type": "your move"}))
            mover = players[position.turn]
            position, ply = position.play(json.loads(mover.recv())["move"]), ply + 1
        mover.close()
        self.over.set()


def test_our_players_leave_when_the_game_is_over_though_only_one_is_sent_away() -> None:
    server = AuthorsServer()
    words = [*OURS, "yolah", "--player", "random", "--protocol", "yolah-ws", "--url", server.url]
    bots = []
    try:
        bots.append(subprocess.Popen(words, stderr=subprocess.PIPE, text=True))
        assert "join key K" in str(bots[0].stderr.readline())  # type: ignore[union-attr]
        bots.append(subprocess.Popen([*words, "--join", "K"], stderr=subprocess.PIPE, text=True))
        assert [one.wait(timeout=120) for one in bots] == [0, 0]
        said = [str(one.stderr.read()) for one in bots]  # type: ignore[union-attr]
        assert any("the game is over, " in words for words in said)
    finally:
        for one in bots:
            one.kill()
            one.communicate()
        server.server.shutdown()


def test_somebody_may_watch() -> None:
    seen: list[dict[str, Any]] = []
    threads = []

    class Curious(BuiltIn):
        """Opens a second connection to the bot's server before its first move."""

        def choose(self, request: MoveRequest) -> Any:
            if len(request.moves) == 1:
                server = one.server  # type: ignore[attr-defined]
                ready = threading.Event()
                threads.append(threading.Thread(target=watch, args=(server.url, server.keys.watch, ready)))
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
        need_websockets("sync.server", "yolah-ws")


def test_our_bot_says_when_there_is_no_server() -> None:
    ours = ProtocolBot(protocol_class("yolah-ws"), GAME, lambda game: forgeron.player("random", game))
    with pytest.raises(ForgeronError, match="there is no server at ws://localhost:9"):
        play_on_server(ours, "ws://localhost:9")
