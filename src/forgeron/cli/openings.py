"""`forgeron openings`: balanced openings for matches and tournaments, in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.bounds import MOST_PLIES
from forgeron.cli.number_options import games_option, nodes_option, seed_option
from forgeron.cli.shared import GameArgument, OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from forgeron.arena.openings import Balance, Opening
    from forgeron.core.position import Position


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron openings yolah --out yolah.openings                100 openings of 4 plies",
            "forgeron openings mancala --preset course --count 50 --plies 6 --margin 0.03 --out m.openings",
            "forgeron openings yinsh --player mcts --nodes 2000 --out y.openings",
            "forgeron match yolah mcts minimax --openings yolah.openings  play from them",
        )
    )(openings)


def openings(
    game: GameArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write them.")],
    count: Annotated[int, games_option(help="How many openings.")] = 100,
    plies: Annotated[int, typer.Option(min=1, max=MOST_PLIES, metavar="K", help="Moves of the players in each.")] = 4,
    margin: Annotated[
        float,
        typer.Option(metavar="P", min=0.0, max=0.5, help="How far from even: 0.05 is a win probability of 45 … 55 %."),
    ] = 0.05,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who judges them, with options as in minimax:hash=256.",
            show_default="minimax; with dice, the strongest that plays the game",
        ),
    ] = None,
    nodes: Annotated[int, nodes_option(help="Nodes for each judgement.")] = 5000,
    seed: Annotated[int, seed_option(help="Another seed gives other openings.")] = 0,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Write openings that a search finds balanced, no two of them the same up to symmetry.

    Lines are drawn at random and kept when the search thinks that both sides have the same chances, within the margin.
    `match --openings` and `openings` in a tournament file take the file. The same command writes the same file.
    """
    from forgeron.analysis.review import open_analyst
    from forgeron.arena.opening_book import balance_by_search, write_openings
    from forgeron.arena.openings import draw_openings
    from forgeron.players.base import Limit

    found = open_game(game, option, preset)
    judge = open_analyst(found, player, 1)
    counted = _Counted(balance_by_search(judge, Limit(nodes=nodes)), margin)

    def draw() -> list[Opening]:
        return draw_openings(found, count, plies=plies, seed=seed, balance=counted, tolerance=margin)

    console = new_console(stderr=True)
    if console.is_terminal:
        with console.status("") as status:
            counted.tell = lambda tried, kept: status.update(f"{tried} lines tried, {kept} of {count} openings found")
            lines = run_interruptibly(draw, stop=judge.stop)
    else:
        typer.echo(f"drawing {count} openings", err=True)
        lines = run_interruptibly(draw, stop=judge.stop)
    values = [counted.values[one.play(found)] for one in lines]
    note = f"{plies} plies, within {margin:.0%} of even by {judge.name} at {nodes} nodes, seed {seed}"
    write_openings(out, found, lines, note, values)
    typer.echo(f"written: {out} ({len(lines)} openings; {counted.tried} positions were judged)")


class _Counted:
    """A judge of positions that remembers what it said and tells how far it is."""

    def __init__(self, judge: Balance, margin: float) -> None:
        self.judge, self.margin = judge, margin
        self.values: dict[Position, float] = {}
        self.tried = self.kept = 0
        self.tell: Callable[[int, int], None] = lambda _tried, _kept: None

    def __call__(self, position: Position) -> float:
        value = self.values[position] = self.judge(position)
        self.tried += 1
        self.kept += abs(value - 0.5) <= self.margin
        self.tell(self.tried, self.kept)
        return value
