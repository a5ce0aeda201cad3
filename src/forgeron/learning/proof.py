"""The proof of a tuning: a match of the tuned weights against those it began with."""

from __future__ import annotations

import math
from typing import Any

from forgeron.arena.clock import TimeControl
from forgeron.arena.event import Terms
from forgeron.arena.match import Match, Standing
from forgeron.arena.statistics import Estimate
from forgeron.core.errors import OptionError
from forgeron.learning.tuning import Folder


def check_proof(games: int, time: str) -> None:
    """Refuse a match that cannot be played; 0 games are none."""
    TimeControl.parse(time)
    if games < 0 or games % 2:
        raise OptionError(f"a match is played in pairs: give an even number such as 200, not {games}")


def proof_match(folder: Folder, games: int, time: str) -> Match:
    """The match: the same player on both sides, only the weights differ; openings as in any other match."""
    tuning = folder.tuning
    terms = Terms.settle(tuning.terms.game, tuning.terms.options, time=time, seed=tuning.terms.seed)
    return Match(terms, (tuning.entrant("tuned", folder.weights), tuning.entrant("before", folder.start)), games)


def note_proof(folder: Folder, match: Match, standing: Standing) -> None:
    """Keep the result of the match in the folder."""
    summary = standing.summary
    folder.note(
        "match",
        {
            "games": standing.games,
            "time": match.terms.time,
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "score": _estimate(summary.score),
            "elo": _estimate(summary.elo),
            "los": summary.los,
        },
    )


def _estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    # JSON has no infinity.
    return {name: number if math.isfinite(number) else str(number) for name, number in parts.items()}
