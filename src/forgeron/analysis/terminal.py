"""Analyses in the terminal: best lines, reviews of games, ablation tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from forgeron.players.base import Choice, Thought
from forgeron.reports.formatting import per_second, plain, with_error
from forgeron.reports.narrow_table import NarrowTable
from forgeron.reports.terminal import new_table

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.analysis.ablation import Ablation
    from forgeron.analysis.review import GameReview
    from forgeron.core.position import Position, Seat
    from forgeron.reports.replay import Replay

_MARK_STYLES = {"": "", "?!": "yellow", "?": "dark_orange", "??": "bold red"}


def thought_of(choice: Choice) -> Thought:
    """The final choice of a player, in the form of the thoughts before it."""
    return Thought(choice.lines, choice.depth, choice.nodes, choice.seconds)


def lines_table(position: Position, thought: Thought) -> Table:
    """The best lines with the mover's win probability, and what they cost to find."""
    seat = position.game.seats[1 if position.turn == 1 else 0]
    table = NarrowTable(box=box.SIMPLE_HEAD, pad_edge=False, caption_justify="left", caption_style="dim")
    table.add_column("", justify="right", style="cyan")
    table.add_column(f"{seat} wins", justify="right", no_wrap=True)
    table.add_column("line", overflow="fold")
    for rank, line in enumerate(thought.lines, 1):
        value = f"{line.value:.0%} proven" if line.proven else f"{line.value:.1%}"
        table.add_row(str(rank), value, " ".join(line.moves), style="bold" if rank == 1 else "")
    speed = per_second(thought.nodes, thought.seconds)
    table.caption = f"depth {thought.depth}, {thought.nodes:,} nodes in {thought.seconds:.1f} s ({speed})"
    return table


def show_review(console: Console, replay: Replay, review: GameReview) -> None:
    """Every move with what it gave away, then how both sides played."""
    console.print(replay.title, style="bold", soft_wrap=True)
    table = new_table("ply", "who", "move", "before", "after", "loss", "", "better")
    table.columns[0].justify = "right"
    for i in (1, 2, 6, 7):
        table.columns[i].justify = "left"
    for one in review.moves:
        who = "throw" if one.seat is None else replay.game.seats[one.seat]
        loss = f"{one.loss:.1%}" if one.best else ""
        better = " ".join(one.best[:4]) if one.mark else ""
        style = "dim" if one.seat is None else _MARK_STYLES[one.mark]
        values = ("", "") if one.seat is None else (f"{one.before:.1%}", f"{one.after:.1%}")
        table.add_row(str(one.ply), who, plain(one.move), *values, loss, one.mark, better, style=style)
    console.print(table)
    luck = [] if review.luck is None else ["lost by moves", "luck"]
    sides = new_table("side", "choices", "average loss", "?!", "?", "??", *luck)
    seats: tuple[Seat, Seat] = (0, 1)
    for seat in seats:
        side = review.side(seat)
        name = f"{replay.game.seats[seat]} {plain(replay.record.players[seat])}".strip()
        counts = [str(side.marks[mark]) for mark in ("?!", "?", "??")]
        fortune = [] if side.luck is None else [f"{side.total_loss:.1%}", f"{side.luck:+.1%}"]
        sides.add_row(name, str(side.moves), f"{side.average_loss:.2%}", *counts, *fortune)
    console.print(sides)


def ablation_table(ablation: Ablation) -> Table:
    """Nodes and time of each step, and where matches are played its Elo over the step before."""
    heads = ["step", "nodes", "of the last", "CPU s", "nodes/s"]
    table = new_table(*heads, *(["score", "Elo over the last"] if ablation.games else []))
    table.title = f"{ablation.game.title}: {len(ablation.positions)} positions to depth {ablation.depth}"
    last: int | None = None
    for step in ablation.steps:
        cells = [step.enhancement]
        if step.effort is not None:
            share = "" if last is None else f"{step.effort.nodes / last:.1%}"
            speed = per_second(step.effort.nodes, step.effort.cpu_seconds)
            cells += [f"{step.effort.nodes:,}", share, f"{step.effort.cpu_seconds:.3f}", speed]
            last = step.effort.nodes
        if step.standing is not None and step.standing.games:
            cells += [f"{step.standing.points:g}/{step.standing.games}", with_error(step.standing.summary.elo)]
        table.add_row(*cells)
    table.caption, table.caption_justify, table.caption_style = ablation.now, "left", "dim"
    return table
