"""A live game on the page: its referee, its seats, and what is sent to everybody who watches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from forgeron.arena.human import Human
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import Answer
from forgeron.bots.faults import BotFault, Reason
from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.position import Position, Seat
from forgeron.core.view import view_last_move
from forgeron.players.levels import Level, level, levels
from forgeron.web.worker_pool import WorkerPool

PERSON = "person"
OPEN = "open"
#: Between the moves of two players against each other, so that people can follow.
PACE_SECONDS = 0.8
#: How long a hint is thought about.
HINT_SECONDS = 1.0
#: How long a player thinks in plain Python while its kernels are compiled.
MEANWHILE_SECONDS = 0.2


class Refused(ForgeronError):
    """What a person asked for is not possible now; nothing has changed."""


class Spectator(Protocol):
    """A page that looks at a game."""

    key: str
    """the secret by which a browser is known"""

    def send(self, text: str) -> None:
        """Have the text sent, in order, without waiting."""


@dataclass(frozen=True)
class Setup:
    """What was agreed before the first move; kept with the game."""

    game: str
    options: dict[str, Any]
    sides: tuple[str, str]
    """for each seat: "person", "open" (for whoever comes by the link), or the name of a level"""
    keys: tuple[str | None, str | None]
    """whose the seats are"""
    owner: str
    clock: tuple[float, float] | None
    seed: int
    rematch_of: str | None = None

    @property
    def control(self) -> TimeControl:
        if self.clock is None:
            return TimeControl(move_seconds=60.0)  # nobody is timed then
        return TimeControl(base_seconds=self.clock[0], increment_seconds=self.clock[1])

    def seats_of(self, key: str) -> list[Seat]:
        """The seats that the browser of this key plays."""
        seats: tuple[Seat, Seat] = (0, 1)
        return [seat for seat in seats if self.sides[seat] in (PERSON, OPEN) and self.keys[seat] == key]


@dataclass
class Ending:
    """An end that the rules know nothing of."""

    seat: Seat
    reason: str
    detail: str


@dataclass
class Surroundings:
    """What a game needs of the server."""

    thinkers: WorkerPool
    quick: WorkerPool
    """workers that run everything as plain Python: nothing is compiled before they answer"""
    keep: Callable[[LiveGame], None]
    """write the game to disk"""
    threads: int = 1
    pace_seconds: float = PACE_SECONDS


@dataclass
class Saved:
    """What was played, as it is kept."""

    moves: list[str] = field(default_factory=list)
    answers: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    ending: dict[str, Any] | None = None
    rematch: str | None = None


class LiveGame:
    """One game. All methods run in the event loop; thinking is done by the workers."""

    def __init__(self, name: str, game: Game, setup: Setup, around: Surroundings, saved: Saved | None = None) -> None:
        self.name = name
        self.game = game
        self.setup = setup
        self.watchers: set[Spectator] = set()
        self.paused = False
        self.rematch: str | None = None
        self._around = around
        self._levels: dict[Seat, Level] = {}
        self._ending: Ending | None = None
        self._task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._since = 0.0
        self._note = ""
        self._warming: dict[str, asyncio.Task[None]] = {}
        self._version = 0
        self._bring_back(saved or Saved())

    # --- keeping ----------------------------------------------------------------------------------------------------

    def _bring_back(self, saved: Saved) -> None:
        seats: tuple[Seat, Seat] = (0, 1)
        for seat in seats:
            if self.setup.sides[seat] not in (PERSON, OPEN):
                self._levels[seat] = level(self.game, self.setup.sides[seat])
        timed = self.setup.clock is not None
        # Players of ours also answer from outside of the referee: by way of a worker.
        first, second = (Human(self.side_name(seat), timed=timed) for seat in seats)
        self.referee = Referee(self.game, (first, second), self.setup.control, played=saved.moves, seed=self.setup.seed)
        for ply, said in saved.answers:
            self.referee.answers.append((ply, Answer(**said)))
            self.referee.clocks.spend(1 if self.referee.positions[ply].turn == 1 else 0, said["seconds"])
        self.referee.open()
        if saved.ending is not None and self.referee.record is None:
            self._end(Ending(**saved.ending))
        self.rematch = saved.rematch

    def data(self) -> dict[str, Any]:
        """What is kept of the game: enough to go on exactly here."""
        answers = [
            (ply, {key: getattr(one, key) for key in ("text", "seconds", "value", "depth", "nodes")})
            for ply, one in self.referee.answers
        ]
        ending = asdict(self._ending) if self._ending else None
        saved = Saved(list(self.referee.moves), answers, ending, self.rematch)
        return {"setup": asdict(self.setup), "saved": asdict(saved), "result": self._result()}

    @classmethod
    def of_data(
        cls, name: str, data: dict[str, Any], make: Callable[[str, dict[str, Any]], Game], around: Surroundings
    ) -> LiveGame:
        """The game that `data` tells of."""
        setup = data["setup"]
        clock = tuple(setup["clock"]) if setup["clock"] else None
        made = Setup(**{**setup, "sides": tuple(setup["sides"]), "keys": tuple(setup["keys"]), "clock": clock})
        return cls(name, make(made.game, made.options), made, around, Saved(**data["saved"]))

    def side_name(self, seat: Seat) -> str:
        """Who sits there, in a word."""
        return self.setup.sides[seat] if seat in self._levels else "human"

    @property
    def is_over(self) -> bool:
        return self.referee.record is not None

    @property
    def position(self) -> Position:
        return self.referee.position

    # --- what people do ---------------------------------------------------------------------------------------------

    def watch(self, watcher: Spectator) -> None:
        self.watchers.add(watcher)
        self.advance()
        self._tell_one(watcher)

    def leave(self, watcher: Spectator) -> None:
        self.watchers.discard(watcher)

    def sit(self, key: str) -> None:
        """Take the open seat."""
        if self.setup.seats_of(key):
            return
        seats: tuple[Seat, Seat] = (0, 1)
        free = [seat for seat in seats if self.setup.sides[seat] == OPEN and self.setup.keys[seat] is None]
        if not free:
            raise Refused("both seats are taken; you can watch")
        keys = list(self.setup.keys)
        keys[free[0]] = key
        self.setup = replace(self.setup, keys=(keys[0], keys[1]))
        self._changed()

    def move(self, key: str, ply: int, text: str) -> None:
        """Play a move of a person."""
        seat = self._check_turn(key, ply)
        if self.position.turn == "chance":
            raise Refused("throw first")
        seconds = self._elapsed() if self.setup.clock else 0.0
        if self.setup.clock and seconds > self.referee.clocks.allowed(seat):
            self._run_out(seat)
            return
        self.referee.submit(text, seconds)
        self._changed()

    def throw(self, key: str, ply: int) -> None:
        """Throw for a person."""
        self._check_turn(key, ply)
        if self.position.turn != "chance":
            raise Refused("there is nothing to throw now")
        self.referee.throw()
        self._changed()

    def resign(self, key: str) -> None:
        seats = self.setup.seats_of(key)
        if not seats:
            raise Refused("you do not play in this game")
        self._check_going_on()
        mover = self._mover()
        seat = mover if mover in seats else seats[0]
        assert seat is not None
        self._stop()
        self._end(Ending(seat, str(Reason.RESIGN), ""))
        self._changed()

    def take_back(self, key: str, ply: int) -> None:
        """Go back to where the person had to move last; not when another person would lose a move by it."""
        seats = self.setup.seats_of(key)
        others = [seat for seat in (0, 1) if seat not in seats and seat not in self._levels]
        if not seats or others:
            raise Refused("moves are taken back in games of one person")
        self._check_ply(ply)
        for back in reversed(range(len(self.referee.moves))):
            if self.referee.positions[back].turn in seats:
                self._stop()
                self._ending = None
                self.referee = self.referee.rewound(back)
                self.referee.open()
                self._changed()
                return
        raise Refused("there is no move of yours to take back")

    def pause(self, key: str, paused: bool) -> None:
        """Hold the players of a game without people, or let them go on."""
        if key != self.setup.owner:
            raise Refused("whoever began the game can do that")
        self.paused = paused
        if paused:
            self._stop()
        self._changed()

    def step(self, key: str) -> None:
        """One move of a game that is held."""
        if key != self.setup.owner or not self.paused:
            raise Refused("whoever began the game can do that, while it is held")
        self._check_going_on()
        if self._task is None:
            self._task = asyncio.create_task(self._one_step())

    async def hint(self, key: str, ply: int) -> dict[str, Any]:
        """The move that the strongest level would play."""
        self._check_turn(key, ply)
        position = self.position
        if position.turn == "chance":
            raise Refused("throw first")
        best = levels(self.game)[-1]
        answer = await self._think(position, best, {"seconds": HINT_SECONDS})
        return {"event": "hint", "id": self.name, "ply": ply, "move": answer["move"], "value": answer["value"]}

    def _check_turn(self, key: str, ply: int) -> Seat:
        self._check_going_on()
        self._check_ply(ply)
        seat = self._mover()
        if seat is None or seat not in self.setup.seats_of(key):
            raise Refused("it is not your turn")
        return seat

    def _check_ply(self, ply: int) -> None:
        if ply != len(self.referee.moves):
            raise Refused("the game has gone on meanwhile")

    def _check_going_on(self) -> None:
        if self.is_over:
            raise Refused("the game is over")

    # --- going on by itself -----------------------------------------------------------------------------------------

    def _mover(self) -> Seat | None:
        """Who is to move or to throw."""
        if self.position.turn == "chance":
            return self.game.thrower(self.position.state)
        return self.position.turn

    def advance(self) -> None:
        """Have whatever needs no person happen: throws and moves of our players. Nothing happens unseen."""
        seat = self._mover()
        if self.is_over or seat is None or self._task is not None:
            return
        unseen = len(self._levels) == 2 and not self.watchers
        if self._is_automatic(seat) and not self.paused and not unseen:
            self._task = asyncio.create_task(self._one_step())
        elif self.setup.clock and seat not in self._levels and None not in self._people():
            self._start_clock(seat)

    def _people(self) -> list[str | None]:
        return [self.setup.keys[seat] for seat in (0, 1) if seat not in self._levels]

    def _is_automatic(self, seat: Seat) -> bool:
        # With a clock nobody can gain time by not throwing.
        return seat in self._levels or (self.position.turn == "chance" and self.setup.clock is not None)

    def _start_clock(self, seat: Seat) -> None:
        if self._flag is not None:
            return
        loop = asyncio.get_running_loop()
        self._since = loop.time()
        self._flag = loop.call_later(self.referee.clocks.allowed(seat) + 0.02, self._run_out, seat)

    def _elapsed(self) -> float:
        return asyncio.get_running_loop().time() - self._since if self._flag is not None else 0.0

    def _run_out(self, seat: Seat) -> None:
        self._end(Ending(seat, str(Reason.TIME), "the clock ran out"))
        self._changed()

    def _end(self, ending: Ending) -> None:
        self._ending = ending
        if ending.reason == Reason.RESIGN:
            self.referee.resign(ending.seat)
        else:
            self.referee.accept(BotFault(Reason(ending.reason), ending.detail))

    async def _one_step(self) -> None:
        """A throw, or a move of a player; then whatever comes next."""
        try:
            if len(self._levels) == 2:
                await asyncio.sleep(self._around.pace_seconds)
            if self.position.turn == "chance":
                self.referee.throw()
            else:
                await self._player_moves()
        except asyncio.CancelledError:
            raise
        except ForgeronError as error:
            self.paused = True  # whoever plays may go on later: nothing is lost
            self._broadcast({"event": "problem", "id": self.name, "text": str(error)})
        finally:
            if self._task is asyncio.current_task():
                self._task = None
        self._changed()

    async def _player_moves(self) -> None:
        seat = self.position.turn
        assert seat in (0, 1)
        chosen = self._levels[seat]
        limit: dict[str, Any] = {"nodes": chosen.nodes, "seconds": chosen.seconds}
        if self.setup.clock:
            allowed = self.referee.clocks.limit(seat)
            limit["seconds"] = min(chosen.seconds, allowed.seconds or chosen.seconds)
        answer = await self._think(self.position, chosen, limit)
        said = Answer(answer["move"], answer["seconds"])
        said.value, said.depth, said.nodes = answer["value"], answer["depth"], answer["nodes"]
        said.line = tuple(answer["line"])
        self.referee.accept(said)

    async def _think(self, position: Position, chosen: Level, limit: dict[str, Any]) -> dict[str, Any]:
        """What the level plays. Nobody waits for a compiler: plain Python thinks for a moment meanwhile."""
        task, thinkers = self._request(position, chosen, limit), self._around.thinkers
        if chosen.is_light:
            return await self._around.quick.think(task)
        if not thinkers.is_ready(task):
            self._warm(chosen)
            seconds = min(MEANWHILE_SECONDS, limit["seconds"])
            return await self._around.quick.think({**task, "limit": {**limit, "seconds": seconds}})
        return await thinkers.think(task)

    def warm(self) -> None:
        """Have the players of the game made ready while people look at the board."""
        for chosen in self._levels.values():
            if not chosen.is_light:
                self._warm(chosen)

    def _warm(self, chosen: Level) -> None:
        task = {**self._request(self.position, chosen, {}), "do": "warm"}
        if chosen.player in self._warming or self._around.thinkers.is_ready(task):
            return
        job = self._warming[chosen.player] = asyncio.create_task(self._make_ready(task))
        job.add_done_callback(lambda _: self._warming.pop(chosen.player, None))

    async def _make_ready(self, task: dict[str, Any]) -> None:
        try:
            await self._around.thinkers.think(task, self._listen)
        except ForgeronError as error:
            self._broadcast({"event": "problem", "id": self.name, "text": str(error)})
        finally:
            self._tell_note("")

    def _request(self, position: Position, chosen: Level, limit: dict[str, Any]) -> dict[str, Any]:
        return {
            "do": "choose",
            "game": self.setup.game,
            "options": self.setup.options,
            "position": str(position),
            "player": chosen.player,
            "limit": limit,
            "seed": self.setup.seed + len(self.referee.moves),
            "threads": self._around.threads,
        }

    def _listen(self, message: dict[str, Any]) -> None:
        """Progress of a worker: what it compiles."""
        if message["event"] == "compiling":  # the next kernel follows at once: a note that came and went would flicker
            self._tell_note(message["what"])

    def _tell_note(self, note: str) -> None:
        if note != self._note:
            self._note = note
            self._broadcast({"event": "thinking", "id": self.name, "note": note})

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """Let go of everything that runs."""
        self._stop()
        self._stop_clock()
        for job in self._warming.values():
            job.cancel()

    def _stop_clock(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    # --- telling ----------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Keep the game and tell everybody; for changes from outside."""
        self._changed()

    def _changed(self) -> None:
        self._stop_clock()
        self._version += 1
        self._around.keep(self)
        self.advance()
        shared = json.dumps(self.state())
        for watcher in list(self.watchers):
            watcher.send(self._message(watcher, shared))

    def _tell_one(self, watcher: Spectator) -> None:
        watcher.send(self._message(watcher, json.dumps(self.state())))

    def _message(self, watcher: Spectator, shared: str) -> str:
        you = json.dumps({"seats": self.setup.seats_of(watcher.key), "owner": watcher.key == self.setup.owner})
        return f'{{"event": "game", "you": {you}, "state": {shared}}}'

    def _broadcast(self, message: dict[str, Any]) -> None:
        text = json.dumps(message)
        for watcher in list(self.watchers):
            watcher.send(text)

    def state(self) -> dict[str, Any]:
        """Everything a page shows, the same for all who look."""
        referee, seat = self.referee, self._mover()
        clocks = None
        if self.setup.clock:
            left = list(referee.clocks.left)
            if self._flag is not None and seat is not None:
                left[seat] = max(left[seat] - self._elapsed(), 0.0)
            running = seat if not self.is_over and (self._flag is not None or self._task is not None) else None
            clocks = {"left": [round(one, 2) for one in left], "running": running}
        return {
            "id": self.name,
            "version": self._version,
            "game": self.game.name,
            "options": self.setup.options,
            "sides": [self._side(0), self._side(1)],
            "clock": list(self.setup.clock) if self.setup.clock else None,
            "clocks": clocks,
            "ply": len(referee.moves),
            "moves": [
                [mover_at(position), move] for position, move in zip(referee.positions, referee.moves, strict=False)
            ],
            "step": self._last_step(),
            "view": self.position.view(),
            "result": self._result(),
            "thinking": self._task is not None and seat is not None and seat in self._levels,
            "note": self._note,
            "paused": self.paused,
            "rematch": self.rematch,
        }

    def history(self) -> dict[str, Any]:
        """The whole course of the game, for an analysis."""
        referee = self.referee
        return {
            "game": self.game.name,
            "title": self.game.title,
            "options": self.setup.options,
            "names": [self.side_name(0), self.side_name(1)],
            "moves": list(referee.moves),
            "positions": [str(position) for position in referee.positions],
            "turns": [mover_at(position) for position in referee.positions],
            "throws": [position.turn == "chance" for position in referee.positions],
            "result": self._result(),
        }

    def _side(self, seat: Seat) -> dict[str, Any]:
        kind = "level" if seat in self._levels else PERSON
        waiting = kind == PERSON and self.setup.keys[seat] is None
        return {"kind": kind, "name": self.setup.sides[seat] if kind == "level" else "", "waiting": waiting}

    def _last_step(self) -> dict[str, Any] | None:
        """The last move as the view of the position before it tells it, and whose it was."""
        if not self.referee.moves:
            return None
        before, after = self.referee.positions[-2:]
        step = view_last_move(before, after)
        return step and {"seat": mover_at(before), **step}

    def _result(self) -> dict[str, Any] | None:
        record = self.referee.record
        if record is None:
            return None
        detail = str(record.extra.get("detail", ""))
        return {"winner": record.winner, "scores": list(record.scores), "reason": record.reason, "detail": detail}


def mover_at(position: Position) -> int | None:
    """Who is to move or to throw; None when the game is over."""
    return position.game.thrower(position.state) if position.turn == "chance" else position.turn
