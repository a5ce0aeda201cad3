"""`forgeron results`: the results of an event in every format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import examples, new_console

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.reports.results import EventResults

Target = Path | None


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron results class.journal",
            "forgeron results class.journal --html report.html --csv table.csv",
            "forgeron results class.journal --query \\",
            "  'SELECT reason, count(*) FROM games GROUP BY reason'",
            "forgeron results class.journal --games ann              the games of one entrant",
            "forgeron results monday.journal friday.journal          one table of both",
            "forgeron results class.journal --repair new.journal     save undamaged games",
        )
    )(results)


def results(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="JOURNAL... [NAME]",
            help="The journal of a match or tournament, several are merged; with --games, an entrant of it.",
        ),
    ],
    games: Annotated[
        bool, typer.Option("--games", help="List the games, those of an entrant with its name after it.")
    ] = False,
    csv: Annotated[Target, typer.Option(metavar="FILE", help="Write standings and crosstable as CSV.")] = None,
    games_csv: Annotated[Target, typer.Option(metavar="FILE", help="Write one CSV line per game.")] = None,
    json: Annotated[Target, typer.Option(metavar="FILE", help="Write all results as JSON.")] = None,
    html: Annotated[Target, typer.Option(metavar="FILE", help="Write an HTML report with plots and replays.")] = None,
    sqlite: Annotated[Target, typer.Option(metavar="FILE", help="Write an SQLite database of games and moves.")] = None,
    query: Annotated[
        str | None,
        typer.Option(
            metavar="SQL", help="Run an SQL query on the tables entrants, games and moves, and print the result."
        ),
    ] = None,
    repair: Annotated[
        Target, typer.Option(metavar="FILE", help="Write the undamaged games of a damaged journal to a new one.")
    ] = None,
) -> None:
    """Show the results of a match or tournament, finished or not, and write them to files."""
    paths, names = _read_words(what, games)
    if repair is not None:
        _repair(paths, repair)
        return
    found = _read(paths)
    if query is not None:
        _answer(found, query)
        return
    if games:
        _list_games(found, paths, names)
        return
    game = _game(found)
    written = _write(found, game, {"csv": csv, "games_csv": games_csv, "json": json, "html": html, "sqlite": sqlite})
    if written:
        for path in written:
            typer.echo(f"written: {path}")
        return
    from forgeron.reports.terminal import show_results

    show_results(new_console(), found, game)


def _read_words(words: list[str], games: bool) -> tuple[list[Path], list[str]]:
    """The journals, and with --games the entrants that were named after them."""
    for word in () if games else words[1:]:
        if not _is_journal(word) and not Path(word).exists():
            from forgeron.core.errors import OptionError

            raise OptionError(f"there is no file {word}; if that is an entrant, --games {word} lists its games")
    many = next((i for i, word in enumerate(words[1:], 1) if games and not _is_journal(word)), len(words))
    paths = [Path(word) for word in words[:many]]
    return [one.with_suffix(".journal") if one.suffix == ".toml" else one for one in paths], words[many:]


def _is_journal(word: str) -> bool:
    return Path(word).suffix in (".toml", ".journal") or Path(word).is_file()


def _list_games(found: EventResults, paths: list[Path], names: list[str]) -> None:
    from forgeron.reports import schema
    from forgeron.reports.game_list import games_of
    from forgeron.reports.terminal import to_table

    console = new_console()
    for name in names:
        console.print(to_table(games_of(found, name)))
    if not names:
        console.print(to_table(schema.games(found).only("number", "players", "result", "reason", "plies")))
    if len(paths) > 1:
        return
    for what, command in (("review one", "analyse"), ("step through it", "replay")):
        console.print(f"{what}: forgeron {command} {paths[0]} --game N", style="dim", soft_wrap=True)


def _read(paths: list[Path]) -> EventResults:
    from forgeron.reports.results import merge_results, read_results

    parts = [read_results(path) for path in paths]
    return parts[0] if len(parts) == 1 else merge_results(parts)


def _repair(journals: list[Path], target: Path) -> None:
    from forgeron.arena.journal import repair
    from forgeron.core.errors import OptionError

    if len(journals) > 1:
        raise OptionError("one journal is repaired at a time")
    (journal,) = journals
    kept, damage = repair(journal, target)
    for one in damage:
        typer.echo(f"{'left out' if one.lost else 'kept as it is'}: {one.describe(journal)}")
    typer.echo(f"written: {target} ({kept} game{'s' * (kept != 1)} kept, {sum(one.lost for one in damage)} left out)")


def _game(found: EventResults) -> Game | None:
    """The game, where it is still to be had: results can be shown without it, boards cannot."""
    from forgeron.core.errors import ForgeronError

    try:
        return found.event.terms.open_game()
    except ForgeronError as error:
        typer.echo(f"the report has no boards: {error}", err=True)
        return None


def _write(found: EventResults, game: Game | None, wanted: dict[str, Path | None]) -> list[Path]:
    from forgeron.core.files import write_file
    from forgeron.reports.csv import games_csv, standings_csv
    from forgeron.reports.html import to_html
    from forgeron.reports.json import to_json
    from forgeron.reports.sqlite import build

    texts = {
        "csv": lambda: standings_csv(found),
        "games_csv": lambda: games_csv(found),
        "json": lambda: to_json(found, game),
        "html": lambda: to_html(found, game),
    }
    for kind, path in wanted.items():
        if path is not None and kind == "sqlite":
            build(found, path).close()
        elif path is not None:
            write_file(path, texts[kind](), make_folder=True)
    return [path for path in wanted.values() if path is not None]


def _answer(found: EventResults, query: str) -> None:
    from forgeron.reports.sqlite import ask
    from forgeron.reports.terminal import answer_table

    console = new_console()
    console.print(answer_table(console, *ask(found, query)))
