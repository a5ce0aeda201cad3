"""Whatever line a bot sends, by whatever protocol: no exception leaves the protocol but a fault of the bot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import forgeron
from forgeron.arena.referee import Referee
from forgeron.bots.clock import Clocks, TimeControl
from forgeron.bots.contestant import Answer, Contestant, MoveRequest
from forgeron.bots.faults import BotFault
from forgeron.bots.native_host import _read_info
from forgeron.bots.protocol import GameSetup, RefusedMessageError, WebSocketReferee
from forgeron.bots.protocol_host import understood
from forgeron.bots.protocols import protocol_class
from forgeron.core.record import Record

FEW, MANY = 500, 20_000
DIGITS = st.integers(1, 6000).map(lambda n: "9" * n) | st.integers().map(str) | st.floats().map(str)
WORDS = st.sampled_from(
    ["info", "bestmove",
     "depth", "nodes", "wdl", "pv", "id", "RESULT", "LIMIT", "START", "P", "S", "M", "RS", "RE", "X",
     "3R", "14TB", "a1:b2", "t3", "resign", "0", "1", "-1", "nan", "1e999", ",", "x", ":", "\x00", "\x1b[31m", "½", "٣"]
)  # fmt: skip
KEYS = st.sampled_from(["type", "move", "action", "error", "info", "join key", "state", "do"]) | st.text(max_size=5)
LINES = st.one_of(
    st.lists(st.one_of(WORDS, DIGITS, st.text(max_size=20)), max_size=12).map(" ".join),
    st.text(max_size=300),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
            KEYS,
            inner, max_size=4),
        max_leaves=12,
    ).map(json.dumps),
    st.builds(lambda move: json.dumps({"type": "my move", "move": move}), st.text(max_size=50) | DIGITS),
    st.integers(1, 3000).map(lambda n: "[" * n),
)  # fmt: skip
GAMES = {
    "mancala": (forgeron.game("mancala", preset="course"), "2"),
    "yinsh": (forgeron.game("yinsh", preset="course"), "120+0"),
    "yut": (forgeron.game("yut"), "1"),
    "yolah-ws": (forgeron.game("yolah"), "1"),
}
NO_DATABASE = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}


class Says(Contestant):
    """Answers with one text."""

    name = "fuzz"

    def __init__(self, text: str) -> None:
        self.text = text

    def open(self, *_: Any) -> None:
        """Nothing to do."""

    def choose(self, request: MoveRequest) -> Answer:
        return Answer(self.text, 0.0)


def judge(game: forgeron.Game, text: str) -> None:
    """The referee of the game takes the text for a move, and gives a record that can be written and read."""
    referee = Referee(game, (Says(text), Says(text)), TimeControl.parse("1"), seed=1)
    referee.open()
    while referee.position.turn == "chance":
        referee.throw()
    referee.advance()
    record = referee.record_so_far()
    assert Record.from_json(record.to_json()) == record
    assert str(record.extra.get("detail", "")).isprintable()


def native(line: str) -> None:
    answer = Answer("", 0.0)
    _read_info(line, answer)
    assert answer.value is None or 0 <= answer.value <= 1
    assert all(number is None or 0 <= number < 2**63 for number in (answer.depth, answer.nodes))
    assert all(warning.isprintable() for warning in answer.warnings)
    for word in line.split()[:1]:
        judge(GAMES["yolah-ws"][0], word)


def by_protocol(name: str, line: str) -> None:
    game, time = GAMES[name]
    control = TimeControl.parse(time)
    kind = protocol_class(name)
    side = kind.referee_side(GameSetup(game, 0, control, 1, kind.read_options({})))
    position = game.start()
    moves: list[str] = []
    while position.turn == "chance":
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    request = MoveRequest(
        position, game.start(), True, moves, "".join(f" {move}" for move in moves), 0, Clocks(control)
    )
    side.ask(request)
    try:
        if isinstance(side, WebSocketReferee):
            side.admit(line, "player", seat_free=False)
        understood(side.greet, line)
        if line.strip() and understood(side.is_answer, line):
            judge(game, understood(side.read, line, request).move)
    except BotFault as fault:
        printable = fault.detail.isprintable()
    except RefusedMessageError:
        return
    else:
        return
    assert printable


@given(LINES)
@settings(max_examples=FEW, **NO_DATABASE)  # type: ignore[arg-type]
def test_no_line_of_the_native_protocol_gets_through(line: str) -> None:
    native(line)


@pytest.mark.parametrize("name", GAMES)
def test_no_line_of_a_course_gets_through(name: str) -> None:
    given(LINES)(settings(max_examples=FEW, **NO_DATABASE)(lambda line: by_protocol(name, line)))()  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["native", *GAMES])
def test_no_line_of_a_hundred_thousand_gets_through(name: str) -> None:
    one = native if name == "native" else (lambda line: by_protocol(name, line))
    given(LINES)(settings(max_examples=MANY, **NO_DATABASE)(lambda line: one(line)))()  # type: ignore[arg-type]
