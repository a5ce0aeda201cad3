"""Games under the referee, for tests of protocols: each is played to its end, closed, and replayed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import Contestant
from forgeron.bots.process import BotProcess
from forgeron.bots.protocols import make_process_bot
from forgeron.bots.sandbox import Sandbox
from forgeron.core.game import Game
from forgeron.core.record import Record

BOTS = Path(__file__).parent / "bots" / "programs"
#: Our own program as a bot.
OURS = [sys.executable, "-m", "forgeron", "bot"]
#: Our own program may have to compile its kernels before it answers for the first time.
PATIENT = {"grace": 300}


def bot(protocol: str, name: str, command: list[str], options: dict[str, Any] | None = None) -> Contestant:
    """A process that speaks the protocol, within the limits of every bot."""
    return make_process_bot(protocol, name, command, options=options or {}, sandbox=Sandbox(), startup=300)


def small_bot(protocol: str, file: str, *arguments: str, **options: Any) -> Contestant:
    """One of the bots in tests/bots/programs, which know nothing of Forgeron."""
    return bot(protocol, file, [sys.executable, str(BOTS / file), *arguments], options)


def play(game: Game, first: Contestant, second: Contestant, time: str, seed: int = 0) -> Record:
    """The record of the game; it must be the same after JSON, and its moves must be legal and give its scores."""
    try:
        record = Referee(game, (first, second), TimeControl.parse(time), seed=seed).play()
    finally:
        first.close()
        second.close()
    assert not list(left_behind(first)) + list(left_behind(second))
    assert Record.from_json(record.to_json()) == record
    assert record.positions(game)[-1].scores == record.scores
    return record


def left_behind(contestant: Contestant) -> Iterator[str]:
    """The command lines of processes of a bot that are still there."""
    process: BotProcess | None = getattr(contestant, "latest", None)
    for entry in Path("/proc").glob("[0-9]*") if process else ():
        try:
            if process and f"FORGERON_BOT={process.marker}".encode() in (entry / "environ").read_bytes():
                yield (entry / "cmdline").read_text()
        except OSError:
            continue
