"""Files of openings: a line of moves each, for matches and tournaments that should begin from chosen positions.

    # openings of yolah {}
    d5:b7 e5:e7 h8:h6 d4:b2  # 51 %

A text after # is a comment. The first line says which game they are of; without it any game may try.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forgeron.arena.openings import Balance, Opening, canonical
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.files import read_file, write_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.core.position import Position
from forgeron.players.base import Choice, Limit, Player

_TITLE = "# openings of "
#: At a throw, throws that lead to more throws are followed so far.
_THROWS = 2


def balance_by_search(player: Player, limit: Limit) -> Balance:
    """Judge a position by what a player finds when it thinks so long; at a throw, the mean over all throws."""

    def judge(position: Position, throws: int = 0) -> float:
        if position.turn is None:
            winner = position.outcome.winner if position.outcome else None
            return 0.5 if winner is None else float(winner == 0)
        if position.turn != "chance":
            choice = player.choose(position, limit)
            after = position.play(choice.move)
            # A search to an even depth sees another tempo than one to an odd depth: so two in a row are averaged.
            if after.turn in (0, 1):
                return (_of_first(position, choice) + _of_first(after, player.choose(after, limit))) / 2
            return _of_first(position, choice)
        throws_here = [(p, position.push(move)) for move, p in zip(position.moves, position.chances(), strict=True)]
        kept = [(p, one) for p, one in throws_here if p > 0 and (one.turn != "chance" or throws < _THROWS)]
        total = sum(p for p, _ in kept)
        return sum(p * judge(one, throws + 1) for p, one in kept) / total

    return judge


def _of_first(position: Position, choice: Choice) -> float:
    """The expected result of player 0, by what the player to move thinks."""
    return float(choice.value if position.turn == 0 else 1 - choice.value)


def write_openings(path: Path, game: Game, openings: Sequence[Opening], note: str, values: Sequence[float]) -> None:
    """The file of these openings; `values` are the first player's expected results, for people."""
    lines = [f"{_TITLE}{game.name} {json.dumps(dict(game.chosen), sort_keys=True)}", f"# {note}"]
    lines += [f"{' '.join(one.moves)}  # {value:.0%}" for one, value in zip(openings, values, strict=True)]
    write_file(path, "".join(f"{line}\n" for line in lines), make_folder=True)


def read_openings(path: Path, game: Game) -> tuple[str, ...]:
    """The lines of a file, each a text of move tokens; what is no opening of the game is refused with its line."""
    try:
        text = read_file(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ForgeronError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    found: dict[tuple[int, ...], str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path}, line {number}"
        if line.startswith(_TITLE):
            _check_title(line.removeprefix(_TITLE), game, where)
        words = line.partition("#")[0].split()
        if not words:
            continue
        position = game.start()
        try:
            for word in words:
                position = position.play(word)
        except ForgeronError as error:
            raise OptionError(f"{where}: {error}") from None
        if position.turn is None:
            raise OptionError(f"{where}: this opening ends the game")
        form = canonical(position)
        if form in found:
            raise OptionError(f"{where}: this opening leads to the same position as '{found[form]}'")
        found[form] = " ".join(words)
    if not found:
        raise OptionError(f"{path} has no opening")
    return tuple(found.values())


def _check_title(title: str, game: Game, where: str) -> None:
    name, _, options = title.partition(" ")
    chosen: Mapping[str, Any] = dict(game.chosen)
    if name != game.name:
        raise OptionError(f"{where}: these are openings of {name}, not of {game.name}")
    try:
        given = read_json(options or "{}")
    except ValueError:
        given = None
    if given != chosen:
        raise OptionError(f"{where}: these are openings of {name} with options {options}, not {json.dumps(chosen)}")
