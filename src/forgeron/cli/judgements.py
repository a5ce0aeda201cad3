"""What an analysis found, as tables in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from forgeron.cli.shared import per_second
from forgeron.cli.tables import new_table, plain
from forgeron.players.base import Choice, Thought

if TYPE_CHECKING:
    from rich.console import Console

    from forgeron.arena.analysis import Judgement
    from forgeron.arena.replaying import Replay
    from forgeron.core.position import Position, Seat

_MARK_STYLES = {"": "", "?!": "yellow", "?": "dark_orange", "??": "bold red"}


def thought_of(choice: Choice) -> Thought:
    """The last word of a player, in the form of those before it."""
    return Thought(choice.lines, choice.depth, choice.nodes, choice.seconds)


def lines_table(position: Position, thought: Thought) -> Table:
    """The best lines with the mover's win probability, and what they cost to find."""
    seat = position.game.seats[1 if position.turn == 1 else 0]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption_justify="left", caption_style="dim")
    table.add_column("", justify="right", style="cyan")
    table.add_column(f"{seat} wins", justify="right", no_wrap=True)
    table.add_column("line", overflow="fold")
    for rank, line in enumerate(thought.lines, 1):
        value = f"{line.value:.0%} proven" if line.proven else f"{line.value:.1%}"
        table.add_row(str(rank), value, " ".join(line.moves), style="bold" if rank == 1 else "")
    speed = per_second(thought.nodes, thought.seconds)
    table.caption = f"depth {thought.depth}, {thought.nodes:,} nodes in {thought.seconds:.1f} s ({speed})"
    return table


def game_title(replay: Replay) -> str:
    """Which game it was and who played it."""
    first, second = (plain(name) or replay.game.seats[i] for i, name in enumerate(replay.record.players))
    return f"{replay.game.title}: {first} – {second}"


def show_judgement(console: Console, replay: Replay, judgement: Judgement) -> None:
    """Every move with what it gave away, then how both sides played."""
    console.print(game_title(replay), style="bold", soft_wrap=True)
    table = new_table("ply", "who", "move", "before", "after", "loss", "", "better")
    table.columns[0].justify = "right"
    for i in (1, 2, 6, 7):
        table.columns[i].justify = "left"
    for one in judgement.moves:
        who = "throw" if one.seat is None else replay.game.seats[one.seat]
        loss = f"{one.loss:.1%}" if one.best else ""
        better = " ".join(one.best[:4]) if one.mark else ""
        style = "dim" if one.seat is None else _MARK_STYLES[one.mark]
        values = ("", "") if one.seat is None else (f"{one.before:.1%}", f"{one.after:.1%}")
        table.add_row(str(one.ply), who, plain(one.move), *values, loss, one.mark, better, style=style)
    console.print(table)
    sides = new_table("side", "choices", "average loss", "?!", "?", "??")
    seats: tuple[Seat, Seat] = (0, 1)
    for seat in seats:
        side = judgement.side(seat)
        name = f"{replay.game.seats[seat]} {plain(replay.record.players[seat])}".strip()
        counts = [str(side.marks[mark]) for mark in ("?!", "?", "??")]
        sides.add_row(name, str(side.moves), f"{side.average_loss:.2%}", *counts)
    console.print(sides)
