"""Our players as bots: the other end of the native protocol, which a person can type at, too."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import TextIO

import forgeron
from forgeron.bots.clock import Clocks, Pace, TimeControl
from forgeron.core.errors import ForgeronError, OptionError, unknown_name
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.queries import compile_queries
from forgeron.core.registry import game as find_game
from forgeron.core.registry import game_names
from forgeron.players import player as find_player
from forgeron.players.base import Choice, Limit, Player

HELP = """\
ugi                                     introduce yourself
setoption name X value Y                set an option of the player (before newgame)
newgame GAME [key=value ...]            begin a game
isready                                 answered by readyok
position startpos [moves m1 m2 ...]     set up a position
position pos TOKEN [moves m1 m2 ...]
go movetime MS | go p1time MS p2time MS p1inc MS p2inc MS | go nodes N | go depth N | go infinite
stop                                    answer now
d, moves, eval, perft N                 draw the board, list the moves, say what you think, count
quit                                    leave"""

#: What is kept back of a move's time, for the way to the referee.
_RESERVE_SECONDS = 0.01


class NativeBot:
    """Answers the lines of the native protocol; thinking happens in a thread, so that `stop` is heard."""

    def __init__(
        self,
        game: Game,
        player_name: str,
        *,
        seed: int = 0,
        threads: int = 1,
        out: TextIO | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self._game = game
        self._player_name = player_name
        self._options: dict[str, object] = dict(options or {})
        self._seed = seed
        self._threads = threads
        self._out = out or sys.stdout
        self._player: Player | None = None
        self._position = game.start()
        self._made = [0, 0]
        self._base = 0.0
        """seconds: the most that a clock of this game has had"""
        self._thinking: threading.Thread | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Serve until `quit` or the end of the input."""
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                break
            command: Callable[[list[str]], None] | None = getattr(self, f"_do_{words[0]}", None)
            if command is None:
                self._say(f"info string unknown command '{words[0]}'; 'help' lists them")
                continue
            try:
                command(words[1:])
            except (ForgeronError, ValueError, IndexError) as error:
                self._say(f"info string error: {error}")
        self._finish_thinking()

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)

    @property
    def player(self) -> Player:
        if self._player is None:
            self._player = find_player(
                self._player_name, self._game, seed=self._seed, threads=self._threads, **self._options
            )
            compile_queries(self._game.start().state)  # the moves of a position are replayed while the clock runs
        return self._player

    def _do_help(self, _words: list[str]) -> None:
        self._say(HELP)

    def _do_ugi(self, _words: list[str]) -> None:
        self._say(f"id name forgeron {forgeron.__version__} {self._player_name}")
        self._say("id author the Forgeron authors")
        self._say(f"games {' '.join(game_names())}")
        for name, option in self.player.options.items():
            self._say(f"option name {name} type combo default {option.default} {option.range}")
        self._say("ugiok")

    def _do_setoption(self, words: list[str]) -> None:
        self._finish_thinking()
        if words[:1] != ["name"] or "value" not in words:
            raise ValueError("write 'setoption name X value Y'")
        cut = words.index("value")
        name, value = " ".join(words[1:cut]), " ".join(words[cut + 1 :])
        known = self.player.options
        if name not in known:
            raise unknown_name(f"option of player {self._player_name}", name, known)
        known[name].read(name, value)
        self._options[name] = value
        self._player = None

    def _do_newgame(self, words: list[str]) -> None:
        self._finish_thinking()
        # A game loaded from a file is known by its own name, not by its path.
        name = words[0] if words else self._game.name
        settings = dict(word.split("=", 1) for word in words[1:])
        chosen = type(self._game)(**settings) if name == self._game.name else find_game(name, **settings)
        if chosen != self._game:
            self._game, self._player = chosen, None
        self._position = chosen.start()
        self._base = 0.0

    def _do_isready(self, _words: list[str]) -> None:
        _ = self.player  # compiled and loaded before the clock runs
        self._say("readyok")

    def _do_position(self, words: list[str]) -> None:
        cut = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["pos"]:
            position = self._game.parse(words[1])
        elif words[:1] == ["startpos"]:
            position = self._game.start()
        else:
            raise ValueError("write 'position startpos …' or 'position pos TOKEN …'")
        self._made = [0, 0]
        for token in words[cut + 1 :]:
            if position.turn in (0, 1):
                self._made[position.turn] += 1
            position = position.play(token)
        self._position = position

    def _do_go(self, words: list[str]) -> None:
        self._finish_thinking()
        times = [int(word) / 1000 for name, word in pairwise(words) if name in ("p1time", "p2time")]
        self._base = max(self._base, *times, 0.001)
        limit, position = _limit(words, self._position, self._made, self._base), self._position
        self._thinking = threading.Thread(target=self._think, args=(self.player, position, limit), daemon=True)
        self._thinking.start()

    def _think(self, player: Player, position: Position, limit: Limit) -> None:
        """Say a move whatever happens: who asked for one is waiting."""
        try:
            self._say_choice(_choose(player, position, limit, self._say))
        except Exception as error:
            what = error if isinstance(error, ForgeronError) else f"{type(error).__name__}: {error}"
            self._say(f"info string error: {what}")
            if position.turn in (0, 1):
                self._say(f"bestmove {position.legal_moves()[0]}")

    def _say_choice(self, choice: Choice) -> None:
        self._say(_info(choice))
        self._say(f"bestmove {choice.move}")

    def _do_stop(self, _words: list[str]) -> None:
        self._finish_thinking()

    def _finish_thinking(self) -> None:
        """Make a thinking player answer, and wait until it has."""
        thinking, self._thinking = self._thinking, None
        while thinking is not None and thinking.is_alive():
            self.player.stop()
            thinking.join(0.01)

    def _do_result(self, _words: list[str]) -> None:
        """The referee says how the game ended; there is nothing to answer."""

    def _do_error(self, words: list[str]) -> None:
        print("the referee says:", *words, file=sys.stderr)

    def _do_d(self, _words: list[str]) -> None:
        self._say(self._position.draw())
        self._say(f"position {self._position}")

    def _do_moves(self, _words: list[str]) -> None:
        self._say(" ".join(self._position.legal_moves()) or "none: the game is over")

    def _do_perft(self, words: list[str]) -> None:
        if not words:
            raise ValueError("write 'perft N' with a number of plies")
        for token, leaves in self._game.divide(self._position, int(words[0])).items():
            self._say(f"{token} {leaves}")
        self._say(f"total {self._game.perft(self._position, int(words[0]))}")

    def _do_eval(self, _words: list[str]) -> None:
        self._finish_thinking()
        choice = self.player.choose(self._position, Limit(seconds=0.1))
        self._say(f"{choice.move} wins with {choice.value:.1%}")


def _choose(player: Player, position: Position, limit: Limit, say: Callable[[str], None]) -> Choice:
    """The player's choice; one that cannot keep such a limit (a depth, for one that counts no plies) gets a second."""
    try:
        return player.choose(position, limit)
    except OptionError as error:
        say(f"info string {error}; it thinks for a second instead")
        return player.choose(position, Limit(seconds=1.0))


def _limit(words: list[str], position: Position, made: list[int], base: float) -> Limit:
    """The limit that the words of a `go` line stand for, when the seats have made so many moves and a clock had `base`
    seconds at first."""
    given = dict(zip(words[::2], words[1::2], strict=False))
    if words[:1] == ["infinite"]:
        return Limit(seconds=10.0**9)
    if "nodes" in given:
        return Limit(nodes=int(given["nodes"]))
    if "depth" in given:
        return Limit(depth=int(given["depth"]))
    if "movetime" in given:
        seconds = int(given["movetime"]) / 1000
        return Limit(seconds=max(seconds - _RESERVE_SECONDS, seconds / 2))
    if "p1time" not in given or "p2time" not in given:
        raise ValueError("'go' needs movetime, p1time and p2time, nodes, depth or infinite")
    seat = position.turn if position.turn in (0, 1) else 0
    increment = int(given.get(f"p{seat + 1}inc", 0)) / 1000
    control = TimeControl(base_seconds=base, increment_seconds=increment)
    clocks = Clocks(control, pace=Pace.of(position.game))
    clocks.made = made
    clocks.left = [max(int(given[name]) / 1000 - _RESERVE_SECONDS, 0.001) for name in ("p1time", "p2time")]
    return clocks.limit(seat)


def _info(choice: Choice) -> str:
    wins = round(1000 * choice.value)
    return (
        f"info depth {choice.depth} nodes {choice.nodes} time {round(choice.seconds * 1000)} "
        f"wdl {wins} 0 {1000 - wins} pv {' '.join(choice.line)}"
    )
