"""What a running event shows to whoever watches it, and what it hears from there.

Beside the journal `x.journal` lies the folder `x.journal.live`, made by a watcher. In it are

| file | written by | what it says |
|---|---|---|
| `watcher.json` | the watcher, again and again | somebody watches; the `Wish`: hold, make one move, go slowly |
| `<game>.json` | the referee of the game, at its turns | the `Snapshot`: moves, clocks, what both sides said |

A watcher that has gone stops nobody: what it wrote counts for a few seconds only. An event that nobody watches pays
for one look at the file system a move. A worker may be in the hands of a bot: a watcher believes nothing that it reads.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from forgeron.arena.referee import OnTurn, Referee
from forgeron.core.position import Seat

#: A wish that is older than this is nobody's any more.
FRESH_SECONDS = 5.0
#: A game that goes faster is shown at some of its turns only.
SHOW_SECONDS = 0.05
#: The end of a log that is shown, and the longest file that is read.
LOG_CHARACTERS = 2_000
MOST_BYTES = 1_000_000
MOST_GAMES = 64
_WISH = "watcher.json"
_LOOK_SECONDS = 0.05


@dataclass(frozen=True)
class Wish:
    """What a watcher wants of the games that it watches."""

    held: bool = False
    step: int = 0
    """raised by one for each single move of games that are held"""
    pace_seconds: float = 0.0
    """the least time between two moves, so that people can follow"""


@dataclass(frozen=True)
class Snapshot:
    """A game that is being played."""

    id: str
    game: str
    options: Mapping[str, Any]
    names: tuple[str, str]
    time: str
    start: str
    moves: tuple[str, ...]
    seat: Seat
    """who is to move"""
    since: float
    """when it was asked, in seconds since 1970"""
    left: tuple[float, float] | None
    """what is left on the clocks; None where each move has a time of its own"""
    said: tuple[Mapping[str, Any], Mapping[str, Any]] = field(default=({}, {}))
    """what each side said with its last move: t (seconds), v (value), d (depth), n (nodes), line, info"""
    logs: tuple[str, str] = ("", "")
    """the end of what each side wrote to its standard error"""

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Snapshot:
        """Read back what was written; `ValueError` when it is not that."""
        try:
            first, second = data["names"]
            seat = data["seat"]
            if seat not in (0, 1) or not isinstance(data["options"], dict):
                raise ValueError(f"no snapshot of a game: seat {seat!r}")
            left = data["left"]
            return cls(
                id=str(data["id"])[:80],
                game=str(data["game"])[:80],
                options=data["options"],
                names=(str(first)[:80], str(second)[:80]),
                time=str(data["time"])[:40],
                start=str(data["start"])[:2_000],
                moves=tuple(str(move) for move in data["moves"]),
                seat=seat,
                since=float(data["since"]),
                left=None if left is None else (float(left[0]), float(left[1])),
                said=(_said(data["said"][0]), _said(data["said"][1])),
                logs=(str(data["logs"][0])[:LOG_CHARACTERS], str(data["logs"][1])[:LOG_CHARACTERS]),
            )
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise ValueError(f"no snapshot of a game: {error!r}") from None


def _said(data: Mapping[str, Any]) -> dict[str, Any]:
    numbers = {key: float(data[key]) for key in ("t", "v", "d", "n") if data.get(key) is not None}
    line = [str(move)[:200] for move in data.get("line", ())][:40]
    return {**numbers, "line": line, "info": str(data.get("info", ""))[:500]}


def live_folder(journal: Path) -> Path:
    """Where the games of an event show themselves."""
    return journal.with_name(journal.name + ".live")


# --- where games are played -----------------------------------------------------------------------------------------


class GameFeed:
    """Shows one game to whoever watches, and holds it when a watcher wants that. Called at every turn."""

    def __init__(self, folder: Path, game_id: str, on_turn: OnTurn | None = None) -> None:
        self._wish_file = str(folder / _WISH)
        self._file = folder / f"{game_id}.json"
        self._id = game_id
        self._on_turn = on_turn
        self._shown_at = 0.0
        self._moved_at = 0.0
        self._steps: int | None = None

    def __call__(self, referee: Referee, seat: Seat) -> None:
        wish = _read_wish(self._wish_file)
        if wish is not None:
            self._show(referee, seat, at_once=wish.held)
            self._wait(wish, referee, seat)
        if self._on_turn is not None:
            self._on_turn(referee, seat)

    def close(self) -> None:
        """The game is over, or given up."""
        if self._shown_at:
            with contextlib.suppress(OSError):
                self._file.unlink()

    def _show(self, referee: Referee, seat: Seat, *, at_once: bool) -> None:
        now = time.monotonic()
        if at_once or now - self._shown_at >= SHOW_SECONDS:
            self._shown_at = now
            draft = self._file.with_suffix(".draft")
            with contextlib.suppress(OSError):  # nobody's game suffers from being watched
                draft.write_text(json.dumps(asdict(snapshot(self._id, referee, seat))), encoding="utf-8")
                draft.replace(self._file)

    def _wait(self, wish: Wish | None, referee: Referee, seat: Seat) -> None:
        """Until the watcher wants the move, or has gone. The clock of the mover does not run yet."""
        told = time.monotonic()
        if self._steps is None and wish is not None:
            self._steps = wish.step
        while wish is not None and self._must_wait(wish):
            time.sleep(_LOOK_SECONDS)
            if time.monotonic() - told > 1.0 and self._on_turn is not None:
                told = time.monotonic()
                self._on_turn(referee, seat)  # whoever looks after this worker knows that it lives
            wish = _read_wish(self._wish_file)
        if wish is not None:
            self._steps = wish.step
        self._moved_at = time.monotonic()

    def _must_wait(self, wish: Wish) -> bool:
        if wish.held:
            return wish.step == self._steps
        return time.monotonic() - self._moved_at < wish.pace_seconds


def snapshot(game_id: str, referee: Referee, seat: Seat) -> Snapshot:
    """The game as it is now, with the seat to move."""
    timed = referee.clocks.controls[0].base_seconds is not None
    return Snapshot(
        id=game_id,
        game=referee.game.name,
        options=dict(referee.game.chosen),
        names=(referee.contestants[0].name, referee.contestants[1].name),
        time=str(referee.clocks),
        start=str(referee.start),
        moves=tuple(referee.moves),
        seat=seat,
        since=time.time(),
        left=(referee.clocks.left[0], referee.clocks.left[1]) if timed else None,
        said=(_last_words(referee, 0), _last_words(referee, 1)),
        logs=(referee.contestants[0].log[-LOG_CHARACTERS:], referee.contestants[1].log[-LOG_CHARACTERS:]),
    )


def _last_words(referee: Referee, seat: Seat) -> dict[str, Any]:
    for ply, answer in reversed(referee.answers[-6:]):
        if referee.positions[ply].turn == seat:
            numbers = {"t": answer.seconds, "v": answer.value, "d": answer.depth, "n": answer.nodes}
            return {**numbers, "line": list(answer.line[:40]), "info": answer.info}
    return {}


def _read_wish(file: str) -> Wish | None:
    """What a watcher wants; None when nobody watches."""
    try:
        if time.time() - os.stat(file).st_mtime > FRESH_SECONDS:
            return None
        with open(file, encoding="utf-8") as source:
            data = json.loads(source.read(1_000))
        return Wish(bool(data["held"]), int(data["step"]), min(float(data["pace_seconds"]), 10.0))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


# --- where games are watched ----------------------------------------------------------------------------------------


def watch(journal: Path, wish: Wish) -> None:
    """Say that somebody watches; to be said again within `FRESH_SECONDS`."""
    folder = live_folder(journal)
    folder.mkdir(exist_ok=True)
    draft = folder / f"{_WISH}.draft"
    draft.write_text(json.dumps(asdict(wish)), encoding="utf-8")
    draft.replace(folder / _WISH)


def running(journal: Path) -> list[Snapshot]:
    """The games that are being played, as far as they show themselves."""
    found = []
    with contextlib.suppress(OSError):
        for file in sorted(live_folder(journal).glob("*.json"))[: MOST_GAMES + 1]:
            with contextlib.suppress(OSError, ValueError, RecursionError):
                if file.name != _WISH and file.stat().st_size <= MOST_BYTES:
                    found.append(Snapshot.from_data(json.loads(file.read_text(encoding="utf-8"))))
    return found


def stop_watching(journal: Path) -> None:
    """Leave no trace; another watcher makes its own folder again."""
    shutil.rmtree(live_folder(journal), ignore_errors=True)
