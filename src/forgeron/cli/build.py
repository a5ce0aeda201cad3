"""`forgeron build`: compile what students have handed in, in the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.bounds import MOST_MB
from forgeron.cli.number_options import jobs_option, seconds_option
from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.submissions import Build, Submission

#: The exit code when something could not be built.
FAILED = 1


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron build submissions               build what is new or has changed",
            "forgeron build submissions ann bob       these two alone",
            "forgeron build submissions --time 30 --memory 1024 --jobs 4",
            "forgeron build submissions --again       build everything again",
        )
    )(build)


def build(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The submissions: a folder for each, with a bot.toml (see docs/teaching.md)."
        ),
    ],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Only these: names of folders or bots.")
    ] = None,
    time: Annotated[float, seconds_option(help="Time limit of a build.")] = 60.0,
    memory: Annotated[int, typer.Option(min=1, max=MOST_MB, metavar="MB", help="Memory limit of a build.")] = 2048,
    jobs: Annotated[int, jobs_option(help="Builds at the same time.")] = 1,
    again: Annotated[bool, typer.Option("--again", help="Build also what has not changed.")] = False,
) -> None:
    """Build all submissions, each in a sandbox of its own, and show what came of it in one table."""
    from forgeron.arena.submissions import build_all, read_submissions
    from forgeron.core.errors import OptionError

    if time <= 0 or memory < 1 or jobs < 1:
        raise OptionError("time, memory and jobs are more than 0")
    chosen = _chosen(read_submissions(folder), names or [])
    console = new_console()
    done: list[Build] = []
    with console.status(f"building {len(chosen)} submissions") as status:
        for one in build_all(chosen, seconds=time, memory_mb=memory, jobs=jobs, again=again):
            done.append(one)
            status.update(f"building {len(chosen)} submissions: {len(done)} done")
    done.sort(key=lambda one: one.submission.folder.name)
    _show(console, done)
    if any(one.verdict == "failed" for one in done):
        raise typer.Exit(FAILED)


def _chosen(found: list[Submission], names: list[str]) -> list[Submission]:
    from forgeron.core.errors import unknown_name

    known = {name for one in found for name in (one.folder.name, one.name)}
    for name in names:
        if name not in known:
            raise unknown_name("submission", name, sorted(known))
    return [one for one in found if not names or one.folder.name in names or one.name in names]


def _show(console: Console, done: list[Build]) -> None:
    from forgeron.reports.formatting import plain
    from forgeron.reports.terminal import new_table

    table = new_table("submission", "language", "verdict", "seconds", "what happened")
    for i in (1, 2, 4):
        table.columns[i].justify = "left"
    for one in done:
        spent = "" if one.seconds is None else f"{one.seconds:.1f}"
        style = "red" if one.verdict == "failed" else ""
        words = (one.submission.folder.name, one.submission.language, one.verdict, spent, one.note)
        table.add_row(*map(plain, words), style=style)
    console.print(table)
    for one in done:
        if one.verdict == "failed" and not one.submission.problem:
            console.print(
                f"log of {plain(one.submission.folder.name)}: {one.submission.log}", style="dim", soft_wrap=True
            )
