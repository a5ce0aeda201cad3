"""`forgeron suite`: a player on positions whose best moves are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.background import run_interruptibly
from forgeron.cli.number_options import (
    depth_option,
    games_option,
    nodes_option,
    seconds_option,
    seed_option,
    threads_option,
)
from forgeron.cli.shared import OptionsOption, PresetOption, examples, new_console, open_game

if TYPE_CHECKING:
    from forgeron.analysis.suite import Attempt

#: Seconds for each position.
SECONDS = 1.0
#: How many moves of a problem are shown.
_SHOWN = 3


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron suite endings.suite --make --game yolah          make one from solved endings",
            "forgeron suite endings.suite                              minimax on it, 1 s a position",
            "forgeron suite endings.suite --player mcts --nodes 5000   repeatable",
            "forgeron suite endings.suite --player ./my_player.py      a player of your own",
        )
    )(suite)


def suite(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A suite: positions with their best moves.")],
    player: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="A player with options, its file, or a command in quotes.",
            show_default="minimax; expectimax in a game with dice",
        ),
    ] = None,
    time: Annotated[
        float | None,
        seconds_option(
            help="Thinking time for each position.",
            show_default=f"{SECONDS:g}",
        ),
    ] = None,
    nodes: Annotated[int | None, nodes_option(help="Maximum number of nodes for each.")] = None,
    depth: Annotated[int | None, depth_option(help="Maximum depth in plies.")] = None,
    threads: Annotated[int, threads_option(help="Threads of the player.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
    make: Annotated[
        bool, typer.Option("--make", help="Make the suite instead, from solved endings of --game.")
    ] = False,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game: needed with --make, and where it is a file of your own."),
    ] = None,
    count: Annotated[int, games_option(help="With --make: how many positions.")] = 40,
    seed: Annotated[int, seed_option(help="With --make: another seed gives other positions.")] = 0,
    option: OptionsOption = None,
    preset: PresetOption = None,
) -> None:
    """Let a player solve positions whose best moves are known: how many, how fast, with how many nodes.

    With --make a suite is written: endings that minimax has solved (--nodes for each, default 20,000), in which fewer
    than half of the moves keep the best result. In a game with dice they come from the table of exact values.
    """
    from forgeron.analysis.suite import JUDGES, read_suite, run_suite
    from forgeron.arena.entrant import Entrant
    from forgeron.core.contract import offers
    from forgeron.core.errors import OptionError
    from forgeron.players.base import Limit

    if make:
        if game is None:
            raise OptionError("say of which game: --make --game yolah")
        _make(file, game, count, nodes or 20_000, seed, option, preset)
        return
    problems = read_suite(file, game)
    if time is None and nodes is None and depth is None:
        time = SECONDS
    limit = Limit(seconds=time, nodes=nodes, depth=depth)
    played = problems[0].position.game
    entrant = Entrant.parse(player or JUDGES[offers(played.state_class, "chance")]).located(Path())
    entrant.check(played)
    who = entrant.open_player(played, threads=threads)
    attempts: list[Attempt] = []
    console = new_console(stderr=True)

    def work(tell: object = None) -> None:
        for attempt in run_suite(problems, who, limit):
            attempts.append(attempt)
            if callable(tell):
                tell(len(attempts))

    if console.is_terminal:
        from rich.progress import Progress

        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(f"{entrant.name} thinks", total=len(problems))
            run_interruptibly(lambda: work(lambda done: bar.update(task, completed=done)), stop=who.stop)
    else:
        run_interruptibly(work, stop=who.stop)
    _show(entrant.name, attempts, as_json)


def _make(
    file: Path, name: str, count: int, nodes: int, seed: int, option: list[str] | None, preset: str | None
) -> None:
    from forgeron.analysis.suite import make_suite, write_suite
    from forgeron.core.contract import offers

    game = open_game(name, option, preset)
    console = new_console(stderr=True)
    if console.is_terminal:
        with console.status("") as status:

            def tell(found: int, games: int) -> None:
                status.update(f"{found} of {count} positions, from {games} games")

            problems = run_interruptibly(lambda: make_suite(game, count, nodes=nodes, seed=seed, tell=tell))
    else:
        problems = run_interruptibly(lambda: make_suite(game, count, nodes=nodes, seed=seed))
    how = "endings by exact values" if offers(game.state_class, "chance") else f"solved by minimax within {nodes} nodes"
    write_suite(file, game, problems, f"{how}, seed {seed}")
    typer.echo(f"written: {file} ({len(problems)} positions)")


def _show(name: str, attempts: list[Attempt], as_json: bool) -> None:
    from forgeron.reports.terminal import new_table

    solved = sum(attempt.solved for attempt in attempts)
    seconds, nodes = sum(one.seconds for one in attempts), sum(one.nodes for one in attempts)
    if as_json:
        rows = [
            {
                "position": str(one.problem.position),
                "best": list(one.problem.best),
                "move": one.move,
                "solved": one.solved,
                "seconds": round(one.seconds, 6),
                "nodes": one.nodes,
            }
            for one in attempts
        ]
        data = {"player": name, "positions": len(attempts), "solved": solved, "seconds": seconds, "nodes": nodes}
        typer.echo(json.dumps({**data, "attempts": rows}, ensure_ascii=False, indent=1))
        return
    table = new_table("", "", "move", "best", "s", "nodes")
    for number, one in enumerate(attempts, 1):
        best = " ".join(one.problem.best[:_SHOWN]) + (" …" if len(one.problem.best) > _SHOWN else "")
        mark = "✓" if one.solved else "✗"
        table.add_row(str(number), mark, one.move, best, f"{one.seconds:.3f}", f"{one.nodes:,}")
    console = new_console()
    console.print(table)
    share = f"{solved} of {len(attempts)} solved ({solved / len(attempts):.0%})"
    console.print(f"{name}: {share} in {seconds:.1f} s with {nodes:,} nodes", style="bold", soft_wrap=True)
