"""Our players as bots of any described protocol: they hear messages, think, and say their moves."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TextIO

from forgeron.bots.clock import Pace, shared_out
from forgeron.bots.faults import shown
from forgeron.bots.protocol import BotSetup, Protocol
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.queries import compile_queries
from forgeron.players.base import Limit, Player

#: Where the time is for the whole game: what is kept back of it.
RESERVE = 0.05
_SHORTEST_SECONDS = 0.001
#: A first message that comes within this time was waiting for us.
_AT_ONCE_SECONDS = 0.01


def process_age() -> float:
    """How many seconds ago this process began; 0 where the system does not say."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return max(time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"), 0.0)
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0


class ProtocolBot:
    """One game. `find_player` makes the player for the board that is played, which some referees only tell then."""

    def __init__(
        self,
        protocol: type[Protocol],
        game: Game,
        find_player: Callable[[Game], Player],
        *,
        limit: Limit | None = None,
        name: str = "forgeron",
        key: str = "",
        notes: TextIO | None = None,
        age: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`age` says how long the program took to start: part of the time of a first move that waited for it."""
        if protocol.bot_side is None:
            raise OptionError(f"our players do not speak protocol {protocol.name}")
        protocol.check_game(game.name)
        self.protocol = protocol
        self._side = protocol.bot_side(BotSetup(game, name, key))
        self._find_player = find_player
        self._player: Player | None = None
        self._limit = limit
        self._age = age
        self._left: float | None = None
        """seconds, where the time is for the whole game"""
        self._made = 0
        """moves of ours so far"""
        self._notes = notes or sys.stderr
        self._meet()

    def run(self, messages: Iterable[str], send: Callable[[str], object]) -> None:
        """Play until the game is over or the messages end; a `ForgeronError` for a referee that makes no sense."""
        for greeting in self._side.hello():
            send(greeting)
        started_up, ready = self._age(), time.monotonic()
        for message in messages:
            heard = time.monotonic()
            if heard - ready < _AT_ONCE_SECONDS:  # it was there before we were: the referee's clock has been running
                heard -= started_up
            started_up = 0.0
            for answer in self._hear(message):
                send(answer)
            for note in self._side.notes:
                print(note, file=self._notes, flush=True)
            self._side.notes.clear()
            if self._left is None and self._side.game_seconds is not None:
                self._left = self._side.game_seconds * (1 - RESERVE)
            self._meet()
            if self._side.asked:
                for answer in self._side.say(*self._choose(heard)):
                    send(answer)
            if self._left is not None:
                self._left -= time.monotonic() - heard
            if self._side.over:
                return

    def _hear(self, message: str) -> Sequence[str]:
        self._side.asked = False
        try:
            return self._side.hear(message)
        except ForgeronError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            why = f"the referee says {shown(message)}, which cannot be read ({type(error).__name__})"
            raise ForgeronError(why) from error

    def _meet(self) -> None:
        """Make the player as soon as it is known what is played: it compiles before it is asked for a move."""
        if self._player is None and self._side.position is not None:
            self._player = self._find_player(self._side.position.game)
            compile_queries(self._side.position.state)

    def _choose(self, heard: float) -> tuple[list[str], Position]:
        """The moves that answer the question, which was heard then, and where they lead."""
        position = self._side.position
        if position is None or self._player is None:
            raise ForgeronError("the referee asks for a move before it has told what is played")
        mover = position.turn
        moves: list[str] = []
        while not moves or (self.protocol.whole_turns and position.turn == mover):
            if self._left is not None and self._limit is None:
                left = self._left - (time.monotonic() - heard)
                whole = self._side.game_seconds or left
                limit = shared_out(left, whole, Pace.of(position.game), self._made)
            else:
                # what was needed before thinking is no time to think
                limit = self._move_limit(0.0 if moves else time.monotonic() - heard)
            moves.append(self._player.choose(position, limit).move)
            position = position.play(moves[-1])
            self._made += 1
        return moves, position

    def _move_limit(self, waited: float) -> Limit:
        """What a move may cost where the time is for each of them, and so many seconds of it are over."""
        limit = self._limit or Limit(seconds=self.protocol.move_seconds)
        if limit.seconds is None:
            return limit
        return replace(limit, seconds=max(limit.seconds - waited, _SHORTEST_SECONDS))


def play_on_lines(bot: ProtocolBot, lines: Iterable[str], out: TextIO) -> None:
    """Play one game on lines of text; what cannot be understood ends it, with a word on standard error."""
    try:
        bot.run((line for line in lines if line.strip()), lambda line: print(line, file=out, flush=True))
    except ForgeronError as error:
        print(f"forgeron: {error}", file=sys.stderr, flush=True)
