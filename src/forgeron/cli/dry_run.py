"""`forgeron tournament --dry-run`: what would be played, by whom, and how long; nothing is written."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from forgeron.reports.formatting import say

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.entrant import Entrant
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
        say(console, f"changed: {plain(change)}")
    trials = _try_all(console, event, jobs)
    _show_verdicts(console, event, trials)
    progress = event.progress(records)
    _show_schedule(console, event, progress.rounds)
    played = len(event.counted(records))
    known = forecast(event, progress.due, trials, jobs)
    left = progress.total - played
    factor = left / known.games if known.games else 0.0
    say(console, f"games: {progress.total}, of which {played} are played and {left} are left")
    console.print(f"expected duration: {duration(known.expected_seconds * factor)}, {jobs} at the same time")
    longest = "unknown, because a limit of nodes says nothing about time"
    if known.longest_seconds is not None:
        full = f"if every move takes all its time, in games of {known.plies} plies"
        longest = f"{duration(known.longest_seconds * factor)} {full}"
    say(console, f"longest duration: {longest}")
    failed = [one.name for one in trials if not one.passed]
    if failed:
        say(console, f"not ready: {plain(', '.join(failed))}", "bold red")
        first = next(one for one in event.entrants if one.name in failed)
        if first.player is None:
            say(console, f"to see what one said and heard: {_check_command(event, first)}", "dim")
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
    from rich.table import Table

    from forgeron.reports.formatting import plain

    console.print(f"schedule ({event.format}, {event.pairs} pair{'s' * (event.pairs != 1)} of games a meeting)")
    lines = Table.grid(padding=(0, 1))
    for number, one in enumerate(rounds, 1):
        meetings = [f"{p.first_name} – {p.second_name}" for p in one.pairings if p.repeat == 0]
        byes = [f"{name} has a bye" for name in one.byes]
        lines.add_row(f"  round {number}:", plain(", ".join([*meetings, *byes])))
    console.print(lines)
    if event.format in ("swiss", "knockout"):
        console.print("  later rounds depend on the results", style="dim")


def _check_command(event: Tournament, entrant: Entrant) -> str:
    """The command that tries one bot again and shows its conversation, to be run from here."""
    game = event.terms.open_game()
    changed = [f"{name}={value}" for name, value in game.chosen.items() if value != game.options[name].default]
    settings = [f"{name}={value}" for name, value in entrant.options.items()]
    words = ["forgeron", "check", _from_here(event.terms.path), "--time", entrant.time or event.terms.time]
    words += [word for one in changed for word in ("-o", one)]
    words += ["--protocol", entrant.protocol] if entrant.protocol != "native" else []
    words += [word for one in settings for word in ("--setting", one)]
    command = entrant.located(event.terms.folder).command
    return shlex.join([*words, "--", *map(_from_here, command)])


def _from_here(word: str) -> str:
    path = Path(word)
    return os.path.join(".", path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else word
