"""Options that are numbers, declared once: each has its bounds and its metavar, a command gives names and help."""

from __future__ import annotations

from typing import Any

import typer

from forgeron.cli.bounds import (
    LAST_SEED,
    LEAST_SECONDS,
    MOST_DEPTH,
    MOST_GAMES,
    MOST_JOBS,
    MOST_NODES,
    MOST_ROUNDS,
    MOST_SECONDS,
    MOST_THREADS,
)


def _number(low: float, high: float, metavar: str, names: tuple[str, ...], help: str, show_default: bool | str) -> Any:
    return typer.Option(*names, min=low, max=high, metavar=metavar, help=help, show_default=show_default)


def seed_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(0, LAST_SEED, "N", names, help, show_default)


def seconds_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(LEAST_SECONDS, MOST_SECONDS, "SECONDS", names, help, show_default)


def nodes_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(1, MOST_NODES, "N", names, help, show_default)


def depth_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(1, MOST_DEPTH, "N", names, help, show_default)


def threads_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(1, MOST_THREADS, "N", names, help, show_default)


def jobs_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(1, MOST_JOBS, "N", names, help, show_default)


def games_option(*names: str, help: str, show_default: bool | str = True, least: int = 1) -> Any:
    return _number(least, MOST_GAMES, "N", names, help, show_default)


def rounds_option(*names: str, help: str, show_default: bool | str = True) -> Any:
    return _number(1, MOST_ROUNDS, "N", names, help, show_default)


def share_option() -> Any:
    text = "How much of a target is the result of the game; the rest is the search value."
    return _number(0, 1, "X", ("--result-share",), text, True)
