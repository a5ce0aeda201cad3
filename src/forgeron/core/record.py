"""A game that was played, as one JSON object that replays exactly."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forgeron.core.errors import ForgeronError

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.core.position import Position

FORMAT = 1


@dataclass(frozen=True)
class Record:
    """Everything that is needed to play a game again, and how it ended."""

    game: str
    options: dict[str, int | str | bool]
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

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record back; a text that is none raises a ForgeronError that says why."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ForgeronError(f"this is not a game record: {error}") from None
        if not isinstance(data, dict) or "moves" not in data or "game" not in data:
            raise ForgeronError("this is not a game record: it needs at least 'game' and 'moves'")
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
            "moves": all(isinstance(move, str) for move in self.moves),
            "players": len(self.players) == 2 and all(isinstance(name, str) for name in self.players),
            "seed": isinstance(self.seed, int) and 0 <= self.seed < 2**64,
            "winner": self.winner in (0, 1, None),
            "scores": len(self.scores) == 2 and all(isinstance(points, int) for points in self.scores),
            "reason": isinstance(self.reason, str),
            "extra": isinstance(self.extra, dict),
        }
        return [name for name, fine in right.items() if not fine]

    def save(self, path: Path) -> None:
        """Write the record to a file, all of it or nothing."""
        draft = path.with_name(path.name + ".part")
        try:
            draft.write_text(self.to_json() + "\n", encoding="utf-8")
            draft.replace(path)
        except OSError as error:
            raise ForgeronError(f"cannot write {path}: {error.strerror or error}") from None

    @classmethod
    def load(cls, path: Path) -> Record:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ForgeronError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
        return cls.from_json(text)
