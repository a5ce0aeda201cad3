"""`forgeron publish`: an event as a static site."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from forgeron.reports.results import EventResults
    from forgeron.reports.site_pages import SiteOptions

#: How often the journal is looked at with --watch.
_LOOK_SECONDS = 2.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron publish class.toml --out site",
            "forgeron publish class.toml --out site --watch           renew it while games are played",
            "forgeron publish class.toml --out site --title 'Spring cup' --text welcome.txt",
            "forgeron publish monday.journal friday.journal --out site",
        )
    )(publish)


def publish(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="The tournament file or the journal; several are merged.")
    ],
    out: Annotated[Path, typer.Option(metavar="SITE", help="The folder of the site.")],
    title: Annotated[str | None, typer.Option(metavar="TITLE", help="Another title than the event's.")] = None,
    text: Annotated[Path | None, typer.Option(metavar="FILE", help="A text for the first page.")] = None,
    logs: Annotated[
        bool | None,
        typer.Option("--logs", help="Also publish what bots wrote to standard error when they failed."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Renew the site until the event is over.")] = False,
) -> None:
    """Write an event, finished or not, as a static site: standings, a page for each bot, replays of all games."""
    options = site_options(files[0], title, text, logs)
    console = new_console()
    seen: list[tuple[int, int]] = []
    while True:
        stamps = [_stamp(journal_of(file)) for file in files]
        if stamps != seen:
            seen = stamps
            results = _read(files)
            written = write(results, out, options)
            console.print(f"{len(results.games)} games, {written} files written: {out / 'index.html'}", soft_wrap=True)
        if not watch or results.due == 0:
            return
        time.sleep(_LOOK_SECONDS)


def write(results: EventResults, out: Path, options: SiteOptions) -> int:
    """Write the site of these results; without its game, games are listed and cannot be replayed."""
    from forgeron.core.errors import ForgeronError
    from forgeron.reports.site import write_site

    try:
        game = results.event.terms.open_game()
    except ForgeronError as error:
        typer.echo(f"the site has no boards: {error}", err=True)
        game = None
    return write_site(results, game, out, options)


def site_options(
    file: Path, title: str | None = None, text: Path | None = None, logs: bool | None = None
) -> SiteOptions:
    """What the table [site] of the tournament file says, and what was said on the command line before that."""
    from forgeron.arena.tournament_file import read_site_table
    from forgeron.core.errors import ForgeronError
    from forgeron.reports.site_pages import SiteOptions

    source = file.with_suffix(".toml") if file.name else file  # the folder / has no name
    told = read_site_table(source) if source.is_file() else {}
    try:
        words = told.get("text", "") if text is None else text.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ForgeronError(f"cannot read {text}: {getattr(error, 'strerror', None) or error}") from None
    return SiteOptions(title or told.get("title", ""), words, bool(told.get("logs")) if logs is None else logs)


def journal_of(file: Path) -> Path:
    return file.with_suffix(".journal") if file.suffix == ".toml" else file


def _read(files: list[Path]) -> EventResults:
    from forgeron.reports.results import merge_results, read_results

    parts = [read_results(journal_of(file)) for file in files]
    return parts[0] if len(parts) == 1 else merge_results(parts)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
