"""All events of a server: matches and tournaments that pages have started, and those that run elsewhere.

Events of the pages are kept in the folder `events` of the user's data, each as its journal and a file that says whose
it is. Whoever starts the server may name journals, or folders with journals, of events that a terminal plays.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.live import Wish
from forgeron.arena.match import Match
from forgeron.arena.tournament import Tournament
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.files import write_file
from forgeron.core.game import Game
from forgeron.players import player_names
from forgeron.players.levels import levels
from forgeron.web.live_game import Refused
from forgeron.web.lobby import Lobby
from forgeron.web.watched_event import PACE_SECONDS, WatchedEvent

#: Times for players that are no levels.
TIMES = ("0.1", "0.5", "2", "200n", "5000n", "100000n")
MOST_PLAYERS = 8
MOST_GAMES = 1_000
#: Events that play at the same time: each uses a core.
MOST_RUNNING = 2
MOST_LISTED = 100
_NEXT_TO_NOTHING = "1n"


class Hall:
    """Finds, starts, stops and continues events. A page can name players and levels, never a file or a command."""

    def __init__(
        self, folder: Path, lobby: Lobby, watched: Sequence[Path], env: Mapping[str, str], *, is_private: bool
    ) -> None:
        self._folder = folder
        self._lobby = lobby
        self._watched = [path.absolute() for path in watched]
        self._env = dict(env) | {"FORGERON_QUIET": "1"}
        self._is_private = is_private
        """only people at this machine come here: all of them may hold what a terminal plays"""
        self._events: dict[str, WatchedEvent] = {}
        self._processes: dict[str, asyncio.subprocess.Process] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self._notes: dict[str, str] = {}

    # --- finding ----------------------------------------------------------------------------------------------------

    def _paths(self) -> list[Path]:
        """The journals, the latest first."""
        # What is not there yet may come: a folder, unless it is called a journal.
        found = {path for path in self._watched if path.is_file() or path.suffix == ".journal"}
        for folder in (self._folder, *(path for path in self._watched if path not in found)):
            found.update(folder.glob("*.journal"))
        return sorted(found, key=_age, reverse=True)[:MOST_LISTED]

    def find(self, name: str) -> WatchedEvent:
        """The event of this id."""
        if name not in self._events:
            for path in self._paths():
                self._event(path)
        if name not in self._events:
            raise Refused("there is no such event here")
        return self._events[name]

    def _event(self, path: Path) -> WatchedEvent:
        name = hashlib.blake2b(str(path).encode(), digest_size=6).hexdigest()
        if name not in self._events:
            self._events[name] = WatchedEvent(name, path, self._find_game, self.rights)
        return self._events[name]

    def _find_game(self, name: str, options: dict[str, Any]) -> Game:
        return self._lobby.open_game(name, options)[1]

    async def listed(self, key: str) -> list[dict[str, Any]]:
        """All events, the latest first."""
        found = []
        for path in self._paths():
            event = self._event(path)
            await event.read()
            found.append({**event.facts(), **self.rights(event, key)})
        return found

    def rights(self, event: WatchedEvent, key: str) -> dict[str, Any]:
        """Whether the event plays, and what a browser may do with it."""
        started = self._is_ours(event)
        mine = started and _owner(event.path) == key
        return {
            "running": event.name in self._processes,
            "may_hold": mine or self._is_private,
            "may_stop": started and (mine or self._is_private),
            "note": self._notes.get(event.name, ""),
        }

    def _is_ours(self, event: WatchedEvent) -> bool:
        return event.path.parent == self._folder

    # --- starting and stopping --------------------------------------------------------------------------------------

    async def new(self, message: Mapping[str, Any]) -> WatchedEvent:
        """Start what a page asks for."""
        self._check_room()
        path, game = self._lobby.open_game(message["game"], message["options"])
        event = self._made(message, path, game)
        self._folder.mkdir(parents=True, exist_ok=True)
        words = "-".join([game.name, *(one.name for one in event.entrants)])[:60]
        file = self._folder / f"{words}-{secrets.token_hex(4)}.journal"
        about = {"owner": message["key"], "settings": event.settings()}
        write_file(file.with_suffix(".json"), json.dumps(about))
        watched = self._event(file)
        watched.wish = Wish(pace_seconds=PACE_SECONDS if message["pace"] else 0.0)
        watched.say()  # before the first move: an event that nobody seems to watch goes at its own speed
        await self._start(watched)
        return watched

    def _made(self, message: Mapping[str, Any], path: str, game: Game) -> Match | Tournament:
        if message["time"] not in TIMES:
            raise unknown_name("time", message["time"], TIMES)
        if len(set(message["players"])) < len(message["players"]):
            raise OptionError("every player of an event plays once; choose different ones")
        entrants = tuple(self._entrant(game, name) for name in message["players"])
        seed = secrets.randbits(31)
        terms = Terms.settle(path, dict(game.chosen), time=message["time"], seed=seed)
        if len(entrants) == 2:
            return Match(terms, (entrants[0], entrants[1]), message["games"])
        title = f"{game.title}: {len(entrants)} players"
        return Tournament(title, terms, entrants, pairs=message["games"] // 2)

    def _entrant(self, game: Game, name: str) -> Entrant:
        known = {one.name: one for one in levels(game)}
        if name in known:
            level = known[name]
            limit = f"{level.nodes}n" if level.nodes else _NEXT_TO_NOTHING
            own = limit if level.nodes or level.is_light else f"{level.seconds:g}"
            return Entrant(name, player=level.player, time=own)
        offered = player_names(game)
        if name not in offered:
            raise unknown_name("player or level", name, [*known, *offered])
        return Entrant(name, player=name)

    def _check_room(self) -> None:
        if len(self._processes) >= MOST_RUNNING:
            raise Refused(f"{MOST_RUNNING} events are being played; stop one, or wait until one is over")

    async def _start(self, event: WatchedEvent) -> None:
        about = _read_about(event.path)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "forgeron.web.event_process",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self._env,
            start_new_session=True,
        )
        assert process.stdin is not None
        order = {"journal": str(event.path), "settings": about["settings"]}
        process.stdin.write(json.dumps(order).encode() + b"\n")
        self._processes[event.name] = process
        reader = asyncio.create_task(self._follow(event, process))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)

    async def _follow(self, event: WatchedEvent, process: asyncio.subprocess.Process) -> None:
        """Until the process has ended."""
        assert process.stdout is not None
        event.problem = ""
        while line := await process.stdout.readline():
            with contextlib.suppress(ValueError, KeyError):
                said = json.loads(line)
                self._notes[event.name] = said["what"] if said["event"] == "compiling" else ""
                if said["event"] == "failed":
                    event.problem = said["error"]
                event.tell()
        await process.wait()
        self._processes.pop(event.name, None)
        self._notes.pop(event.name, None)
        event.tell()

    async def control(self, event: WatchedEvent, key: str, what: str) -> None:
        """Hold an event, let it go on, have one move made, stop it, or continue one that was stopped."""
        rights = self.rights(event, key)
        if not rights["may_stop" if what in ("stop", "resume") else "may_hold"]:
            raise Refused("whoever started the event can do that")
        if what == "resume":
            self._check_room()
            if event.name not in self._processes:
                await self._start(event)
                event.tell()
        elif what == "stop":
            await self._end(event.name)
            event.tell()
        else:
            event.want(what)

    async def _end(self, name: str) -> None:
        process = self._processes.pop(name, None)
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """End what plays; journals go on when somebody wants it."""
        for event in self._events.values():
            event.close()
        for name in list(self._processes):
            await self._end(name)


def _age(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _read_about(journal: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads(journal.with_suffix(".json").read_text(encoding="utf-8"))
        return {"owner": str(about["owner"]), "settings": dict(about["settings"])}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ForgeronError(f"this event cannot be continued here: {error}") from None


def _owner(journal: Path) -> str | None:
    with contextlib.suppress(ForgeronError):
        return str(_read_about(journal)["owner"])
    return None
