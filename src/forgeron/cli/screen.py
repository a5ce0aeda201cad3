"""What is shown on the terminal while a game is played."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from rich.console import Console

from forgeron.bots.contestant import Answer
from forgeron.bots.faults import Reason
from forgeron.cli.background import run_interruptibly
from forgeron.cli.session import Session
from forgeron.cli.shared import new_console
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.players.base import Choice

T = TypeVar("T")


class Screen:
    """Prints the course of a game; with `quiet` only moves and the result."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.console: Console = new_console()
        self._drawn: Position | None = None

    def say(self, text: str, style: str = "", *, as_it_is: bool = False) -> None:
        """Print a text; on a terminal lines end between words, unless the text is to be copied `as_it_is`."""
        self.console.print(text, style=style, soft_wrap=as_it_is or not self.console.is_terminal)

    def explain(self, meanings: Mapping[str, str]) -> None:
        """Words and what they mean, in two columns."""
        from rich.table import Table

        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True, min_width=max(map(len, meanings)) + 2)
        for word, meaning in meanings.items():
            table.add_row(f"  {word}", meaning)
        self.console.print(table)

    def complain(self, text: str) -> None:
        self.say(text, "red")

    def remark(self, text: str, *, as_it_is: bool = False) -> None:
        """Something useful but not needed."""
        if not self.quiet:
            self.say(text, "dim", as_it_is=as_it_is)

    def header(self, session: Session) -> None:
        if self.quiet:
            return
        first, second = session.label(0), session.label(1)
        self.say(f"{session.game.title}: {first} against {second}", "bold")
        self.remark(
            f"{session.game}, seed {session.seed}" + (f", after {len(session.moves)} plies" if session.moves else "")
        )

    def board(self, session: Session, *, again: bool = False) -> None:
        """Draw the board, the last turn marked, unless this very position is the last thing that was drawn."""
        position = session.position
        if self.quiet and not again:
            return
        if again or position is not self._drawn:
            game, turn = position.game, session.last_turn()
            drawn = game.draw(position.state, " ".join(turn)) if game.draws_turns and turn else position.draw()
            self.say(f"\n{drawn}\n", as_it_is=True)
            self._drawn = position

    def think(self, who: str, work: Callable[[], T], stop: Callable[[], None], seconds: float | None) -> T:
        """Have a player think; on a terminal a clock runs meanwhile. Ctrl-C stops it."""
        if not self.console.is_terminal or self.quiet:
            return run_interruptibly(work, stop=stop)
        planned = f" of {seconds:g}" if seconds is not None else ""
        ticks = iter(range(1, 10**9))
        with keys_unseen(), self.console.status(f"{who} thinks …") as status:
            return run_interruptibly(
                work,
                tick=lambda: status.update(f"{who} thinks … {next(ticks) / 10:.1f}{planned} s"),
                stop=stop,
            )

    def moved(self, session: Session, answer: Answer, position: Position) -> None:
        """A player's move and what it thought, in one line; `position` is the one it was asked about."""
        turn = position.turn
        assert turn in (0, 1)
        if self.quiet:
            self.say(answer.text)
            return
        self.say(f"{session.label(turn)} plays {answer.text}   {thought(answer, position)}".rstrip(), "cyan")

    def captures(self, session: Session, since: int) -> None:
        """What the plies since this one took from the board, in words."""
        referee = session.referee
        for ply in range(since, len(referee.moves)):
            position, token = referee.positions[ply], referee.moves[ply]
            if position.turn not in (0, 1) or self.quiet:
                continue
            told = position.game.view_move(position.state, position.game.parse_move(position.state, token))
            if any(event.get("do") in ("take", "flip") for event in told.get("events", ())):
                self.say(f"{session.game.seats[position.turn]}: {told['text']}", "cyan")

    def thrown(self, session: Session, token: str, probability: float) -> None:
        """What the dice say, and whose they are where the game tells; the throw is the last ply of the session."""
        if self.quiet:
            self.say(token)
            return
        game = session.game
        told = type(game).thrower is not Game.thrower
        who = f"{session.label(game.thrower(session.referee.positions[-2].state))} throws" if told else "thrown:"
        self.say(f"{who} {token} ({probability:.0%})", "magenta")

    def result(self, session: Session) -> None:
        record = session.referee.record
        assert record is not None
        seats, winner = session.game.seats, record.winner
        verdict = "draw" if winner is None else f"{session.label(1 if winner else 0)} wins"
        points = f"{seats[0]} {record.scores[0]}, {seats[1]} {record.scores[1]}"
        detail = str(record.extra["detail"])
        if record.reason == Reason.RESIGN and winner is not None:
            detail = f"{seats[1 - winner]} resigns"  # both may be called "human"
        # "win" and "draw" are the reasons of games that have nothing more to say
        reason = "" if detail in ("win", "draw") else f": {detail}"
        self.say(f"{verdict} ({points}){reason}", "" if self.quiet else "bold green")

    def moves(self, tokens: Sequence[str]) -> None:
        """The legal moves, those that begin alike together."""
        self.say(f"{len(tokens)} legal move{'s' if len(tokens) != 1 else ''}:")
        self.say(arrange(tokens, width=shutil.get_terminal_size().columns))


@contextlib.contextmanager
def keys_unseen() -> Iterator[None]:
    """What is typed meanwhile is not shown, as it would land on the line that changes; the next prompt has it."""
    try:
        import termios

        before = termios.tcgetattr(sys.stdin)
    except (ImportError, OSError, ValueError):  # another system, or no terminal
        yield
        return
    silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def thought(found: Choice | Answer, position: Position) -> str:
    """What a player thinks of its move: how likely it wins, after how much work."""
    if len(position.moves) == 1:
        return "the only move"
    if not found.nodes:
        return ""
    parts = [f"{found.value:.0%} to win"] if found.value is not None else []
    parts += [f"{found.nodes:,} nodes", f"{found.seconds:.2f} s"]
    if len(found.line) > 1:
        parts.append(f"expects {' '.join(found.line[1:6])}")
    return ", ".join(parts)


def arrange(tokens: Sequence[str], width: int) -> str:
    """Moves in columns; where many begin alike (one piece, one hole), each kind begins a line.

    >>> print(arrange(["a1:a2", "a1:a3", "a1:b1", "h8:f6", "h8:g7", "h8:h7"], 40))
      a1:a2  a1:a3  a1:b1
      h8:f6  h8:g7  h8:h7
    >>> print(arrange(["left", "right"], 40))
      left   right
    """
    groups: dict[str, list[str]] = {}
    for token in tokens:
        groups.setdefault(_beginning(token), []).append(token)
    if len(tokens) < 3 * len(groups):
        groups = {"": list(tokens)}
    room = max(map(len, tokens), default=0) + 2
    columns = max(1, (width - 2) // room)
    lines = []
    for group in groups.values():
        for i in range(0, len(group), columns):
            lines.append("  " + "".join(token.ljust(room) for token in group[i : i + columns]).rstrip())
    return "\n".join(lines)


def _beginning(token: str) -> str:
    """What comes before : or -, or else the letters or digits that a token begins with."""
    found = re.match(r"[^:-]+(?=[:-])|[^\W\d]+|\d+|.", token)
    return found[0] if found else ""
