"""A game that was played, as one JSON object that replays exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forgeron.core.errors import ForgeronError
from forgeron.core.files import read_file, write_file
from forgeron.core.json_text import read_json
from forgeron.core.options import Value

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.core.position import Position

FORMAT = 1


@dataclass(frozen=True)
class Record:
    """Everything that is needed to play a game again, and how it ended."""

    game: str
    options: dict[str, Value]
    rules: int
    """the version of the game's rules"""
    start: str
    """the first position"""
    moves: tuple[str, ...] = ()
    players: tuple[str, str] = ("", "")
    seed: int = 0
    winner: int | None = None
    scores: tuple[int, int] = (0, 0)
    reason: str = "unfinished"
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, start: Position, moves: tuple[str, ...], **details: Any) -> Record:
        """The record of these moves; the result is filled in when they end the game."""
        end = start
        for move in moves:
            end = end.play(move)
        outcome = end.outcome
        if outcome is not None:
            details = {"winner": outcome.winner, "scores": outcome.scores, "reason": outcome.reason, **details}
        else:
            details = {"scores": end.scores, **details}
        return cls(game.name, dict(game.chosen), game.version, str(start), moves, **details)

    def positions(self, game: Game) -> list[Position]:
        """The positions of the game, the first one included; an illegal move raises its error."""
        found = [game.parse(self.start)]
        for move in self.moves:
            found.append(found[-1].play(move))
        return found

    def to_data(self) -> dict[str, Any]:
        """The record as JSON-ready data."""
        return {"format": FORMAT, **vars(self)}

    def to_json(self) -> str:
        return json.dumps(self.to_data(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record back; a text that is none raises a ForgeronError that says why."""
        try:
            data = read_json(text)
        except ValueError as error:
            raise ForgeronError(f"this is not a game record: {error}") from None
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Any) -> Record:
        """Read back what `to_data` gave."""
        if not isinstance(data, dict) or "moves" not in data or "game" not in data:
            raise ForgeronError("this is not a game record: it needs at least 'game' and 'moves'")
        data = dict(data)
        form = data.pop("format", None)
        if form != FORMAT:
            raise ForgeronError(f"this record has format {form}; this version reads format {FORMAT}")
        known = cls.__dataclass_fields__.keys()
        try:
            for name in ("moves", "players", "scores"):
                if name in data:
                    data[name] = tuple(data[name])
            record = cls(**{name: value for name, value in data.items() if name in known})
        except TypeError as error:
            raise ForgeronError(f"this record is incomplete: {error}") from None
        wrong = record._wrong_fields()
        if wrong:
            raise ForgeronError(f"this is not a game record: {', '.join(wrong)} cannot have such a value")
        return record

    def _wrong_fields(self) -> list[str]:
        """The fields that a hand, or another program, has given a value of the wrong kind."""
        right = {
            "game": isinstance(self.game, str),
            "options": isinstance(self.options, dict),
            "rules": isinstance(self.rules, int),
            "start": isinstance(self.start, str),
            "moves": set(map(type, self.moves)) <= {str} and "".join(self.moves).isprintable(),
            "players": len(self.players) == 2 and set(map(type, self.players)) <= {str},
            "seed": isinstance(self.seed, int) and 0 <= self.seed < 2**64,
            "winner": self.winner in (0, 1, None),
            "scores": len(self.scores) == 2 and set(map(type, self.scores)) <= {int, bool},
            "reason": isinstance(self.reason, str),
            "extra": isinstance(self.extra, dict),
        }
        return [name for name, fine in right.items() if not fine]

    def save(self, path: Path) -> None:
        """Write the record to a file, all of it or nothing."""
        write_file(path, self.to_json() + "\n")

    @classmethod
    def load(cls, path: Path) -> Record:
        try:
            text = read_file(path).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise ForgeronError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
        return cls.from_json(text)
