"""`forgeron replay`: a game that was played, move by move."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from forgeron.reports.replay import Replay

DIFFERENT = 1


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron replay game.json                    step through a game",
            "forgeron replay class.journal --game 12      one of a tournament",
            "forgeron replay game.json --moves            its moves as text",
            "forgeron replay moves.txt --game yolah --save game.json",
        )
    )(replay)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (JSON), a journal, or plain moves as text.")],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="With a journal: the number or id of a game. With plain moves: the name or path of their game.",
        ),
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    whole: Annotated[bool, typer.Option("--all", help="Print all positions at once.")] = False,
    moves: Annotated[bool, typer.Option("--moves", help="Print only the moves.")] = False,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as a record (JSON).")] = None,
) -> None:
    """Step through a game, after checking that it replays exactly."""
    from forgeron.core.errors import OptionError
    from forgeron.reports.replay import GameNotChosenError, GameNotNamedError, is_journal, load, write_moves

    with_journal = file.is_file() and is_journal(_beginning(file))
    named = open_game(game, option, preset) if game is not None and not with_journal else None
    try:
        found = load(file, game if with_journal else None, named)
    except GameNotNamedError:
        raise OptionError(f"{file} holds plain moves; say of which game with --game") from None
    except GameNotChosenError as error:
        raise OptionError(f"{error} with --game") from None
    if save is not None:
        found.record.save(save)
    if moves:
        typer.echo(write_moves(found.record), nl=False)
    elif save is not None:
        typer.echo(f"written: {save}")
    else:
        _show(found, whole or not sys.stdin.isatty())
    if found.problem is not None:
        typer.echo(f"this game does not replay exactly: {found.problem}", err=True)
        raise typer.Exit(DIFFERENT)


def _beginning(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as opened:
        return opened.readline()


def _show(found: Replay, whole: bool) -> None:
    record = found.record
    console = new_console()
    console.print(f"{found.title}, {len(record.moves)} plies", style="bold", soft_wrap=True)
    if found.problem is None:
        console.print("replays exactly: every move is legal and the result matches the record", style="green")
    ply = 0
    if not whole:
        console.print("Enter: next, b: back, NUMBER: go to that ply, e: end, q: quit", style="dim")
    while True:
        _print_ply(found, ply)
        if whole:
            if ply == len(record.moves):
                break
            ply += 1
            continue
        try:
            typed = input(f"{ply}/{len(record.moves)}> ").strip().lower()
        except EOFError:
            break
        if typed == "q":
            return
        target = {"": ply + 1, "b": ply - 1, "e": len(record.moves)}.get(typed)
        if target is None:
            target = int(typed) if typed.isdigit() else ply
        ply = max(0, min(target, len(record.moves)))


def _print_ply(found: Replay, ply: int) -> None:
    from forgeron.reports.formatting import plain

    console = new_console()
    record = found.record
    notes = {note.get("ply"): note for note in record.extra.get("notes", []) if isinstance(note, dict)}
    if ply:
        note = notes.get(ply - 1, {})
        said = [f"{ply}. {record.moves[ply - 1]}"]
        said += [f"{note['t']:.3f} s"] if "t" in note else []
        said += [f"the mover expects {note['v']:.0%}"] if "v" in note else []
        console.print(", ".join(said), style="cyan", soft_wrap=True)
    console.print(f"\n{found.positions[ply].draw()}\n", soft_wrap=True)
    if ply == len(record.moves):
        winner = "draw" if record.winner is None else f"{plain(record.players[record.winner]) or 'seat'} wins"
        winner = "not finished" if record.reason == "unfinished" else winner
        detail = plain(record.extra.get("detail", ""))
        shown = f": {detail}" if detail and detail != record.reason else ""
        scores = f"{record.scores[0]} : {record.scores[1]}"
        console.print(f"{winner} ({scores}), {plain(record.reason)}{shown}", style="bold", soft_wrap=True)
