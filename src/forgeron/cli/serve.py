"""`forgeron serve`: the page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from forgeron.cli.shared import examples

DEFAULT_PORT = 8765


def add_to(app: typer.Typer) -> None:
    app.command(
        epilog=examples(
            "forgeron serve                     opens the page in your browser",
            "forgeron serve ./my_game.py        with a game of your own",
            "forgeron serve --watch matches     and watch the matches that a terminal plays",
            "forgeron serve --host 0.0.0.0      for others, too: prints a link with a token",
        )
    )(serve)


def serve(
    games: Annotated[list[str] | None, typer.Argument(help="Files with games of your own.")] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; beyond this machine a token is asked for.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = DEFAULT_PORT,
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes that think; 0: one less than cores.")] = 0,
    data: Annotated[Path | None, typer.Option(help="Where games are kept, instead of your data folder.")] = None,
    watch: Annotated[
        list[Path] | None,
        typer.Option(metavar="JOURNAL", help="The journal of a match or tournament to watch, or a folder of journals."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Serve the page: play, watch and understand in the browser."""
    env = dict(os.environ)
    # The server makes single moves only. As plain Python they take milliseconds, and nothing has to be compiled before
    # the first one; workers, which search, run compiled code.
    os.environ["FORGERON_JIT"] = "0"
    from forgeron.web.server import run

    run(
        games or [],
        host=host,
        port=port,
        workers=workers,
        data=data,
        browser=browser,
        worker_env=env,
        journals=watch or [],
    )
