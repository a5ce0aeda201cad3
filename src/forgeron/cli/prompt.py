"""Asking a person for a move: the line that is read, and the commands besides moves."""

from __future__ import annotations

import difflib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from forgeron.arena.entrant import HUMAN
from forgeron.bots.contestant import RESIGN
from forgeron.cli.games import show_rules
from forgeron.cli.screen import Screen, thought
from forgeron.cli.session import Session
from forgeron.core.errors import ForgeronError, IllegalMoveError, NotationError
from forgeron.core.record import Record
from forgeron.players.levels import default_opponent

#: Commands a person can type instead of a move.
HELP = {
    "moves": "the legal moves",
    "rules": "how the game is played",
    "undo": "take back to your previous turn",
    "hint [PLAYER]": "ask a player for its move",
    "board": "draw the board again",
    "position": "print the position as a token (for --position)",
    "save FILE": "save the game to a file",
    "load FILE": "resume a saved game; the current one is saved first",
    "resign": "resign the game",
    "quit": "quit; the game is saved and can be resumed (also Ctrl-D)",
    "help": "this list",
}
COMMANDS = tuple(usage.split()[0] for usage in HELP)
_ALIASES = {"?": "help", "exit": "quit"}


class Leave(Exception):
    """The person wants to stop."""


class Prompt:
    """Reads lines until a move has been played, or another game loaded."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self.session = session
        """the game that goes on; `load` puts another one here"""
        self._asked_at = 0.0
        self.screen = screen
        self._do: dict[str, Callable[[str], bool]] = {
            "moves": self._moves,
            "rules": self._rules,
            "undo": self._undo,
            "hint": self._hint,
            "board": self._board,
            "position": self._position,
            "save": self._save,
            "load": self._load,
            "resign": self._resign,
            "quit": self._quit,
            "help": self._help,
        }
        if sys.stdin.isatty() and session.has_people:
            self._offer_completion()

    def turn(self) -> None:
        """One turn of the person to move: returns when the game has moved on in some way."""
        position = self.session.position
        self._asked_at = time.monotonic()
        if len(position.moves) == 1:
            self.screen.remark(f"only one legal move, {position.legal_moves()[0]}; press Enter to play it")
        while True:
            line = self._read()
            try:
                if self._obey(line):
                    return
            except IllegalMoveError as error:
                self.screen.complain(f"{error.move} cannot be played: {error.why}")
            except NotationError as error:
                self.screen.complain(f"{error}; {self._advice(line)}")
            except ForgeronError as error:
                self.screen.complain(str(error))

    def _read(self) -> str:
        seat = self.session.position.turn
        assert seat in (0, 1)
        prompt = f"{self.session.game.seats[seat]}> "
        try:
            line = input(prompt).strip()
        except EOFError:
            print()
            raise Leave from None
        if not sys.stdin.isatty():
            print(line)  # what a terminal would have shown
        return line

    def _obey(self, line: str) -> bool:
        """Do what a line says; True when the game has moved on."""
        position = self.session.position
        if not line:
            if len(position.moves) != 1:
                return False
            line = position.legal_moves()[0]
        first, _, rest = line.partition(" ")
        command = self._do.get(_ALIASES.get(first.lower(), first.lower()))
        if command is not None and line not in position.legal_moves():
            return command(rest.strip())
        return self._play(line)

    def _play(self, text: str) -> bool:
        self.session.play(text, time.monotonic() - self._asked_at)
        return True

    def _advice(self, line: str) -> str:
        near = difflib.get_close_matches(line.partition(" ")[0].lower(), COMMANDS, n=1)
        return f"did you mean '{near[0]}'?" if near else "'moves' lists the legal moves, 'help' the commands"

    # --- the commands: each answers whether the game has moved on ---------------------------------------------------

    def _moves(self, _rest: str) -> bool:
        self.screen.moves(self.session.position.legal_moves())
        return False

    def _rules(self, _rest: str) -> bool:
        show_rules(self.screen.console, self.session.game)
        return False

    def _undo(self, _rest: str) -> bool:
        if self.session.undo():
            return True
        self.screen.complain("nothing to undo: you have not moved yet")
        return False

    def _hint(self, rest: str) -> bool:
        session, position = self.session, self.session.position
        others = (side for side in reversed(session.sides) if side != HUMAN)
        who = rest or next(others, None) or default_opponent(session.game, thinks=True)
        player, limit = session.hinting(who), session.budget.limit
        choice = self.screen.think(who, lambda: player.choose(position, limit), player.stop, limit.seconds)
        self.screen.say(f"{who} would play {choice.move}   {thought(choice, position)}".rstrip(), "cyan")
        return False

    def _board(self, _rest: str) -> bool:
        self.screen.board(self.session, again=True)
        return False

    def _position(self, _rest: str) -> bool:
        self.screen.say(str(self.session.position), as_it_is=True)
        return False

    def _save(self, rest: str) -> bool:
        if not rest:
            raise ForgeronError("name a file, for example: save game.json")
        self.session.save(_path(rest))
        self.screen.say(f"saved to {_path(rest)}")
        return False

    def _load(self, rest: str) -> bool:
        if not rest:
            raise ForgeronError("name a file, for example: load game.json")
        session = self.session
        loaded = Session.of_record(Record.load(_path(rest)), session.game)
        kept = session.keep()
        if kept is not None:
            self.screen.remark(f"the game you were playing is saved in {kept}")
        loaded.saved_as = _path(rest)
        session.close()
        self.session = loaded
        self.screen.header(loaded)
        return True

    def _resign(self, _rest: str) -> bool:
        """At a terminal it asks once: a game is not to be lost by a slip."""
        if sys.stdin.isatty():
            try:
                answer = input("Resign this game? y or n: ").strip().lower()
            except EOFError:
                print()
                return False
            if answer not in ("y", "yes"):
                self.screen.say("The game goes on.")
                return False
        return self._play(RESIGN)

    def _quit(self, _rest: str) -> bool:
        raise Leave

    def _help(self, _rest: str) -> bool:
        game = self.session.game
        self.screen.explain({"a move": game.move_help or "any of the tokens that moves lists", **HELP})
        return False

    def _offer_completion(self) -> None:
        """Line editing, history, and Tab for moves and commands, where the terminal has them."""
        try:
            import readline
        except ImportError:
            return

        def complete(text: str, n: int) -> str | None:
            words = [*self.session.position.legal_moves(), *COMMANDS]
            found = [word for word in words if word.startswith(text)]
            return found[n] if n < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(" ")
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def _path(text: str) -> Path:
    return Path(os.path.expanduser(text))
