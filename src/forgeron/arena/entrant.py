"""Who plays: a player written as text, as plain data that can be sent to a worker, and as a contestant.

There is one notation, wherever a player is named:

| text | who plays |
|---|---|
| `mcts` | the registered player of this name |
| `mcts:exploration=1.2,rave=true` | the same with options |
| `./my_player.py`, `./my_player.py:depth=3` | the subclass of `forgeron.Player` in this file, loaded into our process |
| `./bot --fast` | a program: a command line that speaks the native protocol, in a process of its own |
| `./bot --fast@yinsh` | a program that speaks this protocol |
| `./bot@mancala:argument=yes,grace=5` | the same with options of the protocol |
| `human` | a person |

A Python file is a player when it defines a subclass of `Player` and is not executable; otherwise it is a program. What
is loaded into our process has our rights, so `./bot.py@native` always runs a file as a program.
"""

from __future__ import annotations

import ast
import difflib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from forgeron.bots.clock import TimeControl
from forgeron.bots.contestant import BuiltIn, Contestant
from forgeron.bots.own_files import is_class_path, name_class_path
from forgeron.bots.protocols import make_process_bot, protocol_class, protocol_names
from forgeron.bots.sandbox import Sandbox, keeps_signals_in
from forgeron.core.errors import ForgeronError, OptionError, error_context, unknown_name
from forgeron.core.files import read_file
from forgeron.core.game import Game
from forgeron.core.options import check_kinds, read_pairs
from forgeron.core.registry import is_file_name, located
from forgeron.players import player_class, player_names
from forgeron.players.base import Limit, Player

HUMAN = "human"
NATIVE = "native"
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "player": (str, type(None)),
    "command": (str, list, tuple),
    "protocol": (str,),
    "options": (dict,),
    "memory_mb": (int,),
    "startup_seconds": (int, float),
    "bwrap": (bool,),
    "threads": (int,),
    "time": (str, type(None)),
}
#: Programs that run other programs: they say nothing about who plays.
_INTERPRETERS = ("python", "java", "node", "bash")
#: What the classes end in that a player in a file is derived from.
_PLAYER_CLASSES = ("Player", "EvaluatedMcts")


@dataclass(frozen=True)
class Entrant:
    """A player (`player`), a person (`player` is "human") or a program (`command`) under a name of its own."""

    name: str
    player: str | None = None
    """a registered name, the path of a Python file, or "human\""""
    command: tuple[str, ...] = ()
    protocol: str = NATIVE
    options: Mapping[str, Any] = field(default_factory=dict)
    memory_mb: int = 2048
    startup_seconds: float = 10.0
    bwrap: bool = True
    threads: int = 1
    """of a player of ours; a program decides that itself"""
    time: str | None = None
    """a time control of its own; None for that of the event"""

    def __post_init__(self) -> None:
        if (self.player is None) == (not self.command):
            raise OptionError(f"entrant '{self.name}' needs a player or a command, and not both")
        if not self.name or any(character in self.name for character in "\n\r\t"):
            raise OptionError(f"'{self.name}' cannot be the name of an entrant")
        if self.threads < 1 or (self.threads > 1 and self.player is None):
            what = f"1 or more, not {self.threads}" if self.threads < 1 else "for players; set an option of the program"
            raise OptionError(f"entrant '{self.name}': threads is {what}")
        if self.time is not None:
            with error_context(f"entrant '{self.name}'"):
                TimeControl.parse(self.time)

    # --- text -------------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str, protocol: str | None = None) -> Entrant:
        """The entrant that a text stands for; with a `protocol`, which the text may name instead, it is a command.

        >>> Entrant.parse("monte-carlo:budget=equal").options
        {'budget': 'equal'}
        >>> Entrant.parse("./my-bot --fast").command
        ('./my-bot', '--fast')
        >>> Entrant.parse("python3 bots/ann.py --fast@yinsh")
        Entrant(name='ann.py --fast', player=None, command=('python3', 'bots/ann.py', '--fast'), protocol='yinsh', \
options={}, memory_mb=2048, startup_seconds=10.0, bwrap=True, threads=1, time=None)
        """
        text, protocol, settings = _split_protocol(text.strip(), protocol)
        if not text:
            raise OptionError("name a player, the file of one, or a command")
        name, colon, options = text.partition(":")
        if name == HUMAN:
            if colon or protocol is not None:
                raise OptionError(f"a human has no options and speaks no protocol; write {HUMAN}")
            return cls(HUMAN, player=HUMAN)
        if name in player_names() or (protocol is None and _is_player_file(name)):
            if protocol is not None:
                raise OptionError(f"{name} is a player and speaks no protocol")
            kind = player_class(name)
            pairs = read_pairs(options.split(","), f"player {kind.name}", kind.options) if colon else {}
            return cls(f"{kind.name}{colon}{options}", player=name, options=pairs)
        command = _split_command(text)
        if len(command) == 1 and protocol is None and "/" not in text and "." not in text:
            player_class(name)  # a misspelt player is likelier than a program: this says which there are
        spoken = protocol_class(protocol or NATIVE)
        pairs = read_pairs(settings.split(","), f"protocol {spoken.name}") if settings else {}
        with error_context(f"'{_name_of(command)}'"):
            spoken.read_options(pairs)
        return cls(_name_of(command), command=command, protocol=protocol or NATIVE, options=pairs)

    @property
    def is_human(self) -> bool:
        return self.player == HUMAN

    # --- where it is ------------------------------------------------------------------------------------------------

    def located(self, folder: Path) -> Entrant:
        """The entrant with the files that it names written in full, as seen from a folder: any process finds them."""
        if self.player is not None:
            options = {name: _located_value(value, folder) for name, value in self.options.items()}
            return replace(self, player=located(self.player, folder), options=options)
        words = []
        for i, word in enumerate(self.command):
            # The first word is looked for in PATH, as a shell does, unless it has a slash.
            may_be_file = not word.startswith(("-", "/")) and (i > 0 or "/" in word)
            path = folder / word
            # A folder is only meant where it is written like one, or a class path: `java -cp . Main`.
            folder_meant = "/" in word or (i > 0 and is_class_path(self.command[i - 1]))
            there = may_be_file and (path.is_file() or (folder_meant and path.is_dir()))
            words.append(str(path.absolute()) if there else word)
        return replace(self, command=name_class_path(words, folder.absolute()))

    def check(self, game: Game) -> None:
        """Refuse what cannot play the game, before anything is begun: an unfit player, a program that is not there."""
        with error_context(f"entrant '{self.name}'"):
            if self.player is None:
                protocol_class(self.protocol).check_command(self.command)
            elif not self.is_human:
                player_class(self.player).settle(game, self.options)

    def notice(self, game: Game) -> str:
        """What a person should know before it plays, such as an evaluation that the game lacks; "" for nothing."""
        if self.player is None or self.is_human:
            return ""
        kind = player_class(self.player)
        return kind.notice_about(game, kind.settle(game, self.options))

    # --- ready to play ----------------------------------------------------------------------------------------------

    def open_player(self, game: Game, *, seed: int = 0, threads: int = 1) -> Player:
        """A player that can be asked about any position; a program must speak the native protocol for that."""
        if self.is_human:
            raise OptionError(f"a human cannot be asked; name a player: {', '.join(player_names(game))}")
        if self.player is None:
            from forgeron.arena.process_player import ProcessPlayer

            return ProcessPlayer(game, self, seed=seed)
        return player_class(self.player)(game, self.options, seed=seed, threads=threads)

    def enter(
        self, game: Game, hidden: Sequence[Path] = (), *, threads: int | None = None, limit: Limit | None = None
    ) -> Contestant:
        """The contestant, ready to be opened for a game.

        A program in a full sandbox does not see what is `hidden`. `threads`, where they are not its own, and a `limit`
        that comes before the clocks are for players in our process.
        """
        if self.is_human:
            raise OptionError("a person cannot be called by a program: people play at a terminal")
        if self.player is not None:
            return BuiltIn(
                self.name, self.open_player(game, threads=self.threads if threads is None else threads), limit
            )
        return make_process_bot(
            self.protocol,
            self.name,
            self.command,
            options=self.options,
            sandbox=self._sandbox,
            startup=self.startup_seconds,
            hidden=hidden,
        )

    @property
    def _sandbox(self) -> Sandbox:
        return Sandbox(memory_mb=self.memory_mb, bwrap=self.bwrap)

    @property
    def grace_seconds(self) -> float:
        """How much later than its start the clock of its first move may begin; a native bot says when it is ready."""
        if self.player is not None or self.protocol == NATIVE:
            return 0.0
        return float(protocol_class(self.protocol).read_options(self.options)["grace"])

    @property
    def is_confined(self) -> bool:
        """Whether it can signal no process of ours: a player of ours does not, and most sandboxes keep programs in."""
        return self.player is not None or keeps_signals_in(self._sandbox.plan(self.command).layers)

    # --- data -------------------------------------------------------------------------------------------------------

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
            # Only where they are given: journals that were begun without them stay as they are.
            **({"threads": self.threads} if self.threads != 1 else {}),
            **({"time": self.time} if self.time is not None else {}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Entrant:
        """Read back what `to_data` wrote, or a table of a tournament file."""
        check_kinds("an entrant", data, _KINDS)
        for key in data:
            if key not in cls.__dataclass_fields__:
                raise unknown_name("key of an entrant", key, cls.__dataclass_fields__)
        command = data.get("command") or ()
        if any(not isinstance(word, str) for word in command):
            raise OptionError("an entrant: the words of command are texts")
        words = _split_command(command) if isinstance(command, str) else tuple(command)
        return cls(**{**data, "command": words})


def control_of(entrant: Entrant, time: str) -> TimeControl:
    """The time control of an entrant in an event of this time."""
    return TimeControl.parse(entrant.time or time)


def two_entrants(first: Entrant, second: Entrant) -> tuple[Entrant, Entrant]:
    """Both under different names: those of their handicaps, where that is what they differ in."""
    if first.name != second.name:
        return first, second
    told = [
        f"{one.name} {said}" if (said := _handicap(one, other)) else one.name
        for one, other in ((first, second), (second, first))
    ]
    if told[0] == told[1]:
        told[1] += " (2)"
    return replace(first, name=told[0]), replace(second, name=told[1])


def _handicap(one: Entrant, other: Entrant) -> str:
    """What an entrant has that the other has not, of time and threads."""
    threads = f"{one.threads} thread{'s' * (one.threads != 1)}" if one.threads != other.threads else ""
    return " ".join(filter(None, (one.time if one.time != other.time else None, threads)))


def _split_protocol(text: str, protocol: str | None) -> tuple[str, str | None, str]:
    """The text without @PROTOCOL:OPTIONS, the protocol, and its options; a misspelt protocol is refused."""
    names = protocol_names()
    if protocol is not None and protocol not in names:
        raise unknown_name("protocol", protocol, names)
    head, _, tail = text.rpartition("@")
    tail, _, options = tail.partition(":")
    if not head or "/" in tail or " " in tail:
        return text, protocol, ""
    if tail not in names:
        if difflib.get_close_matches(tail, names, n=1):
            raise unknown_name("protocol", tail, names)
        return text, protocol, ""
    if protocol not in (None, tail):
        raise OptionError(f"'{text}' speaks one protocol: {tail} or {protocol}")
    return head.rstrip(), tail, options


def _split_command(text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise OptionError(f"'{text}' is no command line: {error}") from None
    if not words:
        raise OptionError(f"'{text}' names no command")
    return words


def _name_of(command: Sequence[str]) -> str:
    """What to call a program: its words without folders and interpreter."""
    words = [Path(word).name if "/" in word else word for word in command]
    name = " ".join(words[1:] if len(words) > 1 and words[0].startswith(_INTERPRETERS) else words)
    return name.encode("utf-8", "backslashreplace").decode()  # the name of a file may be none in Unicode


def _is_player_file(name: str) -> bool:
    """Whether a text is the path of a Python file to load: one that defines a player and cannot be run by itself.

    The file is read, not run: nobody's program is loaded into our process because of its name alone.
    """
    if not is_file_name(name) or len(name.split()) > 1:
        return False
    path = Path(name)
    if not path.is_file():
        if "/" in name or not shutil.which(name):
            raise ForgeronError(f"there is no file {name}{_near_file(path)}")
        return False
    if os.access(path, os.X_OK):
        return False
    try:
        tree = ast.parse(read_file(path), str(path))
    except (SyntaxError, ValueError):
        return True  # loading it says what is wrong in which line, and runs nothing
    except OSError as error:
        raise ForgeronError(f"cannot read {name}: {error.strerror}") from None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if any(ast.unparse(base).endswith(_PLAYER_CLASSES) for node in classes for base in node.bases):
        return True
    raise ForgeronError(
        f"{name} defines no subclass of forgeron.Player, and cannot be run as a program: "
        f"chmod +x it, or name the program that runs it: 'python3 {name}'"
    )


def _located_value(value: Any, folder: Path) -> Any:
    """An option of a player, in full where it names a file: weights, a network, or whatever lies there by this name."""
    if not isinstance(value, str) or not ("." in value or "/" in value):
        return value
    path = folder / value
    return str(path.absolute()) if value.endswith((".json", ".network")) or path.is_file() else value


def _near_file(path: Path) -> str:
    near = difflib.get_close_matches(path.name, [other.name for other in path.parent.glob("*.py")], n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
