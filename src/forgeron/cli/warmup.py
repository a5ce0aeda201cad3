"""`forgeron warmup`: compile everything now, so that nothing waits for it later."""

from __future__ import annotations

import math
from collections.abc import Callable

import typer

from forgeron.cli.shared import GamesArgument, examples


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron warmup                   all games that are installed",
            "forgeron warmup ./my_game.py      a game of your own",
        )
    )(warmup)


def warmup(games: GamesArgument = None) -> None:
    """Compile the rules and players of the games ahead of time; what is compiled is kept on disk."""
    from forgeron.core.jit import JIT
    from forgeron.games import names

    if not JIT:
        typer.echo("nothing to compile: FORGERON_JIT=0 runs everything as plain Python")
        return
    from forgeron.core import cache

    timings: list[float] = []
    before, cache.notice = cache.notice, _listed(timings)
    try:
        for name in games or names():
            _use_everything(name)
    finally:
        cache.notice = before
    if timings:
        typer.echo(f"{len(timings)} compiled in {sum(timings):.1f} s, kept in {cache.cache_root()}")
    else:
        typer.echo(f"nothing to compile: all of it is stored in {cache.cache_root()}")


def _listed(timings: list[float]) -> Callable[[str], Callable[[float], None]]:
    """A notice that prints one line when a compilation has ended, and adds its seconds to the list."""

    def notice(what: str) -> Callable[[float], None]:
        def done(seconds: float) -> None:
            if math.isnan(seconds):
                return  # it failed, and the error says so
            timings.append(seconds)
            typer.echo(f"{seconds:6.1f} s  {what}")

        return done

    return notice


def _use_everything(name: str) -> None:
    """Have every kernel of one game used once: the doors, both perfts, random games, features, every player."""
    from forgeron.cli.shared import open_game
    from forgeron.kernels.playout import play_many
    from forgeron.learning.linear import features
    from forgeron.players import names, player_class
    from forgeron.players.base import Limit

    game = open_game(name)
    start = game.start()
    _ = start.key, start.push(start.moves[0])
    game.perft(start, 2)
    game.count(start, 2)
    play_many(start, seed=0, games=2)
    if game.weight_names:
        features(game, start.moves[:1])
    while start.turn == "chance":
        start = start.push(start.moves[0])
    for player in names(game):
        player_class(player)(game).choose(start, Limit(nodes=2 * game.max_moves))
