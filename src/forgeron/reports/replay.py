"""Replays: finding recorded games in files, checking them against the rules, writing them as plain moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from forgeron.arena import journal
from forgeron.bots.faults import FORFEITS, Reason
from forgeron.core.errors import ForgeronError, NotationError, OptionError
from forgeron.core.files import read_file
from forgeron.core.game import Game
from forgeron.core.json_text import read_json
from forgeron.core.position import Position
from forgeron.core.record import Record
from forgeron.core.registry import game_class
from forgeron.reports.formatting import plain
from forgeron.reports.results import event_of, results_of

#: Endings that the rules know nothing of: the board shows an unfinished game.
_OFF_THE_BOARD = {*FORFEITS, Reason.RESIGN, Reason.ABORTED, "unfinished"}


class GameNotNamedError(OptionError):
    """A file holds plain moves, and nobody said of which game."""


class GameNotChosenError(OptionError):
    """A journal holds several games, and nobody said which one."""


@dataclass(frozen=True)
class Replay:
    """A game with its positions, and whether it is what its record says."""

    game: Game
    record: Record
    positions: list[Position]
    problem: str | None
    """what does not agree with the record; None when all does"""

    @property
    def title(self) -> str:
        """Which game it was and who played it, fit to be printed."""
        first, second = (plain(name) or self.game.seats[i] for i, name in enumerate(self.record.players))
        return f"{self.game.title}: {first} – {second}"


def load(path: Path, chosen: str | None = None, game: Game | None = None) -> Replay:
    """The game in a file: a record, one of a journal (`chosen` is its number or id), or plain moves of `game`."""
    try:
        text = read_file(path).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ForgeronError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if not text.strip():
        raise ForgeronError(f"{path} is empty: there is no game in it")
    if is_journal(text):
        return _of_journal(path, chosen)
    if text.lstrip().startswith("{"):
        record = Record.from_json(text)
        kind = type(game) if game else game_class(record.game)
        return replay(record, kind.with_options(record.options))
    if game is None:
        raise GameNotNamedError(f"{path} holds plain moves, which do not say of which game they are")
    return replay(read_moves(text, game), game)


def is_journal(text: str) -> bool:
    try:
        first = read_json(text.partition("\n")[0])
    except ValueError:
        return False
    return isinstance(first, dict) and str(first.get("format", "")).startswith("forgeron-journal")


def _of_journal(path: Path, chosen: str | None) -> Replay:
    settings, records = journal.read(path)
    event = event_of(settings, path)
    games = results_of(event, records).games
    if not games:
        raise ForgeronError(f"{path} has no finished game yet")
    for one in games:
        if chosen in (str(one.number), one.id) or (chosen is None and len(games) == 1):
            return replay(one.record, event.terms.open_game())
    there = f"{path} has games 1 … {len(games)}"
    if chosen is None:
        raise GameNotChosenError(f"{there}; choose one by its number or id")
    raise OptionError(f"{there}; none has the number or id '{chosen}'")


def replay(record: Record, game: Game) -> Replay:
    """Play the record again and compare. An illegal move is an error; anything else that differs is a problem."""
    if record.game != game.name:
        raise ForgeronError(f"this record is a game of {record.game}, not of {game.name}")
    try:
        positions = record.positions(game)
    except ForgeronError as error:
        version = "" if record.rules == game.version else f" (rules {record.rules}, here {game.version})"
        raise ForgeronError(f"this record does not replay{version}: {error}") from None
    return Replay(game, record, positions, _problem(record, game, positions[-1]))


def _problem(record: Record, game: Game, end: Position) -> str | None:
    if record.rules != game.version:
        return f"it was played by version {record.rules} of the rules, here they have version {game.version}"
    if record.scores != end.scores:
        return f"the record says {record.scores[0]} : {record.scores[1]}, the board {end.scores[0]} : {end.scores[1]}"
    if record.reason in _OFF_THE_BOARD:
        return None
    if end.outcome is None:
        given_up = record.winner is None and record.reason == Reason.DRAW
        return None if given_up else f"the record ends by {record.reason}, the game on the board goes on"
    if end.outcome.winner != record.winner:
        return f"the record says seat {record.winner} won, the rules say {end.outcome.winner}"
    return None


def read_moves(text: str, game: Game) -> Record:
    """The record of plain moves: tokens or whole turns, with line breaks, numbers (12.) and # comments as you like."""
    position = game.start()
    moves: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = re.sub(r"(?<!\S)\d+\.(?=\s|$)", " ", line.partition("#")[0]).strip()
        if not content:
            continue
        try:
            steps = _turns(position, content)
        except ForgeronError as error:
            raise ForgeronError(f"line {number}: {error}") from None
        moves += [step.last_move or "" for step in steps]
        position = steps[-1]
    return Record.of(game, game.start(), tuple(moves))


def _turns(position: Position, text: str) -> list[Position]:
    """One turn written with spaces, or several moves."""
    if len(text.split()) > 1:
        try:
            return position.steps(text)
        except NotationError:
            pass
    positions: list[Position] = []
    for word in text.split():
        positions += (positions[-1] if positions else position).steps(word)
    return positions


def write_moves(record: Record, per_line: int = 10) -> str:
    """The moves as plain text that `read_moves` reads."""
    lines = [" ".join(record.moves[i : i + per_line]) for i in range(0, len(record.moves), per_line)]
    return "".join(f"{line}\n" for line in lines)
