"""Who is let in, and what happens to messages that make no sense."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from forgeron.web.connection import Allowance
from forgeron.web.messages import FORMS, MESSAGE_BYTES, MessageError, read
from forgeron.web.peer_user import is_of_another_user
from forgeron.web.security import POLICY
from web_pages import HOST, SOCKET, Page, running


def test_every_answer_has_the_protecting_headers(server: TestClient) -> None:
    for path in ("/", "/static/app/main.js", "/nothing-here"):
        headers = server.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_has_no_inline_script_or_style(server: TestClient) -> None:
    text = server.get("/").text
    assert "<style" not in text
    assert " style=" not in text
    assert text.count("<script") == text.count('<script type="module" src=')


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "localhost.evil.example:8765", ""])
def test_other_names_for_this_server_are_refused(server: TestClient, host: str) -> None:
    assert server.get("/", headers={"host": host}).status_code == 403
    with pytest.raises(WebSocketDisconnect), server.websocket_connect(SOCKET, headers={"host": host}):
        pass


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_socket_that_another_page_opens_is_refused(server: TestClient, headers: dict[str, str]) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        server.websocket_connect(SOCKET, headers=headers),
    ):
        pass


def test_beyond_this_machine_everything_needs_the_token(database: Path) -> None:
    with running(database, token="secret-token") as server:
        assert server.get("/").status_code == 403
        assert server.get("/static/app/main.js").status_code == 403
        assert server.get("/?token=wrong").status_code == 403
        with pytest.raises(WebSocketDisconnect), server.websocket_connect(SOCKET):
            pass
        answer = server.get("/?token=secret-token", follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert server.get("/").status_code == 200
        with server.websocket_connect(SOCKET, headers={"origin": HOST}) as socket:
            socket.send_json({"do": "games", "key": "0" * 32})
            assert socket.receive_json()["event"] == "games"


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2fapp.py"]
)
def test_only_static_files_are_served(server: TestClient, path: str) -> None:
    assert server.get(path).status_code == 404


def test_files_and_commands_are_not_run_because_a_page_says_so(pages: Callable[..., Page]) -> None:
    page = pages()
    for game in ("./game.py", "/etc/passwd", "examples/game_connect_four.py", "../x.py"):
        page.new(game, ["person", "person"])
        assert page.state == {}
    for side in ("touch /tmp/x", "./bot", "minimax:eval=/etc/passwd", "human"):
        page.new("yolah", ["person", side])
        assert page.state == {}


NAMED = {"id": "a" * 12, "key": "0" * 32}
ABOUT = {"game": "yolah", "options": {}, "position": None}
SUBJECT = {"position": "x", "search": "alphabeta", "ideas": ["table"], "depth": 3}
GOOD = {
    "games": {"key": "0" * 32},
    "new": {"key": "0" * 32, "game": "yolah", "options": {}, "sides": ["person", "novice"], "clock": None},
    "leave": {},
    "rest": {},
    "share": {**ABOUT, "moves": ["d5:b7"]},
    "look": {**ABOUT, "move": "d5:b7"},
    "analyse": {**ABOUT, "position": "x", "number": 1},
    "review": {**ABOUT, "moves": ["d5:b7"], "number": 1},
    "compose": {"game": "yolah", "options": {}, "places": {"a1": "b"}, "turn": 0},
    "follow": {**ABOUT, "moves": ["d5:b7"]},
    **{kind: {**ABOUT, **SUBJECT, "number": 1} for kind in ("microscope", "count")},
    **{kind: {**NAMED} for kind in ("open", "history", "sit", "resign", "rematch", "pause", "go", "step")},
    **{kind: {**NAMED, "ply": 0} for kind in ("throw", "takeback", "hint")},
    "move": {**NAMED, "ply": 0, "move": "d5:b7"},
    "events": {"key": "0" * 32},
    "event-new": {
        "key": "0" * 32,
        "game": "yolah",
        "options": {},
        "players": ["beginner", "mcts"],
        "games": 10,
        "time": "0.1",
        "pace": True,
    },
    "event-watch": {**NAMED},
    "event-games": {**NAMED, "names": ["a", "b"]},
    "event-game": {**NAMED, "game": "x"},
    "event-do": {**NAMED, "order": "hold"},
}


def test_every_kind_of_message_is_read_and_every_missing_part_is_told() -> None:
    assert set(GOOD) == set(FORMS)
    for kind, parts in GOOD.items():
        assert read(json.dumps({"do": kind, **parts}))["do"] == kind
        for name in parts:
            short = {key: value for key, value in parts.items() if key != name}
            with pytest.raises(MessageError, match=f"needs '{name}'"):
                read(json.dumps({"do": kind, **short}))


def junk(rng: random.Random, depth: int = 0) -> object:
    choices: list[Callable[[], object]] = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([0, -1, 2**80, 1e308, -0.0, 3.5]),
        lambda: "".join(chr(rng.choice([0, 10, 65, 0x202E, 0x1F600, 0xD7FF])) for _ in range(rng.randrange(30))),
        lambda: rng.choice(["person", "open", "d5:b7", "0" * 32, "a" * 12, "yolah", "__proto__", "x" * 5000]),
    ]
    if depth < 3:
        choices += [
            lambda: [junk(rng, depth + 1) for _ in range(rng.randrange(4))],
            lambda: {str(junk(rng, 3)): junk(rng, depth + 1) for _ in range(rng.randrange(4))},
        ]
    return rng.choice(choices)()


def test_ten_thousand_fuzzed_messages_are_refused_or_make_sense() -> None:
    rng = random.Random(1)
    refused: list[str] = []
    for _ in range(10_000):
        kind = rng.choice([*FORMS, "x", ""])
        message = {"do": kind, **GOOD.get(kind, {})}
        for _ in range(rng.randrange(1, 4)):
            message[rng.choice([*message, "extra", "ask"])] = junk(rng)  # type: ignore[assignment]
        text = json.dumps(message)
        if rng.random() < 0.1:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(["", "\x00", '"', "{", "[" * 3000]) + text[at + 1 :]
        try:
            found = read(text)
        except MessageError as error:
            refused.append(str(error))
        else:
            assert set(found) - {"ask", "do"} == set(FORMS[found["do"]])
    assert len(refused) > 5_000
    assert max(map(len, refused)) < 500


def test_the_server_stays_up_whatever_a_page_says(pages: Callable[..., Page]) -> None:
    page, rng = pages(), random.Random(2)
    page.new("yolah", ["person", "person"])
    for _ in range(50):
        page.socket.send_text(json.dumps(junk(rng)))
        assert page.hear()["event"] == "refused"
    page.socket.send_text("x" * (MESSAGE_BYTES + 1))
    assert page.hear()["event"] == "refused"
    page.socket.send_bytes(b"\x00\xff")
    other = pages(page.key)
    other.open(page.id)
    assert other.move("d5:b7")["event"] == "game"


def test_more_messages_than_allowed_are_refused() -> None:
    now = 0.0
    allowance = Allowance(rate=2, burst=3, clock=lambda: now)
    assert [allowance.take() for _ in range(5)] == [True, True, True, False, False]
    now = 1.0
    assert [allowance.take() for _ in range(3)] == [True, True, False]


def test_another_user_of_this_machine_is_refused(database: Path) -> None:
    asked: list[object] = []

    def is_stranger(*addresses: object) -> bool:
        asked.append(addresses)
        return True

    with running(database, is_stranger=is_stranger) as server:
        assert server.get("/").status_code == 403
        with pytest.raises(WebSocketDisconnect), server.websocket_connect(SOCKET):
            pass
    assert len(asked) == 2
    with running(database, is_stranger=is_stranger, token="secret-token") as server:
        assert server.get("/?token=secret-token").status_code == 200, "whoever has the link may come from anywhere"


CONNECTS = """
import encodings.idna, os, socket, sys
uid, host, port = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
if uid:
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
peer = socket.create_connection((host, port))
print(peer.getsockname()[1], flush=True)
sys.stdin.readline()
peer.close()
print("closed", flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say whose a connection is")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
@pytest.mark.parametrize("uid", [0, 54321], ids=["we", "another"])
def test_the_system_says_whose_a_connection_is(host: str, uid: int) -> None:
    if uid and os.getuid() != 0:
        pytest.skip("only root can be somebody else")
    try:
        listening = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError:
        pytest.skip(f"this machine has no address {host}")
    with listening:
        address = listening.getsockname()[:2]
        words = [sys.executable, "-S", "-c", CONNECTS, str(uid), *map(str, address)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as peer:
            assert peer.stdin is not None
            assert peer.stdout is not None
            client = host, int(peer.stdout.readline())
            assert is_of_another_user(client, address) == bool(uid)
            peer.stdin.write("\n")
            assert peer.stdout.readline() == "closed\n"
            assert is_of_another_user(client, address), "what was sent by somebody who has gone is nobody's"
            peer.stdin.write("\n")
    assert not is_of_another_user(("testclient", 50000), ("localhost", 80))
