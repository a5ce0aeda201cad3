"""A match or tournament that is watched: its results from the journal, its games from beside it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgeron.arena import live
from forgeron.arena.live import Snapshot, Wish
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.record import Record
from forgeron.core.view import view_last_move
from forgeron.reports import schema
from forgeron.reports.json import rows_of
from forgeron.reports.results import EventResults, GameResult, read_results
from forgeron.stats.elo import summarise
from forgeron.web.live_game import Refused, Spectator, mover_at

#: How often the games are looked at, and how often watchers say that they are there.
LOOK_SECONDS = 0.25
SAY_SECONDS = 1.0
#: Between two readings of the journal; more where reading takes long.
READ_SECONDS = 1.0
READ_SHARE = 10
#: Boards on a page, and games in a list.
MOST_BOARDS = 6
MOST_LISTED = 1_000
#: So that people can follow a match that they started.
PACE_SECONDS = 0.8

FindGame = Callable[[str, dict[str, Any]], Game]
Rights = Callable[["WatchedEvent", str], dict[str, Any]]
"""what the browser of a key may do with an event"""


@dataclass
class _LiveBoard:
    """A game that is being played, with the positions so far."""

    snapshot: Snapshot
    positions: list[Position] = field(default_factory=list)
    record: Record | None = None
    """how it ended, once the journal has it"""

    def follow(self, find: FindGame) -> None:
        """Make the moves that are new. What is no game that we know, or no legal move, is shown as text alone."""
        moves = self.record.moves if self.record else self.snapshot.moves
        with contextlib.suppress(ForgeronError, TypeError, ValueError):
            if not self.positions:
                game = find(self.snapshot.game, dict(self.snapshot.options))
                self.positions = [game.parse(self.snapshot.start)]
            for move in moves[len(self.positions) - 1 :]:
                self.positions.append(self.positions[-1].play(move))

    def data(self) -> dict[str, Any]:
        """The game for a page."""
        shot, record = self.snapshot, self.record
        step = None
        if len(self.positions) > 1:
            told = view_last_move(*self.positions[-2:])
            step = told and {"seat": mover_at(self.positions[-2]), **told}
        turns = [mover_at(position) for position in self.positions]
        moves = record.moves if record else shot.moves
        return {
            "id": shot.id,
            "names": list(shot.names),
            "time": shot.time,
            "ply": len(moves),
            "moves": [[turns[i] if i < len(turns) else None, move] for i, move in enumerate(moves)],
            "view": self.positions[-1].view() | {"moves": []} if self.positions else None,
            "step": step,
            "seat": None if record else shot.seat,
            "left": list(shot.left) if shot.left else None,
            "elapsed": 0.0 if record else max(0.0, min(time.time() - shot.since, 36_000.0)),
            "said": [dict(one) for one in shot.said],
            "logs": list(shot.logs),
            "result": record and _result(record),
        }


class WatchedEvent:
    """One event. It is looked at as long as somebody watches; all methods run in the event loop."""

    def __init__(self, name: str, path: Path, find: FindGame, rights: Rights) -> None:
        self.name = name
        self.path = path
        self.watchers: set[Spectator] = set()
        self.wish = Wish()
        self.problem = ""
        self.results: EventResults | None = None
        self._find = find
        self._rights = rights
        self._boards: dict[str, _LiveBoard] = {}
        self._told: dict[str, str] = {}
        self._said_at = self._read_at = -math.inf
        self._stamp: tuple[int, int] | None = None
        self._pause_seconds = READ_SECONDS
        self._task: asyncio.Task[None] | None = None

    # --- who watches ------------------------------------------------------------------------------------------------

    def watch(self, watcher: Spectator) -> None:
        self.watchers.add(watcher)
        watcher.send(self._message(watcher, self._state()))
        watcher.send(json.dumps(self._live(list(self._boards))))
        if self._task is None:
            self._task = asyncio.create_task(self._look())

    def leave(self, watcher: Spectator) -> None:
        self.watchers.discard(watcher)
        if not self.watchers:
            self.close()

    def close(self) -> None:
        """Nobody watches any more: the event goes on at its own speed."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self.wish = Wish(pace_seconds=self.wish.pace_seconds)
            live.stop_watching(self.path)
            self._boards.clear()
            self._told.clear()

    def want(self, what: str) -> None:
        """Hold the games, let them go on, or have one move made."""
        if what == "step":
            self.wish = replace(self.wish, held=True, step=self.wish.step + 1)
        else:
            self.wish = replace(self.wish, held=what == "hold")
        self.say()
        self.tell()

    def tell(self) -> None:
        """Tell everybody how the event stands."""
        state = self._state()
        for watcher in list(self.watchers):
            watcher.send(self._message(watcher, state))

    def _message(self, watcher: Spectator, state: dict[str, Any]) -> str:
        return json.dumps({**state, **self._rights(self, watcher.key)})

    # --- looking ----------------------------------------------------------------------------------------------------

    async def _look(self) -> None:
        while True:
            if time.monotonic() - self._said_at > SAY_SECONDS:
                self.say()
            await self.read()
            self._follow(live.running(self.path))
            await asyncio.sleep(LOOK_SECONDS)

    def say(self) -> None:
        """Tell the event what is wanted of it; it believes so for some seconds."""
        self._said_at = time.monotonic()
        if self.path.parent.is_dir():  # before the first game is over there may be no journal yet
            with contextlib.suppress(OSError):  # a folder that we may not write to: finished games alone are seen
                live.watch(self.path, self.wish)

    async def read(self) -> None:
        """Read the journal when it has grown; not all the time where it is long."""
        try:
            found = self.path.stat()
        except OSError:
            return
        stamp = (found.st_size, found.st_mtime_ns)
        started = time.monotonic()
        if stamp == self._stamp or started - self._read_at < self._pause_seconds:
            return
        try:
            self.results, self.problem = await asyncio.to_thread(read_results, self.path), ""
        except ForgeronError as error:
            self.problem = str(error)
        self._stamp, self._read_at = stamp, time.monotonic()
        self._pause_seconds = max(READ_SECONDS, READ_SHARE * (self._read_at - started))
        self.tell()

    def _follow(self, shots: list[Snapshot]) -> None:
        ended = self._ended({shot.id for shot in shots})
        boards = {}
        for shot in shots[:MOST_BOARDS]:
            board = self._boards.get(shot.id) or _LiveBoard(shot)
            board.snapshot = shot
            boards[shot.id] = board
        # The last game stays on the page until another one takes its place.
        for board in ended[: max(0, 1 - len(boards))]:
            boards[board.snapshot.id] = board
        gone = self._boards.keys() - boards.keys()
        self._boards = boards
        changed = []
        for name, board in boards.items():
            sign = f"{len(board.snapshot.moves)} {board.snapshot.since} {board.record is not None}"
            if self._told.get(name) != sign:
                board.follow(self._find)
                self._told[name] = sign
                changed.append(name)
        for name in gone:
            self._told.pop(name, None)
        if changed or gone:
            text = json.dumps(self._live(changed))
            for watcher in list(self.watchers):
                watcher.send(text)

    def _ended(self, running: set[str]) -> list[_LiveBoard]:
        """Games that were shown and are over, the latest first."""
        records = {game.id: game.record for game in self.results.games} if self.results else {}
        found = []
        for name, board in self._boards.items():
            if name not in running:
                board.record = records.get(name, board.record)
                found.append(board)
        return found[::-1]

    # --- what pages are told ----------------------------------------------------------------------------------------

    def _live(self, changed: list[str]) -> dict[str, Any]:
        return {
            "event": "boards",
            "id": self.name,
            "all": list(self._boards),
            "boards": [self._boards[name].data() for name in changed],
        }

    def facts(self) -> dict[str, Any]:
        """What a list of events says."""
        data: dict[str, Any] = {"id": self.name, "title": self.path.stem, "problem": self.problem}
        results = self.results
        if results is None:
            return {**data, "kind": None, "game": None, "played": 0, "total": 0, "names": [], "finished": False}
        terms = results.event.terms
        return {
            **data,
            "title": results.event.title,
            "kind": results.event.settings()["kind"],
            "game": self.game_name(),
            "time": terms.time,
            "names": [entrant.name for entrant in results.event.entrants],
            "played": len(results.games),
            "total": len(results.games) + results.due,
            "finished": results.due == 0,
        }

    def game_name(self) -> str:
        """The name of the game, as pages know it."""
        assert self.results is not None
        if self.results.games:
            return self.results.games[0].record.game
        return Path(self.results.event.terms.game).stem

    def _state(self) -> dict[str, Any]:
        results = self.results
        more: dict[str, Any] = {"standings": [], "cross": {}, "match": None}
        if results is not None:
            match = schema.match(results)
            more = {
                "standings": rows_of(schema.standings(results)),
                "cross": _cross(results),
                "match": rows_of(match)[0] if match else None,
            }
        return {"event": "event", **self.facts(), "held": self.wish.held, **more}

    def games(self, first: str, second: str) -> list[dict[str, Any]]:
        """The games of two entrants, the latest last."""
        if self.results is None:
            return []
        found = [game for game in self.results.games if {first, second} == set(game.names)]
        return [_listed(game) for game in found[-MOST_LISTED:]]

    def history(self, game_id: str) -> dict[str, Any]:
        """The whole course of a finished game, as `LiveGame.history` tells it."""
        for one in self.results.games if self.results else []:
            if one.id == game_id:
                record = one.record
                game = self._find(record.game, dict(record.options))
                positions = record.positions(game)
                return {
                    "game": game.name,
                    "title": game.title,
                    "options": dict(record.options),
                    "names": list(record.players),
                    "moves": list(record.moves),
                    "positions": [str(position) for position in positions],
                    "turns": [mover_at(position) for position in positions],
                    "throws": [position.turn == "chance" for position in positions],
                    "result": _result(record),
                }
        raise Refused("there is no such game in this event, or it is not over yet")


def _result(record: Record) -> dict[str, Any]:
    detail = str(record.extra.get("detail", ""))
    return {"winner": record.winner, "scores": list(record.scores), "reason": record.reason, "detail": detail}


def _listed(game: GameResult) -> dict[str, Any]:
    return {
        "id": game.id,
        "number": game.number,
        "names": list(game.names),
        "points": list(game.points),
        "scores": list(game.record.scores),
        "reason": game.record.reason,
        "detail": str(game.detail or "")[:300],
        "plies": len(game.record.moves),
    }


def _cross(results: EventResults) -> dict[str, dict[str, Mapping[str, Any]]]:
    """For each pair of entrants the points, and the share of them with its 95 % interval."""
    table: dict[str, dict[str, Mapping[str, Any]]] = {}
    for (name, other), counts in results.cross.items():
        score = summarise(counts).score
        bounds = None if score is None else [round(one, 4) for one in (score.value, score.low, score.high)]
        table.setdefault(name, {})[other] = {"counts": list(counts), "points": counts.points, "score": bounds}
    return table
