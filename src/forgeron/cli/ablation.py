"""`forgeron ablation`: what each idea of the search is worth."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.aside import aside
from forgeron.cli.event import JobsOption
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game, per_second

if TYPE_CHECKING:
    from rich.table import Table

    from forgeron.arena.ablation import Effort
    from forgeron.arena.match import Standing


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron ablation yolah                          nodes, time and Elo of each step",
            "forgeron ablation yolah --depth 5 --games 0      no matches",
            "forgeron ablation mancala --time 5000n           matches at equal nodes, repeatable",
            "forgeron ablation yinsh --csv > steps.csv        for a spreadsheet",
        )
    )(ablation)


@dataclass
class Step:
    """One line of the table, as far as it is known."""

    idea: str
    effort: Effort | None = None
    standing: Standing | None = None


@dataclass
class Steps:
    """The whole table."""

    depth: int
    positions: int
    rows: list[Step] = field(default_factory=list)
    now: str = ""
    """what is being done"""


def ablation(
    game: GameArgument,
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Plies that each step searches.", show_default="what plain minimax can"),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", min=0, help="Games against the step before; 0: no match.")] = 40,
    time: Annotated[
        str, typer.Option(metavar="TIME", help="In these games: 0.05 (seconds a move) or 5000n (nodes).")
    ] = "0.05",
    jobs: JobsOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values instead of a table.")] = False,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Build up the minimax player idea by idea, and measure what each one is worth.

    Nodes and processor time are those of a search of a few fixed positions to one depth; the nodes are the same in
    every run. Elo is that of a match against the step before at equal time or nodes.
    """
    from forgeron.arena.ablation import check_plays, fitting_depth, fixed_positions, steps
    from forgeron.arena.clock import TimeControl
    from forgeron.core.errors import OptionError

    found = open_game(game, option, preset)
    check_plays(found)
    TimeControl.parse(time)
    if games % 2:
        raise OptionError(f"games are played in pairs: give an even number such as 40, not {games}")
    positions = fixed_positions(found)
    plies = depth or aside(lambda: fitting_depth(found, positions))
    table = Steps(plies, len(positions), [Step(idea) for idea in steps()])
    console = new_console(stderr=as_csv)
    work = _Work(game, found, positions, table, games, time, 1 if jobs is None else jobs)
    if console.is_terminal:
        from rich.live import Live

        with Live(console=console, refresh_per_second=4, get_renderable=lambda: _table(found.title, table, games)):
            work.run(lambda _text: None)
    else:
        work.run(lambda text: typer.echo(text, err=True))
        if not as_csv:
            console.print(_table(found.title, table, games))
    if as_csv:
        _write_csv(table)


class _Work:
    """Fills the table step by step."""

    def __init__(self, asked, game, positions, table: Steps, games: int, time: str, jobs: int) -> None:  # type: ignore[no-untyped-def]
        self._asked, self._game, self._positions = asked, game, positions
        self._table, self._games, self._time, self._jobs = table, games, time, jobs

    def run(self, say) -> None:  # type: ignore[no-untyped-def]
        from forgeron.arena.ablation import measure

        for row in self._table.rows:
            self._table.now = f"searching with {row.idea} …"
            say(self._table.now)
            row.effort = aside(lambda row=row: measure(self._game, row.idea, self._positions, self._table.depth))  # type: ignore[misc]
        for before, row in zip(self._table.rows, self._table.rows[1:], strict=False):
            if self._games:
                say(f"{row.idea} against {before.idea} …")
                self._play(row, before)
        self._table.now = ""

    def _play(self, row: Step, before: Step) -> None:
        from forgeron.arena.ablation import play_steps

        pair = (row.idea, before.idea)
        for standing in play_steps(self._asked, self._game, pair, self._games, self._time, self._jobs):
            row.standing = standing
            self._table.now = f"{row.idea} against {before.idea}: {standing.played} of {self._games} games"


def _table(title: str, steps: Steps, games: int) -> Table:
    from forgeron.cli.tables import new_table, with_error

    heads = ["step", "nodes", "of the last", "CPU s", "nodes/s"]
    table = new_table(*heads, *(["score", "Elo over the last"] if games else []))
    table.title = f"{title}: {steps.positions} positions to depth {steps.depth}"
    last: Effort | None = None
    for row in steps.rows:
        cells = [row.idea]
        if row.effort is not None:
            share = "" if last is None else f"{row.effort.nodes / last.nodes:.1%}"
            speed = per_second(row.effort.nodes, row.effort.cpu_seconds)
            cells += [f"{row.effort.nodes:,}", share, f"{row.effort.cpu_seconds:.3f}", speed]
            last = row.effort
        if row.standing is not None and row.standing.summary.score is not None:
            summary = row.standing.summary
            cells += [f"{row.standing.points:g}/{row.standing.games}", with_error(summary.elo)]
        table.add_row(*cells)
    table.caption, table.caption_justify, table.caption_style = steps.now, "left", "dim"
    return table


def _write_csv(steps: Steps) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["step", "depth", "nodes", "cpu_seconds", "games", "points", "elo", "elo_low", "elo_high"])
    for row in steps.rows:
        effort, standing = row.effort, row.standing
        cells: list[object] = [row.idea, steps.depth]
        cells += [effort.nodes, f"{effort.cpu_seconds:.4f}"] if effort else ["", ""]
        elo = standing.summary.elo if standing else None
        cells += [standing.games, standing.points] if standing else ["", ""]
        cells += [f"{elo.value:.1f}", f"{elo.low:.1f}", f"{elo.high:.1f}"] if elo else ["", "", ""]
        writer.writerow(cells)
