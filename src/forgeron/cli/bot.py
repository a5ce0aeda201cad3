"""`forgeron bot`: a player of ours as a bot, or a first bot of your own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forgeron.cli.shared import OptionsOption, PresetOption, examples, open_game

if TYPE_CHECKING:
    from forgeron.arena.entrant import Entrant
    from forgeron.core.game import Game
    from forgeron.players.base import Limit, Player

#: Seconds for a move in protocols that do not tell the time, where no other number is given.
DEFAULT_SECONDS = 1.0


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron bot yolah --player monte-carlo                type help, or let a referee speak with it",
            "forgeron bot mancala --preset course --protocol mancala --time 1.8",
            "forgeron bot yut --protocol yut --out my_player.py     a class for the Yut course",
            "forgeron bot yolah --protocol yolah-ws --url ws://localhost:8001 --join KEY",
            "forgeron bot --template python --out my_bot.py         a first bot of your own",
        )
    )(bot)


def bot(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The name of a game, or the path of a one-file game.")
    ] = None,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="The player, with options as in monte-carlo:budget=equal.")
    ] = "monte-carlo",
    protocol: Annotated[str, typer.Option(metavar="NAME", help="native, mancala, yinsh, yut or yolah-ws.")] = "native",
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Time for a move, in protocols that do not tell it.",
            show_default=f"{DEFAULT_SECONDS:g}; mancala 1.8",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Positions or random games for a move, instead of a time.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="For players whose play depends on luck.")] = 0,
    threads: Annotated[int, typer.Option(metavar="N", help="Threads of the player.")] = 1,
    option: OptionsOption = None,
    preset: PresetOption = None,
    url: Annotated[str, typer.Option(metavar="URL", help="The server of protocol yolah-ws.")] = "ws://localhost:8001",
    join: Annotated[
        str, typer.Option(metavar="KEY", help="With yolah-ws: join this game instead of opening one.")
    ] = "",
    template: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Write a first bot of your own: python, c or java.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where --template and --protocol yut write, instead of here.")
    ] = None,
) -> None:
    """Let a player speak a referee's protocol on standard input and output, or write a first bot of your own."""
    from forgeron.arena.entrant import Entrant
    from forgeron.core.errors import OptionError, unknown_name

    if template is not None:
        from forgeron.arena.templates import template_text

        _write(template_text(template), out)
        return
    if game is None:
        raise OptionError("name the game, for example: forgeron bot yolah; or --template for a first bot of your own")
    if protocol not in _SPEAKERS:
        raise unknown_name("protocol", protocol, _SPEAKERS)
    found = open_game(game, option, preset)
    if protocol not in ("native", found.name) and not protocol.startswith(f"{found.name}-"):
        raise OptionError(f"protocol {protocol} is not for {found.name}; use native, the protocol of every game")
    who = Entrant.parse(player)
    if who.player is None:
        raise OptionError(f"'{player}' is a command; give the name of a player")
    told = {"seconds": time, "nodes": nodes, "seed": seed, "threads": threads, "url": url, "join": join, "out": out}
    _SPEAKERS[protocol](found, who, told)


def _write(text: str, out: Path | None) -> None:
    from forgeron.core.errors import ForgeronError

    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ForgeronError(f"cannot write {out}: {error.strerror}") from None
    typer.echo(f"written: {out}", err=True)


def _limit(told: dict[str, Any], seconds: float = DEFAULT_SECONDS) -> Limit:
    from forgeron.players.base import Limit

    if told["nodes"] is not None and told["seconds"] is None:
        return Limit(nodes=told["nodes"])
    return Limit(seconds=seconds if told["seconds"] is None else told["seconds"], nodes=told["nodes"])


def _player(game: Game, who: Entrant, told: dict[str, Any]) -> Player:
    from forgeron.players import player

    assert who.player is not None
    return player(who.player, game, seed=told["seed"], threads=told["threads"], **who.options)


def _native(game: Game, who: Entrant, told: dict[str, Any]) -> None:
    from forgeron.arena.bot import Bot

    assert who.player is not None
    Bot(game, who.player, seed=told["seed"], threads=told["threads"], options=who.options).run(sys.stdin)


def _mancala(game: Game, who: Entrant, told: dict[str, Any]) -> None:
    from forgeron.arena.speakers import mancala

    mancala.speak(_player(game, who, told), _limit(told, mancala.SECONDS), sys.stdin, sys.stdout)


def _yinsh(game: Game, who: Entrant, told: dict[str, Any]) -> None:
    from forgeron.arena.speakers.yinsh import Speaker

    fixed = None if told["seconds"] is None and told["nodes"] is None else _limit(told)
    Speaker(game, lambda sized: _player(sized, who, told), sys.stdout, fixed).run(sys.stdin)


def _yut(game: Game, who: Entrant, told: dict[str, Any]) -> None:
    """The course runs a class, not a program: what can be given is the file of one."""
    from forgeron.arena.speakers.yut import FILE

    limit = _limit(told)
    words = {"player": who.player, "options": dict(who.options), "seed": told["seed"], "threads": told["threads"]}
    pieces = game.chosen["pieces"]
    _write(FILE.format(**words, seconds=limit.seconds, nodes=limit.nodes, pieces=pieces), told["out"])


def _yolah_ws(game: Game, who: Entrant, told: dict[str, Any]) -> None:
    from forgeron.arena.speakers import yolah_ws

    yolah_ws.speak(_player(game, who, told), _limit(told), told["url"], told["join"])


_SPEAKERS = {"native": _native, "mancala": _mancala, "yinsh": _yinsh, "yut": _yut, "yolah-ws": _yolah_ws}
