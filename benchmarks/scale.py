"""What grows how: python benchmarks/scale.py depth | mcts | tournament | journal | workers   [--most N] [--keep]

    depth        positions and CPU seconds that minimax needs to a depth, from Yolah's first position
    mcts         simulations a CPU second and memory of one search of 10⁴, 10⁵, … simulations
    tournament   schedule, results and report of everybody against everybody, for 10, 100, … entrants
    journal      `forgeron results` on a journal of 10³, 10⁴, … games, made here with valid checksums
    workers      an event that a thousand workers feed with games that take no time: games recorded and rated a second

Games are made up where the work around them is measured: two moves, a winner drawn by the strength of both. `--most`
says how far to go. `mcts` stops by itself where the tree no longer fits into the memory that is free.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from data_files import write_figures

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import Batches, BatchExecutor
from forgeron.arena.journal import Journal
from forgeron.arena.journal_lines import FORMAT, checksum, seal
from forgeron.arena.task import GameTask
from forgeron.arena.tournament import Tournament, play_tournament
from forgeron.core.record import Record
from forgeron.reports.html import to_html
from forgeron.reports.results import read_results, results_of
from forgeron.stats.ratings import rate

WORKERS = 1_000
#: So many of the workers have ended a game when the event looks again.
READY = 50
RATE_SECONDS = 1.0
SLOT_BYTES = 36

Row = dict[str, float | int | str]


def tournament_of(entrants: int, pairs: int = 1) -> Tournament:
    """Everybody against everybody, from the first position."""
    names = [f"bot{number:04}" for number in range(entrants)]
    terms = Terms.settle("yolah", time="1n", opening_plies=0)
    return Tournament("scale", terms, tuple(Entrant(name, player="random") for name in names), "round-robin", pairs)


def made_up(task: GameTask) -> Record:
    """A game that nobody played: bots with higher numbers win more often."""
    first, second = (entrant.name for entrant in task.entrants)
    gap = (int(first[3:]) - int(second[3:])) / 200
    drawn = random.Random(task.seed + len(first + second)).random()
    winner = None if drawn < 0.05 else int(drawn * (1 + 10**-gap) > 1)
    notes = [{"ply": ply, "t": 0.001, "v": 0.5, "d": 1, "n": 1} for ply in range(2)]
    return Record(
        "yolah", dict(task.options), 1, "start", ("a1:a2", "h8:h7"), (first, second), task.seed, winner, (1, 1),
        "normal", {"files": [None, None], "time": task.time, "layers": [[], []], "notes": notes},
    )  # fmt: skip


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of some work, and what it gave."""
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


# --- depth and simulations --------------------------------------------------------------------------------------------


def depth(most: int) -> Iterator[Row]:
    import forgeron

    game = forgeron.game("yolah")
    for wanted in range(1, most + 1):
        player = forgeron.player("minimax", game, seed=1)
        limit = forgeron.Limit(depth=wanted)
        seconds, choice = timed(lambda player=player, limit=limit: player.choose(game.start(), limit))  # type: ignore[misc]
        yield {"depth": wanted, "positions": choice.nodes, "CPU s": round(seconds, 3)}


def mcts(most: int) -> Iterator[Row]:
    import forgeron
    from forgeron.players.mcts import MctsPlayer

    game = forgeron.game("yolah")
    simulations = 10_000
    while simulations <= most:
        # A simulation in Yolah makes some tens of nodes; a search keeps two trees.
        sizes = [size for size in (1, 4, 16, 64, 256, 1024, 4096) if size << 20 > 2 * SLOT_BYTES * 20 * simulations]
        memory = sizes[0] if sizes else 4096
        if memory << 20 > os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"):
            print(f"{simulations:,} simulations want {memory} MB, and less is free", file=sys.stderr)
            return
        player = MctsPlayer(game, {"memory": memory}, seed=1)
        limit = forgeron.Limit(nodes=simulations)
        seconds, choice = timed(lambda player=player, limit=limit: player.choose(game.start(), limit))  # type: ignore[misc]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield {
            "simulations": simulations,
            "a CPU second": round(simulations / seconds),
            "memory option, MB": memory,
            "peak of the process, MB": round(peak),
            "move": choice.move,
            "value": round(choice.value, 3),
        }
        simulations *= 10


# --- events -----------------------------------------------------------------------------------------------------------


def tournament(most: int) -> Iterator[Row]:
    n = 10
    while n <= most:
        event = tournament_of(n)
        scheduled, tasks = timed(lambda event=event: event.due({}))  # type: ignore[misc]
        records = {task.id: made_up(task) for task in tasks}
        counted, found = timed(lambda event=event, records=records: results_of(event, records))  # type: ignore[misc]
        rated, _ = timed(lambda found=found: rate([(*one.names, one.points[0]) for one in found.games]))  # type: ignore[misc]
        # A report holds every game; beyond some ten thousand nobody opens it.
        report = timed(lambda found=found: to_html(found, None))[0] if n <= 100 else float("nan")  # type: ignore[misc]
        yield {
            "entrants": n,
            "games": len(tasks),
            "schedule, CPU s": round(scheduled, 2),
            "results, CPU s": round(counted, 2),
            "of these ratings, CPU s": round(rated, 2),
            "HTML report, CPU s": round(report, 2) if report == report else "not made",
        }
        n *= 10


def write_journal(path: Path, event: Tournament) -> int:
    """A journal as an event leaves it, written without waiting for the disk; how many games."""
    with path.open("wb") as file:
        line = seal({"format": FORMAT, "settings": json.loads(json.dumps(event.settings()))}, "")
        file.write(line)
        tasks = event.due({})
        for task in tasks:
            line = seal({"id": task.id, "record": made_up(task).to_data()}, checksum(line))
            file.write(line)
    return len(tasks)


def journal(most: int) -> Iterator[Row]:
    wanted = 1_000
    while wanted <= most:
        entrants = 20
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scale.journal"
            games = write_journal(path, tournament_of(entrants, max(1, round(wanted / (entrants * (entrants - 1))))))
            seconds, found = timed(lambda path=path: read_results(path))  # type: ignore[misc]
            assert len(found.games) == games
            yield {
                "games": games,
                "file, MB": round(path.stat().st_size / 1e6, 1),
                "results, CPU s": round(seconds, 2),
                "µs a game": round(seconds / games * 1e6),
            }
        wanted *= 10


def instant_workers(tasks: Iterable[GameTask]) -> Batches:
    """A thousand workers whose games take no time; each look finds some of them done."""
    source = iter(tasks)
    running = list(islice(source, WORKERS))
    while running:
        ended, running = running[:READY], running[READY:]
        running += islice(source, len(ended))
        yield [(task, made_up(task)) for task in ended]


def workers(most: int) -> Iterator[Row]:
    """The whole way of a game: scheduled, handed out, recorded on the disk, counted, rated once a second."""
    event = tournament_of(20, max(1, round(most / 380)))
    with (
        tempfile.TemporaryDirectory(dir=".") as folder,
        Journal(Path(folder) / "scale.journal", event.settings()) as kept,
    ):
        began, cpu = time.perf_counter(), time.process_time()
        first, rated, ratings = 0.0, began, 0
        for done, _total in play_tournament(event, kept, BatchExecutor(instant_workers)):
            now = time.perf_counter()
            first = first or (now - began if done else 0.0)
            if done and now - rated > RATE_SECONDS:
                rate((*one.players, 0.5 if one.winner is None else 1.0 - one.winner) for one in kept.records.values())
                rated, ratings = time.perf_counter(), ratings + 1
        seconds, busy = time.perf_counter() - began, time.process_time() - cpu
    yield {
        "games": done,
        "games a second": round(done / seconds),
        "games a CPU second": round(done / busy),
        "seconds before the first": round(first, 2),
        "times rated": ratings,
    }


SECTIONS: dict[str, tuple[Callable[[int], Iterator[Row]], int]] = {
    "depth": (depth, 10),
    "mcts": (mcts, 10**8),
    "tournament": (tournament, 1_000),
    "journal": (journal, 10**6),
    "workers": (workers, 100_000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=SECTIONS)
    parser.add_argument("--most", type=int, help="how far to go")
    parser.add_argument("--keep", action="store_true", help="keep the figures for the documentation, in docs/data")
    asked = parser.parse_args()
    section, most = SECTIONS[asked.what]
    rows: list[Row] = []
    for row in section(asked.most or most):
        if not rows:
            print(f"| {' | '.join(row)} |\n|{'---|' * len(row)}")
        rows.append(row)
        print(
            f"| {' | '.join(f'{one:,}' if isinstance(one, int | float) else str(one) for one in row.values())} |",
            flush=True,
        )
    if asked.keep:
        print(write_figures(f"scale-{asked.what}", " ".join(["python", *sys.argv]), rows))


if __name__ == "__main__":
    main()
