"""A tournament of hostile bots: every game ends as stated, and nothing is left of them.

python benchmarks/hostile_zoo.py [PAIRS] [JOBS] [ATTACK ...]

Fifty attacks, each within the full sandbox and without bubblewrap, meet a good player, PAIRS pairs of games each (5 of
them are 1,000 games). Prints how the games ended, by attack and layer, how much the event's process and its workers
have grown, and what is left. A bot that must lose on time has one second, whatever the load of the machine; the others
have a minute, so that no load makes a loss on time of another verdict. In the same way only those that must lose by it
have little memory: hundreds of processes that somebody forks use some, too.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import in_processes
from forgeron.arena.journal import Journal
from forgeron.arena.tournament import Tournament, play_tournament

TOP = Path(__file__).parent.parent
BOT = TOP / "tests" / "hostile" / "bots" / "hostile_bot.py"
GAME = str(TOP / "examples" / "game_connect_four.py")
CLEARING_SECONDS = 60.0
LITTLE_TIME, MUCH_TIME = "1", "60"
LITTLE_MEMORY_MB, MUCH_MEMORY_MB = 400, 2048
#: Growth counts from here: until then code is loaded.
_WARM = 20
ENDS = ("win", "draw")
TIME = ("time",)
CRASH = ("crash",)
#: What a bot does, and the reasons for which a game with it may end.
ATTACKS: dict[str, tuple[str, ...]] = {
    # numbers and texts
    "none": ENDS,
    "wdl": ENDS,
    "nodes": ENDS,
    "negative": ENDS,
    "many-digits": ENDS,
    "bad-text": ENDS,
    "claims": ENDS,
    "two-answers": ENDS,
    "early-answers": ENDS,
    "garbage": ("illegal",),
    "wrong-column": ("illegal",),
    "long-move": ("illegal",),
    "empty-move": ("protocol",),
    "long-line": ("output",),
    "flood-lines": ("output",),
    "flood-bytes": ("output",),
    "empty-lines": ("output", "time"),
    "stderr-flood": ENDS,
    # time
    "hang": TIME,
    "stop-itself": TIME,
    "partial-line": TIME,
    "slow-drip": TIME,
    "stop-reading": TIME,
    # ends
    "die-at-start": ("startup",),
    "exit": CRASH,
    "segfault": CRASH,
    "close-output": CRASH,
    "child-holds-pipe": CRASH,
    "memory-text": CRASH,
    "escapes": CRASH,
    "one-large-file": CRASH,
    "ignore-quit": ENDS,
    # memory and files
    "shared-memory": ("memory",),
    "children-memory": ("memory",),
    "private-memory": ("memory",),
    "shm-files": ("memory", "crash"),
    "many-files": ("output",),
    "many-megabytes": ("output",),
    "nested": ENDS,
    "locked": ENDS,
    "links": ENDS,
    "odd-names": ENDS,
    "special-files": ENDS,
    # processes, and the referee
    "stay": ENDS,
    "fork-for-ever": ENDS,
    "threads": ENDS,
    "descriptors": ENDS,
    "pry": ENDS,
    # Refused a signal, it ends with an error; within bubblewrap its parent is another process, and it waits for ever.
    "kill-referee": ("crash", "time"),
    "stop-referee": ("crash", "time"),
}


def processes() -> Iterator[tuple[int, str, Path]]:
    """Number and command line of every process, and its folder in /proc."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            yield int(entry.name), (entry / "cmdline").read_bytes().decode(errors="replace"), entry
        except OSError:
            continue


def living(mark: str) -> int:
    return sum(mark in command for pid, command, _ in processes() if pid != os.getpid())


def left_files(mark: str, place: Path) -> list[str]:
    return [*os.listdir(place), *(name for name in os.listdir("/dev/shm") if mark in name)]


class Growth:
    """How much the processes that referee have grown since their first game."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        self.most_mb: dict[str, float] = {"event": 0.0, "workers": 0.0}

    def look(self) -> None:
        me = os.getpid()
        for pid, command, folder in processes():
            if pid == me or ("arena.worker" in command and self._is_child(folder, me)):
                try:
                    size = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
                except OSError:
                    continue
                kind = "event" if pid == me else "workers"
                grown = (size - self._first.setdefault(pid, size)) / 2**20
                self.most_mb[kind] = max(self.most_mb[kind], grown)

    @staticmethod
    def _is_child(folder: Path, parent: int) -> bool:
        try:
            return int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent
        except OSError:
            return False


def zoo(mark: str, attacks: list[str]) -> list[Entrant]:
    return [
        Entrant(
            f"{attack} {'full' if bwrap else 'plain'}",
            command=(sys.executable, "-S", str(BOT), mark, attack),
            memory_mb=LITTLE_MEMORY_MB if "memory" in ATTACKS[attack] else MUCH_MEMORY_MB,
            startup_seconds=120,
            bwrap=bwrap,
            time=LITTLE_TIME if "time" in ATTACKS[attack] else MUCH_TIME,
        )
        for attack in attacks
        for bwrap in (False, True)
    ]


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    attacks = sys.argv[3:] or list(ATTACKS)
    mark, began = f"zoo-{uuid.uuid4().hex}", time.time()
    bots = zoo(mark, attacks)
    terms = Terms.settle(GAME, time=MUCH_TIME, opening_plies=2)
    event = Tournament("zoo", terms, (Entrant("good", "random"), *bots), "gauntlet", pairs, challengers=("good",))
    growth = Growth()
    # The folders of bots are made in a place that nothing else uses; other users than ours must get there.
    bots_place = Path(tempfile.mkdtemp(prefix="zoo-"))
    bots_place.chmod(0o711)
    os.environ["TMPDIR"] = tempfile.tempdir = str(bots_place)
    with tempfile.TemporaryDirectory(dir=".") as place, Journal(Path(place, "j"), event.settings()) as journal:
        for done, total in play_tournament(event, journal, in_processes(jobs)):
            if done >= _WARM:
                growth.look()
            if done % 50 == 0:
                print(f"{done} of {total} games, {time.time() - began:.0f} s", file=sys.stderr, flush=True)
        records = list(journal.records.values())
        layers = {tuple(layer) for record in records for layer in record.extra["layers"] if layer}
    ends: dict[str, Counter[str]] = {}
    wrong = []
    for record in records:
        bad = next(name for name in record.players if name != "good")
        ends.setdefault(bad, Counter())[record.reason] += 1
        if record.reason not in ATTACKS[bad.split()[0]]:
            wrong.append(f"{bad}: {record.reason}: {record.extra['detail']}")
    for name, counted in sorted(ends.items()):
        print(f"{name:24} {dict(counted)}")
    print(f"layers: {' / '.join('+'.join(layer) for layer in sorted(layers))}")
    print(f"{len(records)} games of {len(attacks)} bots, {jobs} at the same time, in {time.time() - began:.0f} s")
    print("grown at most: " + ", ".join(f"{kind} {mb:.1f} MB" for kind, mb in growth.most_mb.items()))
    until = time.monotonic() + CLEARING_SECONDS  # what a worker could not remove before it left, its launcher removes
    while (living(mark) or left_files(mark, bots_place)) and time.monotonic() < until:
        time.sleep(0.1)
    print(f"left: {living(mark)} processes, files {left_files(mark, bots_place)}")
    print("\n".join([f"ended otherwise than stated: {len(wrong)}", *wrong[:40]]))


if __name__ == "__main__":
    main()
