"""`forgeron tournament`: many programs, one file that says how."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.event_runner import (
    ExecutorOption,
    FairOption,
    RemainingTime,
    find_executor,
    follow,
    replay_unfair,
    say_resumed,
    say_stopped,
    say_weakness,
)
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import jobs_option
from forgeron.cli.shared import examples, new_console, say_notices
from forgeron.reports.formatting import say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from forgeron.arena.executor import Executor
    from forgeron.arena.revision import OpenEvent
    from forgeron.reports.results import EventResults


#: How often a site is renewed at most.
_SITE_SECONDS = 10.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron tournament class.toml --dry-run        check bots and schedule first",
            "forgeron tournament class.toml                  play, or resume",
            "forgeron tournament class.toml --replay ann     ann's bot was mended: play its games again",
            "forgeron tournament class.toml --jobs 4 --publish site",
            "forgeron results class.journal                  see results so far",
        )
    )(tournament)


def tournament(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The tournament: a TOML file, see docs/tournaments.md.")],
    jobs: Annotated[
        int | None, jobs_option(help="Games played in parallel.", show_default="what the file says, else 1")
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where games are kept.", show_default="beside the file"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Play nothing: check every bot, show the schedule and how long it takes.")
    ] = False,
    replay: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Play all games of this entrant again; can be repeated."),
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report at the end.")] = None,
    publish: Annotated[
        Path | None, typer.Option(metavar="SITE", help="Write a static site, and renew it while games are played.")
    ] = None,
    executor: ExecutorOption = "local",
    fair: FairOption = False,
) -> None:
    """Play a tournament, or resume an interrupted one, and show the results.

    After an edit of the file only what is new is played, also when it is edited while the tournament runs.
    """
    from forgeron.arena.tournament_file import read_tournament

    event, wanted = read_tournament(file)
    count = wanted if jobs is None else jobs
    where = find_executor(executor, count)
    console = new_console()
    kept = journal or file.with_suffix(".journal")
    if dry_run:
        from forgeron.cli.dry_run import rehearse

        _say_left_out(console, file)
        rehearse(console, event, kept, count)
        return
    run = _Run(console, file, kept, where, publish, fair)
    results = run.to_the_end(replay or [])
    _conclude(console, results, kept, html)
    if publish is not None:
        console.print(f"site: {publish / 'index.html'}", soft_wrap=True)


@dataclass
class _Run:
    """One run of the command; it begins anew whenever the file was edited."""

    console: Console
    file: Path
    kept: Path
    where: Executor
    site: Path | None = None
    fair: bool = False

    def __post_init__(self) -> None:
        self._said: set[str] = set()
        self._next_site = 0.0

    def to_the_end(self, replay: list[str]) -> EventResults:
        while True:
            results = self._once(replay)
            if results is not None:
                return results
            replay = []
            say(self.console, f"{self.file} was edited", "bold")

    def _once(self, replay: list[str]) -> EventResults | None:
        """Play on; None when the file has changed on the way."""
        from forgeron.arena.revision import open_event
        from forgeron.arena.tournament_file import read_tournament
        from forgeron.reports.results import results_of

        watch = _FileWatch(self.file, lambda said: say(self.console, said, "yellow"))
        wanted, _ = read_tournament(self.file)
        say_notices(wanted.terms.open_game(), [one.located(self.file.parent) for one in wanted.entrants])
        _say_left_out(self.console, self.file)
        with open_event(wanted, self.kept, replay) as event:
            say_resumed(self.console, event.journal)
            for change in event.changes:
                say(self.console, f"changed: {change}")
            self._say_bots(event)
            say_weakness(self.console, wanted.entrants, self.file.parent)
            try:
                where = replay_unfair(self.console, event.tournament, event.journal, self.where, fair=self.fair)
                edited = _follow(self.console, event, where, watch, self._renew)
            except KeyboardInterrupt:
                say_stopped(self.console, event.journal)
                raise typer.Exit(INTERRUPTED) from None
            if edited:
                return None
            self._renew(event, at_once=True)
            self._say_bots(event, "now")
            return results_of(event.tournament, event.journal.records)

    def _renew(self, event: OpenEvent, *, at_once: bool = False) -> None:
        """Write the site, where there is one, but not after every single game."""
        if self.site is None:
            return
        import time

        from forgeron.cli.publish import site_options, write
        from forgeron.reports.results import results_of

        began = time.monotonic()
        if at_once or began >= self._next_site:
            write(results_of(event.tournament, event.journal.records), self.site, site_options(self.file))
            spent = time.monotonic() - began
            self._next_site = began + max(_SITE_SECONDS, 10 * spent)

    def _say_bots(self, event: OpenEvent, when: str = "") -> None:
        """Name the bots that are not what they were, and what can be done about it."""
        from forgeron.arena.revision import changed_bots, set_aside
        from forgeron.arena.tournament import FREE_FORMATS

        aside = set_aside(event.tournament, event.journal.records)
        changed = changed_bots(event.tournament, event.journal.records)
        again = event.tournament.format in FREE_FORMATS
        for name, games in changed.items():
            if when and name in self._said:
                continue
            self._said.add(name)
            kept = f"{games} game{'s' * (games != 1)} of its earlier version count"
            was = f"it was set aside, and {kept.replace(' count', ' count as lost')}" if name in aside else kept
            offer = f"; --replay {_quoted(name)} plays all its games again" if again else ""
            self._warn(f"{name}: its files have changed; {was}{offer}")
        for name, why in aside.items():
            if name not in changed and (when or name not in self._said):
                self._said.add(name)
                offer = "; when its files are mended, the same command plays its games again" if again else ""
                self._warn(f"{name} is set aside: {why.removeprefix(f'{name}: ')}{offer}")

    def _warn(self, text: str) -> None:
        from forgeron.reports.formatting import plain

        say(self.console, f"note: {plain(text)}", "yellow")


class _FileWatch:
    """Whether a tournament file was edited since it was read. An edit that cannot be read is told once and waits."""

    def __init__(self, file: Path, complain: Callable[[str], None]) -> None:
        self._file, self._complain = file, complain
        self._seen = self._stamp()

    def edited(self) -> bool:
        from forgeron.arena.tournament_file import read_tournament
        from forgeron.core.errors import ForgeronError

        stamp = self._stamp()
        if stamp == self._seen:
            return False
        self._seen = stamp
        try:
            read_tournament(self._file)
        except ForgeronError as error:
            self._complain(f"the edit is not taken yet: {error}")
            return False
        return True

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self._file.stat()
        except OSError:
            return 0, 0
        return found.st_mtime_ns, found.st_size


def _follow(
    console: Console, event: OpenEvent, where: Executor, watch: _FileWatch, renew: Callable[[OpenEvent], None]
) -> bool:
    """Play and show it; True when the file was edited before the end."""
    from forgeron.arena.tournament import play_tournament
    from forgeron.reports.formatting import duration
    from forgeron.reports.results import results_of
    from forgeron.reports.terminal import live_standings

    pace = RemainingTime()
    table: list[tuple[int, Table]] = []
    edited = [False]

    def noted() -> Generator[tuple[int, int], None, None]:
        with closing(play_tournament(event.tournament, event.journal, where)) as course:
            for done, total in course:
                pace.update(done, total)
                yield done, total
                renew(event)
                if done < total and watch.edited():
                    edited[:] = [True]
                    return

    def said(state: tuple[int, int]) -> str:
        return f"{state[0]} of {state[1]} games, {duration(pace.left)} left"

    def line(state: tuple[int, int]) -> str | None:
        every = max(1, state[1] // 20)
        return said(state) if state[0] % every == 0 and state[0] < state[1] else None

    def live(state: tuple[int, int]) -> Table:
        # Ratings of a large event take a while: a table that is a little old will do.
        if not table or state[0] >= table[-1][0] + max(1, state[0] // 50):
            table[:] = [(state[0], live_standings(results_of(event.tournament, dict(event.journal.records))))]
        table[-1][1].caption = said(state)
        return table[-1][1]

    follow(console, noted(), table=live, line=line, transient=True)
    return edited[0]


def _conclude(console: Console, results: EventResults, kept: Path, html: Path | None) -> None:
    from forgeron.reports.terminal import show_results

    game = results.event.terms.open_game()
    show_results(console, results, game)
    if html is not None:
        from forgeron.core.files import write_file
        from forgeron.reports.html import to_html

        write_file(html, to_html(results, game), make_folder=True)
        console.print(f"report: {html}", soft_wrap=True)
    else:
        console.print(f"games: {kept} (forgeron results {kept} --html report.html)", style="dim", soft_wrap=True)


def _say_left_out(console: Console, file: Path) -> None:
    """Name the submissions that do not take part."""
    from forgeron.arena.submissions import left_out, read_submissions, submission_folder
    from forgeron.arena.toml_table import read_toml
    from forgeron.reports.formatting import plain

    data = read_toml(file)
    if "submissions" not in data:
        return
    table = data["submissions"]
    for one in read_submissions(submission_folder(table, file.parent)):
        why = left_out(one, table)
        if why:
            say(console, f"note: {plain(one.folder.name)} does not take part: {plain(why)}", "yellow")


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)
