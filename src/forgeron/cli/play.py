"""`forgeron play`: a game at the terminal, people and players in any combination."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import nodes_option, seconds_option, seed_option, threads_option
from forgeron.cli.shared import (
    GameArgument,
    OptionsOption,
    PositionOption,
    PresetOption,
    examples,
    first_position,
    open_game,
    say_notices,
)

if TYPE_CHECKING:
    from forgeron.cli.prompt import Prompt
    from forgeron.cli.screen import Screen
    from forgeron.cli.session import Session, ThinkingBudget
    from forgeron.core.game import Game


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron play yolah                          you move first, against a casual opponent",
            "forgeron play yolah --level strongest        against an opponent by name: beginner … strongest",
            "forgeron play yolah --first greedy --second human",
            "forgeron play yolah --first monte-carlo:budget=equal --nodes 500",
            "forgeron play yolah --load game.json         resume a saved game",
            "forgeron play ./my_game.py -o size=6         a game of your own",
        )
    )(play)


def play(
    game: GameArgument,
    first: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who begins: human, a player with options as in monte-carlo:budget=equal, its file, or a command.",
            show_default="human",
        ),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who answers, written likewise.",
            show_default="level casual; with --time, --nodes or a player as --first, the player of level strongest",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Your opponent by name: beginner, novice, casual, club, expert or strongest; in place of --second.",
            show_default="casual",
        ),
    ] = None,
    time: Annotated[
        float | None,
        seconds_option(
            help="Thinking time per move.",
            show_default="1; none with --nodes",
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        nodes_option(
            help="Nodes per move (positions or random games). With --seed, every run is the same.",
        ),
    ] = None,
    threads: Annotated[int | None, threads_option(help="Threads per player.", show_default="1")] = None,
    seed: Annotated[
        int | None,
        seed_option(help="Seed of all randomness.", show_default="random"),
    ] = None,
    option: OptionsOption = None,
    preset: PresetOption = None,
    position: PositionOption = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Resume a saved game.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Save the game to this file at the end.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only moves and the result.")] = False,
) -> None:
    """Play a game in the terminal. At the prompt, type a move, or "help" for the other commands."""
    from forgeron.arena.entrant import HUMAN
    from forgeron.cli.screen import Screen
    from forgeron.core.errors import OptionError
    from forgeron.players.levels import DEFAULT_LEVEL

    if seed is not None and not 0 <= seed < 2**64:
        raise OptionError(f"a seed is a number from 0 to 2⁶⁴ - 1, not {seed}")
    budget = _budget(time, nodes, threads)
    chosen_by_name = level is not None
    if level is None and first in (None, HUMAN) and all(one is None for one in (second, time, nodes, load)):
        first, level = None, DEFAULT_LEVEL
    if level is not None:
        second, budget = _opponent(open_game(game, option, preset), level, (first, second, time, nodes, load), threads)
    if load is None:
        session = _new(game, (first, second), seed, budget, option, preset, position)
    elif option or preset or position:
        raise OptionError("a saved game has its own options and position; leave out --option, --preset and --position")
    else:
        session = _loaded(game, (first, second), seed, budget, load)
    say_notices(session.game, session.entrants)
    screen = Screen(quiet=quiet)
    if level is not None:
        others = "" if chosen_by_name else " Others: --level beginner … strongest."
        screen.remark(f"Your opponent is {_described(session.game, level)}.{others}")
    _play_and_leave(session, screen, game, save)


def _budget(seconds: float | None, nodes: int | None, threads: int | None) -> ThinkingBudget | None:
    """What was asked for, or None when nothing was: a limit of nodes alone has no limit of time."""
    from forgeron.cli.session import DEFAULT_SECONDS, ThinkingBudget

    if seconds is None and nodes is None and threads is None:
        return None
    budget = ThinkingBudget(
        DEFAULT_SECONDS if seconds is None and nodes is None else seconds, nodes, 1 if threads is None else threads
    )
    _ = budget.limit  # refuses what makes no sense
    return budget


def _opponent(game: Game, name: str, others: tuple[object, ...], threads: int | None) -> tuple[str, ThinkingBudget]:
    """The player of a level, and how much it thinks."""
    from forgeron.cli.session import ThinkingBudget
    from forgeron.core.errors import OptionError
    from forgeron.players.levels import level

    if any(other is not None for other in others):
        raise OptionError(
            "a level says who answers and how long it thinks; leave out --first, --second, --time, --nodes, --load"
        )
    chosen = level(game, name)
    return chosen.player, ThinkingBudget(chosen.seconds, chosen.nodes, threads or 1)


def _described(game: Game, name: str) -> str:
    """A level with what it is worth, where that was measured."""
    from forgeron.players.levels import level

    chosen = level(game, name)
    return f"{name}, {chosen.rating} (beginner is 0)" if chosen.rating else name


def _new(
    name: str,
    sides: tuple[str | None, str | None],
    seed: int | None,
    budget: ThinkingBudget | None,
    options: list[str] | None,
    preset: str | None,
    token: str | None,
) -> Session:
    import secrets

    from forgeron.arena.entrant import HUMAN
    from forgeron.cli.session import Session, ThinkingBudget
    from forgeron.players.levels import default_opponent

    game = open_game(name, options, preset)
    chosen = (sides[0] or HUMAN, sides[1] or default_opponent(game, thinks=True))
    if seed is None:
        seed = secrets.randbelow(2**32)
    return Session(game, first_position(game, token), chosen, seed, budget or ThinkingBudget())


def _loaded(
    name: str, sides: tuple[str | None, str | None], seed: int | None, budget: ThinkingBudget | None, file: Path
) -> Session:
    from forgeron.cli.session import Session
    from forgeron.core.record import Record

    session = Session.of_record(Record.load(file), open_game(name), sides, seed, budget)
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
        _keep_finished(prompt.session, screen, name)
    finally:
        prompt.session.close()


def _play(prompt: Prompt, screen: Screen) -> None:
    """Step after step until the game has a result."""
    screen.header(prompt.session)
    if prompt.session.has_people:
        hint = prompt.session.game.move_help
        screen.remark(f"Type a move{f' ({hint})' if hint else ''}, or help.")
    while not prompt.session.is_over:
        session = prompt.session  # `load` puts another one there
        position, referee = session.position, session.referee
        turn = position.turn
        if turn == "chance":
            screen.thrown(session, *session.throw())
            continue
        assert turn is not None
        plies = len(session.moves)
        if referee.awaited is not None:
            screen.board(session)
            prompt.turn()
            if prompt.session is session and len(session.moves) > plies:
                screen.captures(session, plies)
            continue
        if not session.has_people:
            screen.board(session)
        answer = screen.think(
            session.label(turn), referee.ask, referee.contestants[turn].stop, session.budget.limit.seconds
        )
        if session.accept(answer):
            assert not isinstance(answer, Exception)  # a fault is no move
            screen.moved(session, answer, position)
            screen.captures(session, plies)
    screen.board(prompt.session)


def _say_goodbye(session: Session, screen: Screen, name: str, save: Path | None) -> None:
    if save is not None and session.moves:
        session.save(save)
    kept = session.keep()
    if kept is not None and not session.is_over:
        screen.say("The game is saved. To resume it:")
        screen.say(
            f"  {shlex.join(['forgeron', 'play', name, '--load', str(kept), *_sides_to_name(session)])}", as_it_is=True
        )


def _keep_finished(session: Session, screen: Screen, name: str) -> None:
    """Finished games are kept, too, to be analysed; a game that cannot be kept was played all the same."""
    from forgeron.core.errors import ForgeronError

    try:
        kept = session.keep()
    except ForgeronError as error:
        screen.remark(f"The game could not be kept: {error}")
        return
    if kept is not None and session.has_people:
        screen.remark("To analyse it:")
        screen.remark(f"  {shlex.join(['forgeron', 'analyse', name, str(kept)])}", as_it_is=True)


def _sides_to_name(session: Session) -> list[str]:
    """The arguments without which a record does not say who plays: programs and files are not started by a record."""
    from forgeron.cli.session import is_registered

    named = zip(("--first", "--second"), session.sides, strict=True)
    return [word for flag, side in named if not is_registered(side) for word in (flag, side)]
