"""The validation of a tuning: a match of the tuned weights against the initial ones."""

from __future__ import annotations

import math
from typing import Any

from forgeron.arena.event import Terms
from forgeron.arena.match import Match, Standing
from forgeron.bots.clock import TimeControl
from forgeron.core.errors import OptionError
from forgeron.learning.tuning_run import TuningFolder
from forgeron.stats.elo import Estimate


def check_validation(games: int, time: str) -> None:
    """Refuse a match that cannot be played; 0 games are none."""
    TimeControl.parse(time)
    if games < 0 or games % 2:
        raise OptionError(f"a match is played in pairs: give an even number such as 200, not {games}")


def make_validation_match(folder: TuningFolder, games: int, time: str) -> Match:
    """The same player on both sides, only the weights differ; openings as in any other match."""
    tuning = folder.tuning
    terms = Terms.settle(tuning.terms.game, tuning.terms.options, time=time, seed=tuning.terms.seed)
    return Match(terms, (tuning.entrant("tuned", folder.weights), tuning.entrant("before", folder.start)), games)


def save_validation(folder: TuningFolder, match: Match, standing: Standing) -> None:
    """Write the result of the match to the folder."""
    summary = standing.summary
    folder.save_json(
        "match",
        {
            "games": standing.games,
            "time": match.terms.time,
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "score": estimate_data(summary.score),
            "elo": estimate_data(summary.elo),
            "los": summary.los,
        },
    )


def estimate_data(estimate: Estimate | None) -> dict[str, Any] | None:
    """An estimate with its bounds, ready for JSON; None when there is none."""
    if estimate is None:
        return None
    parts = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    # JSON has no infinity.
    return {name: number if math.isfinite(number) else str(number) for name, number in parts.items()}
