"""`forgeron play`: a game at the terminal, people and players in any combination."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.shared import (
    GameArgument,
    OptionsOption,
    PositionOption,
    PresetOption,
    examples,
    first_position,
    open_game,
)

if TYPE_CHECKING:
    from forgeron.cli.prompt import Prompt
    from forgeron.cli.screen import Screen
    from forgeron.cli.session import Effort, Session

#: What a shell expects of a program that was ended by Ctrl-C.
INTERRUPTED = 130


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron play yolah                          you begin",
            "forgeron play yolah --first greedy --second human",
            "forgeron play yolah --first monte-carlo:budget=equal --nodes 500",
            "forgeron play yolah --load game.json         go on with a game",
            "forgeron play ./my_game.py -o size=6         a game of your own",
        )
    )(play)


def play(
    game: GameArgument,
    first: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who begins: human or a player, with options as in monte-carlo:budget=equal.",
            show_default="human",
        ),
    ] = None,
    second: Annotated[
        str | None, typer.Option(metavar="WHO", help="Who answers: human or a player.", show_default="monte-carlo")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Thinking time for a move.", show_default="1, none with --nodes"),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Positions or random games for a move; with --seed every run is the same."),
    ] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads of a player.", show_default="1")] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="For all that is left to chance.", show_default="another each time"),
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    position: PositionOption = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the game in this file when it ends.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only moves and the result.")] = False,
) -> None:
    """Play a game at the terminal. At the prompt, write a move, or help for what else there is."""
    from forgeron.cli.screen import Screen
    from forgeron.core.errors import OptionError

    if seed is not None and not 0 <= seed < 2**64:
        raise OptionError(f"a seed is a number from 0 to 2⁶⁴ - 1, not {seed}")
    effort = _effort(time, nodes, threads)
    if load is None:
        session = _new(game, (first, second), seed, effort, option, preset, position)
    elif option or preset or position:
        raise OptionError("a saved game has its own options and position; leave out --option, --preset and --position")
    else:
        session = _loaded(game, (first, second), seed, effort, load)
    _play_and_leave(session, Screen(quiet=quiet), game, save)


def _effort(seconds: float | None, nodes: int | None, threads: int | None) -> Effort | None:
    """What was asked for, or None when nothing was: a limit of nodes alone has no limit of time."""
    from forgeron.cli.session import DEFAULT_SECONDS, Effort

    if seconds is None and nodes is None and threads is None:
        return None
    effort = Effort(
        DEFAULT_SECONDS if seconds is None and nodes is None else seconds, nodes, 1 if threads is None else threads
    )
    _ = effort.limit  # refuses what makes no sense
    return effort


def _new(
    name: str,
    sides: tuple[str | None, str | None],
    seed: int | None,
    effort: Effort | None,
    options: list[str] | None,
    preset: str | None,
    token: str | None,
) -> Session:
    import secrets

    from forgeron.cli.session import DEFAULT_SIDES, Effort, Session

    game = open_game(name, options, preset)
    chosen = (sides[0] or DEFAULT_SIDES[0], sides[1] or DEFAULT_SIDES[1])
    if seed is None:
        seed = secrets.randbelow(2**32)
    return Session(game, first_position(game, token), chosen, seed, effort or Effort())


def _loaded(
    name: str, sides: tuple[str | None, str | None], seed: int | None, effort: Effort | None, file: Path
) -> Session:
    from forgeron.cli.session import Session
    from forgeron.core.record import Record

    session = Session.of_record(Record.load(file), open_game(name), sides, seed, effort)
    session.saved_as = file
    return session


def _play_and_leave(session: Session, screen: Screen, name: str, save: Path | None) -> None:
    """Play to the end, or until the person leaves or something breaks: an unfinished game can always be had back."""
    from forgeron.cli.prompt import Leave, Prompt

    prompt = Prompt(session, screen)
    try:
        _play(prompt, screen)
    except Leave:
        _say_goodbye(prompt.session, screen, name, save)
    except KeyboardInterrupt:
        screen.say("")
        _say_goodbye(prompt.session, screen, name, save)
        raise typer.Exit(INTERRUPTED) from None
    except Exception:
        _say_goodbye(prompt.session, screen, name, save)
        raise
    else:
        screen.result(prompt.session)
        if save is not None:
            prompt.session.save(save)


def _play(prompt: Prompt, screen: Screen) -> None:
    """Move after move until the game has an outcome."""
    from forgeron.cli.session import HUMAN

    screen.header(prompt.session)
    if HUMAN in prompt.session.sides:
        hint = prompt.session.game.move_help
        screen.remark(f"Write a move{f' ({hint})' if hint else ''}, or help.")
    while prompt.session.outcome is None:
        session = prompt.session  # `load` puts another one there
        position = session.position
        turn = position.turn
        if turn == "chance":
            screen.thrown(session, *session.throw())
            continue
        assert turn is not None
        if session.sides[turn] == HUMAN:
            screen.board(position)
            prompt.turn()
            continue
        if HUMAN not in session.sides:
            screen.board(position)
        choice = screen.think(session.player(session.sides[turn]), session.label(turn), position, session)
        session.play(choice.move)
        screen.moved(session, choice, position)
    screen.board(prompt.session.position)


def _say_goodbye(session: Session, screen: Screen, name: str, save: Path | None) -> None:
    if save is not None and session.tokens:
        session.save(save)
    kept = session.keep()
    if kept is not None:
        screen.say("The game is kept. To go on with it:")
        screen.say(f"  forgeron play {shlex.quote(name)} --load {shlex.quote(str(kept))}")
