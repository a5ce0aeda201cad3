"""A trial for a trained network: a match against what was in use before, which decides whether it takes its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.match import Match, Standing
from forgeron.bots.clock import TimeControl
from forgeron.core.errors import OptionError
from forgeron.core.game import NETWORK, Game
from forgeron.core.network_file import read_network
from forgeron.players import player_names
from forgeron.stats.sprt import Sprt

#: Who plays with both evaluations: the first that plays the game.
_SEARCHERS = ("minimax", "expectimax")
CANDIDATE, CHAMPION = "candidate", "champion"


@dataclass(frozen=True)
class PromotionTest:
    """How a trained network is judged: by a match with the same search on both sides, until an SPRT decides."""

    games: int = 400
    """at most so many; 0: no match"""
    time: str = "0.1cpu"
    elo0: float = 0.0
    elo1: float = 20.0
    """the bounds of the test, in normalised Elo"""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.games < 0 or self.games % 2:
            raise OptionError(f"a match is played in pairs: give an even number such as 400, or 0, not {self.games}")
        self.sprt()
        TimeControl.parse(self.time)  # a wrong one is refused before hours of work, not after them

    def sprt(self) -> Sprt:
        return Sprt(self.elo0, self.elo1)

    def match(self, game: str, options: Mapping[str, Any], candidate: Path, champion: str) -> Match:
        """The match of a network against an evaluation: a file, or one that the game has by this name."""
        terms = Terms.settle(game, options, time=self.time, seed=self.seed)
        searcher = next(name for name in _SEARCHERS if name in player_names(terms.open_game()))
        both = (
            Entrant(CANDIDATE, player=searcher, options={"eval": str(candidate)}),
            Entrant(CHAMPION, player=searcher, options={"eval": champion}),
        )
        return Match(terms, both, self.games, self.sprt())


def champion_of(game: Game) -> str:
    """What a network of this game has to beat where nothing else is named: the network it has, or its weights."""
    return "default" if game.network() is None else NETWORK


def is_promoted(standing: Standing) -> bool:
    """Whether the match has shown that the candidate is the stronger one."""
    return standing.verdict is not None and standing.verdict.decision == "accepted"


def trial_journal(folder: Path, candidate: Path) -> Path:
    """The journal of the match of this network: another network never goes on with it."""
    return folder / f"match-{read_network(candidate).header['checksum'][:8]}.journal"
