"""`forgeron bot`: a player of ours as a bot, or a first bot of your own."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forgeron.cli.number_options import nodes_option, seconds_option, seed_option, threads_option
from forgeron.cli.shared import OptionsOption, PresetOption, examples, open_game, say_notices

if TYPE_CHECKING:
    from forgeron.bots.protocol import PlayerSpec, Protocol
    from forgeron.core.game import Game
    from forgeron.players.base import Player


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron bot yolah --player monte-carlo                type help, or connect a referee",
            "forgeron bot mancala --preset course --protocol mancala --time 1.8",
            "forgeron bot yut --protocol yut --out my_player.py     a class for the Yut course",
            "forgeron bot yolah --protocol yolah-ws --url ws://localhost:8001 --join KEY",
            "forgeron bot --template python --out my_bot.py         a first bot of your own",
            "forgeron bot yolah --template c --with-rules --out my_bot.c  one with board and moves",
        )
    )(bot)


def bot(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The name of a game, or the path of a one-file game.")
    ] = None,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="The player, with options as in monte-carlo:budget=equal, or its file.")
    ] = "monte-carlo",
    protocol: Annotated[str, typer.Option(metavar="NAME", help="native, or that of a course, as mancala.")] = "native",
    time: Annotated[
        float | None,
        seconds_option(
            help="Thinking time per move, for protocols that do not transmit it.",
            show_default="what the protocol is used to",
        ),
    ] = None,
    nodes: Annotated[int | None, nodes_option(help="Nodes per move, instead of a time.")] = None,
    seed: Annotated[int, seed_option(help="Seed of the player's randomness.")] = 0,
    threads: Annotated[int, threads_option(help="Threads of the player.")] = 1,
    option: OptionsOption = None,
    preset: PresetOption = None,
    url: Annotated[
        str, typer.Option(metavar="URL", help="The server, for protocols over a websocket.")
    ] = "ws://localhost:8001",
    join: Annotated[str, typer.Option(metavar="KEY", help="Join this game of the server instead of opening one.")] = "",
    template: Annotated[
        str | None,
        typer.Option(metavar="LANGUAGE", help="Write a starter bot in this language: python, c, c++, java or rust."),
    ] = None,
    with_rules: Annotated[
        bool,
        typer.Option("--with-rules", help="With --template: a bot with the board and moves of GAME, two plies ahead."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where a bot that is a file is written, instead of here.")
    ] = None,
) -> None:
    """Run a player as a bot on standard input and output, or write a starter bot."""
    from forgeron.arena.entrant import Entrant
    from forgeron.bots.protocol import PlayerSpec
    from forgeron.bots.protocols import protocol_class
    from forgeron.core.errors import OptionError
    from forgeron.core.registry import located

    if template is not None:
        from forgeron.bots.templates import template_text

        if with_rules and game is None:
            raise OptionError("say whose rules: forgeron bot yolah --template python --with-rules")
        rules_of = located(game, Path()) if with_rules and game is not None else None
        _write(template_text(template, out=out, rules_of=rules_of), out)
        return
    if with_rules:
        raise OptionError("--with-rules is for --template")
    if game is None:
        raise OptionError("name a game (forgeron bot yolah), or use --template to write a starter bot")
    kind = protocol_class(protocol)
    found = open_game(game, option, preset)
    if kind.transport != "native" and kind.game_name != found.name:
        raise OptionError(f"protocol {protocol} is not for {found.name}; use native, the protocol of every game")
    who = Entrant.parse(player).located(Path())
    if who.player is None or who.is_human:
        what = "a person" if who.is_human else "a command"
        raise OptionError(f"'{player}' is {what}; give the name of a player, or its file")
    who.check(found)
    say_notices(found, [who])
    spec = PlayerSpec(who.player, who.options, time, nodes, seed, threads)
    if kind.transport == "native":
        from forgeron.bots.native_bot import NativeBot

        NativeBot(found, spec.player, seed=seed, threads=threads, options=spec.options).run(sys.stdin)
    elif (text := kind.bot_file(found, _limited(spec, kind))) is not None:
        _write(text, out)
    else:
        _play(kind, found, spec, url, join)


def _play(kind: type[Protocol], game: Game, spec: PlayerSpec, url: str, key: str) -> None:
    """One game by a protocol of a course, on standard input and output or on a server."""
    from forgeron.bots.protocol_bot import ProtocolBot, play_on_lines, process_age
    from forgeron.bots.websocket_client import play_on_server
    from forgeron.players import player, player_class
    from forgeron.players.base import Limit

    def find_player(sized: Game) -> Player:
        return player(spec.player, sized, seed=spec.seed, threads=spec.threads, **spec.options)

    limit = None if spec.seconds is None and spec.nodes is None else Limit(seconds=spec.seconds, nodes=spec.nodes)
    name = f"forgeron {player_class(spec.player).name}"
    age = process_age if kind.transport == "lines" else float
    bot = ProtocolBot(kind, game, find_player, limit=limit, name=name, key=key, age=age)
    if kind.transport == "websocket":
        play_on_server(bot, url)
    else:
        play_on_lines(bot, sys.stdin, sys.stdout)


def _limited(spec: PlayerSpec, kind: type[Protocol]) -> PlayerSpec:
    """The same with a limit: what the protocol is used to where nobody gave one."""
    return spec if spec.seconds or spec.nodes else replace(spec, seconds=kind.move_seconds)


def _write(text: str, out: Path | None) -> None:
    from forgeron.core.files import write_file

    if out is None:
        typer.echo(text, nl=False)
        return
    write_file(out, text)
    typer.echo(f"written: {out}", err=True)
