"""A process that plays an event which was started on the page: it ends with the server, and its journal goes on.

It reads one JSON object from its standard input, the journal and the settings of the event, and writes what it compiles
and what goes wrong to its standard output, as lines of JSON. What is played stands in the journal and beside it
(`forgeron.arena.live`).
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from forgeron.arena import journal
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from forgeron.arena.tournament import play_tournament
from forgeron.core.errors import ForgeronError
from forgeron.core.jit import JIT
from forgeron.reports.results import event_of

#: People who play on the same machine come first.
_NICE = 5


def play(path: Path, settings: dict[str, Any]) -> None:
    """Play what is still to be played, as the journal has it: it may have been revised since the event was started."""
    if path.exists() and path.stat().st_size:
        settings = journal.read(path)[0]
    event = event_of(settings, path)
    with Journal(path, settings) as kept:
        course = (
            play_match(event, kept, executor(1))
            if isinstance(event, Match)
            else play_tournament(event, kept, executor(1))
        )
        for _ in course:
            pass


def main() -> None:
    """Play until the event is over or the server gone."""
    output, sys.stdout = sys.stdout, sys.stderr
    order = json.loads(sys.stdin.readline())

    def leave_with_the_server() -> None:
        sys.stdin.read()
        os._exit(0)

    def say(message: dict[str, Any]) -> None:
        output.write(json.dumps(message) + "\n")
        output.flush()

    if JIT:
        from forgeron.core import cache

        def announce(what: str) -> Any:
            say({"event": "compiling", "what": what})
            return lambda _seconds: say({"event": "compiled"})

        cache.announce = announce
    threading.Thread(target=leave_with_the_server, daemon=True).start()
    with suppress(OSError):
        os.nice(_NICE)
    try:
        play(Path(order["journal"]), order["settings"])
    except ForgeronError as error:
        say({"event": "failed", "error": str(error)})
    output.flush()
    os._exit(0)  # a thread that waits for the server cannot be asked to end


if __name__ == "__main__":
    main()
