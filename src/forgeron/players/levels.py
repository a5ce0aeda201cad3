"""Named levels, weakest first: opponents that a person can choose without knowing players, options and limits."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from forgeron.core.errors import unknown_name
from forgeron.core.game import Game
from forgeron.players import player_names
from forgeron.players.base import Limit

#: So many nodes take plain Python some tenths of a second.
LIGHT_NODES = 200
#: What a level without a number of nodes is measured with: a modern machine searches more in its two seconds.
MEASURED_NODES = 100_000
#: The opponent of whoever asks for none: one that a newcomer can beat after some games.
DEFAULT_LEVEL = "casual"
#: What the levels are worth, written by `benchmarks/levels.py`.
LADDER = Path(__file__).with_name("ladder.json")


class Rating(NamedTuple):
    """What a level is worth in a game with its default options; the first level is 0."""

    elo: int
    error: int
    """of a 95 % interval"""
    is_floor: bool = False
    """measured with less thinking than the level has: it is worth at least this"""

    def __str__(self) -> str:
        """
        >>> str(Rating(1204, 35)), str(Rating(1204, 35, is_floor=True))
        ('Elo 1204 ± 35', 'Elo 1204 ± 35 or more')
        """
        return f"Elo {self.elo} ± {self.error}{' or more' if self.is_floor else ''}"


@dataclass(frozen=True)
class Level:
    """A player and how much it may think. Limits of nodes are the same on every machine."""

    name: str
    player: str
    nodes: int | None = None
    seconds: float = 2.0
    """never more than this, however slow the machine"""
    rating: Rating | None = None
    """None where nobody has measured it: in a game of one's own"""

    @property
    def measured_nodes(self) -> int | None:
        """The nodes a move with which its strength is measured; None for players that do not count any."""
        if self.nodes is not None or self.player in ("random", "greedy"):
            return self.nodes
        return MEASURED_NODES

    @property
    def limit(self) -> Limit:
        return Limit(nodes=self.nodes, seconds=self.seconds)

    @property
    def is_light(self) -> bool:
        """Whether it thinks so little that plain Python is fast enough: it then needs nothing compiled."""
        if self.player == "monte-carlo":  # each of its nodes is a whole game
            return False
        return self.player in ("random", "greedy") or (self.nodes is not None and self.nodes <= LIGHT_NODES)


def levels(game: Game) -> list[Level]:
    """The levels of a game, weakest first.

    >>> import forgeron
    >>> [level.name for level in levels(forgeron.game("yolah"))]
    ['beginner', 'novice', 'casual', 'club', 'expert', 'strongest']
    """
    offered = player_names(game)
    search = next(name for name in ("expectimax", "minimax", "mcts") if name in offered and _judged(name, game))
    first, second = (100, 5_000) if search == "expectimax" else (500, 20_000)
    found = [
        Level("beginner", "random"),
        Level("novice", "monte-carlo", 60),
        Level("casual", "greedy") if _judged("greedy", game) else Level("casual", "monte-carlo", 200),
        Level("club", search, first),
        Level("expert", search, second),
        Level("strongest", "neural" if "neural" in offered and game.network() else search),
    ]
    return [replace(one, rating=_rating(game, one)) for one in found]


def _rating(game: Game, one: Level) -> Rating | None:
    """What was measured of exactly this player and number of nodes."""
    for known in ladder().get(game.name, {}).get("levels", []):
        if (known["name"], known["player"], known["nodes"]) == (one.name, one.player, one.measured_nodes):
            return Rating(known["elo"], known["error"], is_floor=one.nodes != one.measured_nodes)
    return None


@cache
def ladder() -> dict[str, Any]:
    """What was measured, by the name of the game."""
    if not LADDER.is_file():
        return {}
    games: dict[str, Any] = json.loads(LADDER.read_text(encoding="utf-8"))["games"]
    return games


def level(game: Game, name: str) -> Level:
    """The level of this name."""
    known = {one.name: one for one in levels(game)}
    if name not in known:
        raise unknown_name("level", name, known)
    return known[name]


def default_opponent(game: Game, *, thinks: bool) -> str:
    """The player of whoever asks for none: that of the default level; of the strongest one where somebody says how much
    it shall think, or where it plays against another player."""
    return levels(game)[-1].player if thinks else level(game, DEFAULT_LEVEL).player


def _judged(player: str, game: Game) -> bool:
    """Whether the player has what it needs: without an evaluation only random games tell anything."""
    return player == "mcts" or bool(game.weight_names)
