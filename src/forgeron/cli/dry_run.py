"""`forgeron tournament --dry-run`: what would be played, by whom, and how long; nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.rehearsal import Trial
    from forgeron.arena.schedule import Round
    from forgeron.arena.tournament import Tournament

#: The exit code when a bot would not get through a game.
FAILED = 1


def rehearse(console: Console, wanted: Tournament, kept: Path, jobs: int) -> None:
    """Check every entrant, show the verdicts, the schedule and the durations."""
    from forgeron.arena.rehearsal import forecast
    from forgeron.arena.revision import look_ahead
    from forgeron.reports.formatting import duration, plain

    event, records, changes = look_ahead(wanted, kept)
    for change in changes:
        console.print(f"changed: {plain(change)}", soft_wrap=True)
    trials = _try_all(console, event, jobs)
    _show_verdicts(console, event, trials)
    progress = event.progress(records)
    _show_schedule(console, event, progress.rounds)
    played = len(event.counted(records))
    known = forecast(event, progress.due, trials, jobs)
    left = progress.total - played
    factor = left / known.games if known.games else 0.0
    console.print(f"games: {progress.total}, of which {played} are played and {left} are left", soft_wrap=True)
    console.print(f"expected duration: {duration(known.expected_seconds * factor)}, {jobs} at the same time")
    longest = "no limit of nodes is a limit of time"
    if known.longest_seconds is not None:
        full = f"if every move takes all its time, in games of {known.plies} plies"
        longest = f"{duration(known.longest_seconds * factor)} {full}"
    console.print(f"longest duration: {longest}", soft_wrap=True)
    failed = [one.name for one in trials if not one.passed]
    if failed:
        console.print(f"not ready: {plain(', '.join(failed))}", style="bold red", soft_wrap=True)
        raise typer.Exit(FAILED)
    console.print("all entrants are ready", style="bold green")


def _try_all(console: Console, event: Tournament, jobs: int) -> list[Trial]:
    from forgeron.arena.rehearsal import try_all

    trials: list[Trial] = []
    total = len(event.entrants)
    if not console.is_terminal:
        console.print(f"checking {total} entrants", soft_wrap=True)
        return list(try_all(event, jobs))
    with console.status(f"checking {total} entrants") as status:
        for one in try_all(event, jobs):
            trials.append(one)
            status.update(f"checking {total} entrants: {len(trials)} done")
    return trials


def _show_verdicts(console: Console, event: Tournament, trials: list[Trial]) -> None:
    from forgeron.reports.formatting import plain
    from forgeron.reports.terminal import new_table

    table = new_table("entrant", "verdict", "what happened")
    table.columns[1].justify = table.columns[2].justify = "left"
    for one in sorted(trials, key=lambda trial: event.names.index(trial.name)):
        style = "" if one.passed else "red"
        table.add_row(plain(one.name), "ready" if one.passed else "fails", plain(one.note), style=style)
    console.print(table)


def _show_schedule(console: Console, event: Tournament, rounds: list[Round]) -> None:
    from forgeron.reports.formatting import plain

    console.print(f"schedule ({event.format}, {event.pairs} pair{'s' * (event.pairs != 1)} of games a meeting)")
    for number, one in enumerate(rounds, 1):
        meetings = [f"{p.first_name} – {p.second_name}" for p in one.pairings if p.repeat == 0]
        byes = [f"{name} has a bye" for name in one.byes]
        console.print(f"  round {number}: {plain(', '.join([*meetings, *byes]))}")
    if event.format in ("swiss", "knockout"):
        console.print("  later rounds depend on the results", style="dim")
