"""What people see while a game is played."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence

from rich.console import Console

from forgeron.cli.aside import aside
from forgeron.cli.session import Session
from forgeron.cli.shared import new_console
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.players.base import Choice, Player


class Screen:
    """Prints the course of a game; with `quiet` only moves and the result."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.console: Console = new_console()
        self._drawn: Position | None = None

    def say(self, text: str, style: str = "") -> None:
        self.console.print(text, style=style, soft_wrap=True)

    def complain(self, text: str) -> None:
        self.say(text, "red")

    def remark(self, text: str) -> None:
        """Something useful but not needed."""
        if not self.quiet:
            self.say(text, "dim")

    def header(self, session: Session) -> None:
        if self.quiet:
            return
        first, second = session.label(0), session.label(1)
        self.say(f"{session.game.title}: {first} against {second}", "bold")
        self.remark(
            f"{session.game}, seed {session.seed}" + (f", after {len(session.tokens)} plies" if session.tokens else "")
        )

    def board(self, position: Position, *, again: bool = False) -> None:
        """Draw the board, unless this very position is the last thing that was drawn."""
        if self.quiet and not again:
            return
        if again or position is not self._drawn:
            self.say(f"\n{position.draw()}\n")
            self._drawn = position

    def think(self, player: Player, who: str, position: Position, session: Session) -> Choice:
        """Have a player choose; on a terminal a clock runs meanwhile. Ctrl-C stops it."""
        limit = session.effort.limit

        def work() -> Choice:
            return player.choose(position, limit)

        if not self.console.is_terminal or self.quiet:
            return aside(work, stop=player.stop)
        planned = f" of {limit.seconds:g}" if limit.seconds is not None else ""
        ticks = iter(range(1, 10**9))
        with self.console.status(f"{who} thinks …") as status:
            return aside(
                work,
                tick=lambda: status.update(f"{who} thinks … {next(ticks) / 10:.1f}{planned} s"),
                stop=player.stop,
            )

    def moved(self, session: Session, choice: Choice, position: Position) -> None:
        """A player's move and what it thought, in one line; `position` is the one it was asked about."""
        turn = position.turn
        assert turn in (0, 1)
        if self.quiet:
            self.say(choice.move)
            return
        self.say(f"{session.label(turn)} plays {choice.move}   {thought(choice, position)}".rstrip(), "cyan")

    def thrown(self, session: Session, token: str, probability: float) -> None:
        """What the dice say, and whose they are where the game tells; the throw is the last ply of the session."""
        if self.quiet:
            self.say(token)
            return
        game = session.game
        told = type(game).thrower is not Game.thrower
        who = f"{session.label(game.thrower(session.positions[-2].state))} throws" if told else "thrown:"
        self.say(f"{who} {token} ({probability:.0%})", "magenta")

    def result(self, session: Session) -> None:
        outcome = session.outcome
        assert outcome is not None
        seats = session.game.seats
        verdict = "draw" if outcome.winner is None else f"{session.label(outcome.winner)} wins"
        points = f"{seats[0]} {outcome.scores[0]}, {seats[1]} {outcome.scores[1]}"
        # "win" and "draw" are the reasons of games that have nothing more to say
        reason = "" if outcome.reason in ("win", "draw") else f": {outcome.reason}"
        self.say(f"{verdict} ({points}){reason}", "" if self.quiet else "bold green")

    def moves(self, tokens: Sequence[str]) -> None:
        """The legal moves, those that begin alike together."""
        self.say(f"{len(tokens)} legal move{'s' if len(tokens) != 1 else ''}:")
        self.say(arrange(tokens, width=shutil.get_terminal_size().columns))


def thought(choice: Choice, position: Position) -> str:
    """What a player thinks of its move: how likely it wins, after how much work."""
    if len(position.moves) == 1:
        return "the only move"
    if choice.nodes == 0:
        return ""
    parts = [f"{choice.value:.0%} to win", f"{choice.nodes:,} nodes", f"{choice.seconds:.2f} s"]
    if len(choice.line) > 1:
        parts.append(f"expects {' '.join(choice.line[1:6])}")
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
