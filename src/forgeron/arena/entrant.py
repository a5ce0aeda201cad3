"""Who enters an event: plain data that can be written to a file, sent to a worker, and made into a contestant."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgeron.arena.contestant import BuiltIn, Contestant
from forgeron.arena.protocols import make_process_bot
from forgeron.arena.sandbox import Sandbox
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.players import names as player_names
from forgeron.players import player, player_class


@dataclass(frozen=True)
class Entrant:
    """A player of ours (`player`) or a program (`command`) under a name of its own."""

    name: str
    player: str | None = None
    command: tuple[str, ...] = ()
    protocol: str = "native"
    options: Mapping[str, Any] = field(default_factory=dict)
    memory_mb: int = 2048
    startup_seconds: float = 10.0
    bwrap: bool = True

    def __post_init__(self) -> None:
        if (self.player is None) == (not self.command):
            raise OptionError(f"entrant '{self.name}' needs a player or a command, and not both")
        if not self.name or any(character in self.name for character in "\n\r\t"):
            raise OptionError(f"'{self.name}' cannot be the name of an entrant")
        if self.player is not None:
            player_class(self.player)

    @classmethod
    def parse(cls, text: str, **limits: Any) -> Entrant:
        """Reads what the command line gives: `minimax`, `mcts:exploration=1.2`, or a command such as `./bot --fast`.

        >>> Entrant.parse("monte-carlo:budget=equal").options
        {'budget': 'equal'}
        >>> Entrant.parse("./my-bot --fast").command
        ('./my-bot', '--fast')
        """
        name, _, tail = text.partition(":")
        if name in player_names():
            words = [word.partition("=") for word in tail.split(",") if word]
            if not all(equals for _key, equals, _value in words):
                raise OptionError(f"'{text}': options of a player are written name=value, joined by commas")
            return cls(text, player=name, options={key: value for key, _equals, value in words}, **limits)
        command = tuple(shlex.split(text))
        if not command:
            raise OptionError("an entrant is the name of a player or a command")
        if len(command) == 1 and "/" not in text and "." not in text:
            player_class(text)  # a misspelt player is likelier than a program: say what there is
        return cls(Path(command[-1]).name if len(command) > 1 else command[0], command=command, **limits)

    def enter(self, game: Game, hidden: Sequence[Path] = ()) -> Contestant:
        """The contestant, ready to be opened for a game; a program in a full sandbox does not see what is `hidden`."""
        if self.player is not None:
            return BuiltIn(self.name, player(self.player, game, **self.options))
        sandbox = Sandbox(memory_mb=self.memory_mb, bwrap=self.bwrap)
        return make_process_bot(
            self.protocol,
            self.name,
            self.command,
            options=self.options,
            sandbox=sandbox,
            startup=self.startup_seconds,
            hidden=hidden,
        )

    def to_data(self) -> dict[str, Any]:
        """JSON-ready, for records and workers."""
        return {
            "name": self.name,
            "player": self.player,
            "command": list(self.command),
            "protocol": self.protocol,
            "options": dict(self.options),
            "memory_mb": self.memory_mb,
            "startup_seconds": self.startup_seconds,
            "bwrap": self.bwrap,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Entrant:
        """Read back what `to_data` wrote, or a table of a tournament file."""
        known = {"name", "player", "command", "protocol", "options", "memory_mb", "startup_seconds", "bwrap"}
        unknown = set(data) - known
        if unknown:
            raise ForgeronError(f"an entrant has no '{min(unknown)}'; valid: {', '.join(sorted(known))}")
        command = data.get("command") or ()
        words = tuple(shlex.split(command)) if isinstance(command, str) else tuple(command)
        return cls(**{**data, "command": words})
