"""`forgeron analyse`: the best lines of a position, or the review of a whole game."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.interrupts import INTERRUPTED
from forgeron.cli.number_options import depth_option, nodes_option, seconds_option, threads_option
from forgeron.cli.shared import OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.core.position import Position
    from forgeron.players.base import Limit, Player, Thought
    from forgeron.reports.replay import Replay

#: Seconds for a position, and for each move of a game.
POSITION_SECONDS, MOVE_SECONDS = 5.0, 0.5
_FILES = (".json", ".journal", ".txt")


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron analyse yolah                               the first position",
            "forgeron analyse yolah 'TOKEN' --lines 5 --time 20   the five best moves",
            "forgeron analyse yolah game.json --graph game.svg    a whole game",
            "forgeron analyse class.journal --game 12             one of a tournament",
            "forgeron analyse yolah game.json --nodes 100000      repeatable",
        )
    )(analyse)


def analyse(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="The name of a game, or the path of a one-file game. A record or journal will do, too."
        ),
    ],
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION|FILE]",
            help="A position; or the file of a game: a record (JSON), a journal, or plain moves.",
        ),
    ] = None,
    time: Annotated[
        float | None,
        seconds_option(
            help="Thinking time for a position, or for each move of a game.",
            show_default=f"{POSITION_SECONDS:g}, in a game {MOVE_SECONDS:g}; none with --nodes or --depth",
        ),
    ] = None,
    nodes: Annotated[int | None, nodes_option(help="Maximum number of nodes.")] = None,
    depth: Annotated[
        int | None,
        depth_option(help="Maximum depth in plies (expectimax: in turns)."),
    ] = None,
    lines: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Number of lines to show for a position.")
    ] = 3,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Who analyses: a player, with options as in minimax:hash=256.",
            show_default="minimax; with dice, the strongest that plays the game",
        ),
    ] = None,
    threads: Annotated[int, threads_option(help="Threads of the player.")] = 1,
    number: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="WHICH",
            help="With a journal: the number or id of the game (forgeron results JOURNAL --games lists them).",
        ),
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the evaluation graph of a game to this file (.svg or .png)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Show the best lines of a position with their win probabilities, or review each move of a game.

    A position is thought about while you watch; Ctrl-C ends it early and keeps what was found.
    """
    if what is None and _is_file(game) and not game.endswith(".py"):
        what, found = game, None  # the file says which game it is
    else:
        found = open_game(game, option, preset)
    if found is None or _is_file(what):
        replay = _load(Path(str(what)), number, found)
        limit = _limit(time, nodes, depth, MOVE_SECONDS)
        if graph is not None:
            from forgeron.analysis.evaluation_graph import check_graph

            check_graph(graph)
        _analyse_game(replay, _open_analyst(replay.game, player, threads), limit, graph, as_json)
        return
    if graph is not None or number is not None:
        from forgeron.core.errors import OptionError

        raise OptionError("--graph and --game need the file of a game")
    position = _position(found, what)
    limit = _limit(time, nodes, depth, POSITION_SECONDS)
    _analyse_position(position, _open_analyst(found, player, threads), limit, lines, as_json)


def _open_analyst(game: Game, text: str | None, threads: int) -> Player:
    """The player of the analysis; what a person should know about it is told on standard error."""
    from forgeron.analysis.review import open_analyst

    player = open_analyst(game, text, threads)
    if player.notice:
        typer.echo(f"note: {text}: {player.notice}", err=True)
    return player


def _is_file(what: str | None) -> bool:
    try:
        return what is not None and Path(what).is_file()
    except (OSError, ValueError):
        return False  # too long for the name of a file: a position


def _position(game: Game, token: str | None) -> Position:
    from forgeron.core.errors import NotationError

    if token is None:
        return game.start()
    try:
        return game.parse(token)
    except NotationError as error:
        if Path(token).suffix.lower() in _FILES:
            raise NotationError(f"there is no file {token}") from None
        raise NotationError(f"{error} (and there is no file of that name)") from None


def _load(path: Path, number: str | None, game: Game | None) -> Replay:
    from forgeron.core.errors import ForgeronError, OptionError
    from forgeron.reports.replay import GameNotChosenError, GameNotNamedError, load

    try:
        found = load(path, number, game)
    except GameNotNamedError:
        raise OptionError(f"{path} holds plain moves; name their game before it: analyse GAME {path}") from None
    except GameNotChosenError as error:
        raise OptionError(f"{error} with --game") from None
    if game is not None and found.game.name != game.name:
        raise ForgeronError(f"{path} is a game of {found.game.name}, not of {game.name}")
    if found.problem is not None:
        typer.echo(f"note: this game does not replay exactly: {found.problem}", err=True)
    return found


def _limit(time: float | None, nodes: int | None, depth: int | None, seconds: float) -> Limit:
    from forgeron.players.base import Limit

    if time is None and nodes is None and depth is None:
        time = seconds
    return Limit(seconds=time, nodes=nodes, depth=depth)


def _analyse_position(position: Position, player: Player, limit: Limit, lines: int, as_json: bool) -> None:
    from rich.live import Live

    from forgeron.analysis.terminal import lines_table, thought_of

    player.check(position)
    console = new_console()
    latest: list[Thought] = []

    def think() -> None:
        def listen(thought: Thought) -> None:
            latest[:] = [thought]

        latest[:] = [thought_of(player.analyse(position, limit, lines=lines, listener=listen))]

    def watch() -> bool:
        """Whether it was left to think to its end; what it had found when it was stopped is in `latest`."""
        try:
            run_interruptibly(think, stop=player.stop)
        except KeyboardInterrupt:
            if not latest:
                raise
            return False
        return True

    if console.is_terminal and not as_json:
        console.print(f"{position.draw()}\n", soft_wrap=True)
        with Live(
            console=console,
            refresh_per_second=8,
            get_renderable=lambda: lines_table(position, latest[0]) if latest else f"{player.name} thinks …",
        ):
            to_the_end = watch()
    else:
        to_the_end = watch()
        if as_json:
            typer.echo(json.dumps(_position_data(position, player, latest[0]), ensure_ascii=False, indent=1))
        else:
            console.print(position.draw(), soft_wrap=True)
            console.print(lines_table(position, latest[0]))
    if not to_the_end:
        typer.echo("stopped", err=True)
        raise typer.Exit(INTERRUPTED)


def _position_data(position: Position, player: Player, thought: Thought) -> dict[str, Any]:
    return {
        "game": position.game.name,
        "options": position.game.chosen,
        "position": str(position),
        "turn": position.turn,
        "player": player.name,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "seconds": round(thought.seconds, 3),
        "lines": [asdict(line) for line in thought.lines],
    }


def _analyse_game(replay: Replay, player: Player, limit: Limit, graph: Path | None, as_json: bool) -> None:
    from forgeron.analysis.review import GameReview, review_game
    from forgeron.analysis.terminal import show_review

    console = new_console()

    def work(progress: Any) -> GameReview:
        return run_interruptibly(lambda: review_game(replay.positions, player, limit, progress), stop=player.stop)

    if as_json or not console.is_terminal:
        review = work(lambda _done, _total: None)
    else:
        from rich.progress import Progress

        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(f"{player.name} reviews", total=len(replay.positions))
            review = work(lambda done, _total: bar.update(task, completed=done))
    if as_json:
        typer.echo(json.dumps(_game_data(replay, player, review), ensure_ascii=False, indent=1))
    else:
        show_review(console, replay, review)
    if graph is not None:
        from forgeron.analysis.evaluation_graph import draw_graph, save_graph

        save_graph(draw_graph(review, replay.title, replay.game.seats), graph)
        typer.echo(f"graph: {graph}", err=as_json)


def _game_data(replay: Replay, player: Player, review: Any) -> dict[str, Any]:
    return {
        "game": replay.game.name,
        "options": replay.game.chosen,
        "players": list(replay.record.players),
        "judge": player.name,
        "moves": [one.to_data() for one in review.moves],
        "course": list(review.course),
        "sides": [review.side(seat).to_data() for seat in (0, 1)],
    }
