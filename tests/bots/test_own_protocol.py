"""A protocol of somebody else's: the file that docs/protocol.md shows, run at both ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import forgeron
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.faults import Reason
from forgeron.bots.protocol import Protocol
from forgeron.bots.protocol_bot import ProtocolBot
from forgeron.bots.protocols import protocol_class
from forgeron.core.errors import ContractError, ForgeronError
from forgeron.core.position import Position
from forgeron.players.base import Choice, Limit
from refereed import OURS, PATIENT, bot, play

Run = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]
CONNECT_FOUR = str(ROOT / "examples" / "game_connect_four.py")
GAME = forgeron.game(CONNECT_FOUR)

#: Knows the protocol and nothing else: it plays the columns from the left until they are full.
STRANGER = """
import sys
heights = [0] * 8
for line in sys.stdin:
    words = line.split()
    if words[0] == "they":
        heights[int(words[2])] += 1
    column = next(i for i in range(1, 8) if heights[i] < 6)
    heights[column] += 1
    print({answer}, flush=True)
"""


@pytest.fixture
def columns(tmp_path: Path) -> str:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    text = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "class Columns" in block)
    file = tmp_path / "columns.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def stranger(columns: str, answer: str = "'I play', column") -> Contestant:
    return bot(columns, "stranger", [sys.executable, "-c", STRANGER.format(answer=answer)])


def here() -> BuiltIn:
    return BuiltIn("here", forgeron.player("random", GAME, seed=3))


@pytest.mark.parametrize("our_seat", [0, 1])
def test_both_ends_of_it_play_a_whole_game(columns: str, our_seat: int) -> None:
    ours = bot(columns, "ours", [*OURS, CONNECT_FOUR, "--protocol", columns, "--player", "random"], PATIENT)
    seats = (ours, stranger(columns)) if our_seat == 0 else (stranger(columns), ours)
    record = play(GAME, *seats, "20")
    assert record.reason in (Reason.WIN, Reason.DRAW)
    assert record.moves[1 - our_seat] == "1"  # the stranger's


def test_an_answer_that_is_no_move_loses(columns: str) -> None:
    record = play(GAME, stranger(columns, "'I play 9'"), here(), "20")
    assert (record.winner, record.reason) == (1, Reason.ILLEGAL)


def test_a_message_that_breaks_a_description_is_the_fault_of_who_sent_it(columns: str) -> None:
    """Sixty thousand brackets are more than a JSON reader can nest; the referee must survive whatever is made of it."""
    text = Path(columns).read_text().replace('Reply(message.removeprefix("I play "))', "Reply(json.loads(message)[0])")
    Path(columns).write_text("import json\n" + text)
    record = play(GAME, stranger(columns, "'[' * 60_000"), here(), "20")
    assert (record.winner, record.reason) == (1, Reason.PROTOCOL)
    assert re.search(r"its message .* cannot be read \(RecursionError\)", record.extra["detail"])


def test_a_package_announces_one_by_an_entry_point(columns: str, run_python: Run) -> None:
    folder = Path(columns).parent
    info = folder / "columns-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: columns\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[forgeron.protocols]\ncolumns = columns:Columns\n")
    code = (
        "import forgeron, sys; from forgeron.bots.protocols import protocol_class\n"
        "print(forgeron.protocol_names()[-1], 'columns' in sys.modules, protocol_class('columns').game_name)"
    )
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    assert run_python(code, PYTHONPATH=path).stdout == "columns False connect-four\n"


def test_a_description_that_lacks_something_says_what() -> None:
    with pytest.raises(ContractError, match="protocol 'half' needs the class attribute 'answer_help'"):
        type("Half", (Protocol,), {"name": "half", "game_name": "yolah"})


def test_our_players_say_when_they_do_not_speak_one(columns: str) -> None:
    from forgeron.bots.protocol_bot import ProtocolBot
    from forgeron.bots.protocols import protocol_class

    mute = type("Mute", (protocol_class(columns),), {"name": "mute", "bot_side": None})
    with pytest.raises(ForgeronError, match="our players do not speak protocol mute"):
        ProtocolBot(mute, GAME, lambda game: forgeron.player("random", game))


def test_a_referee_that_makes_no_sense_is_explained(columns: str) -> None:
    """The message is read by the description of the docs, which does not look how many words there are."""
    done = subprocess.run(
        [*OURS, CONNECT_FOUR, "--protocol", columns, "--player", "random"],
        input="they play\n",
        capture_output=True,
        encoding="utf-8",
    )
    assert "forgeron: the referee says 'they play" in done.stderr
    assert "cannot be read (IndexError)" in done.stderr


def test_the_first_move_is_shorter_by_what_the_program_took_to_start() -> None:
    """The referee's clock runs from the start of the program; a message that came later has waited for nobody."""
    asked: list[float | None] = []
    game = forgeron.game("mancala", preset="course")
    thinker = forgeron.player("random", game, seed=1)

    class Timed:
        """Notes its limits, and answers like another player."""

        def choose(self, position: Position, limit: Limit) -> Choice:
            asked.append(limit.seconds)
            return thinker.choose(position, Limit(nodes=1))

    kind = protocol_class("mancala")
    bot = ProtocolBot(kind, game, lambda _: Timed(), limit=Limit(seconds=2.0), age=lambda: 1.5)  # type: ignore[arg-type, return-value]
    bot.run(["START"], lambda _: None)
    assert asked[0] == pytest.approx(0.5, abs=0.2)
    bot = ProtocolBot(kind, game, lambda _: Timed(), limit=Limit(seconds=2.0), age=lambda: 5.0)  # type: ignore[arg-type, return-value]
    bot.run(["START"], lambda _: None)
    assert asked[1] == 0.001
