"""From log-odds, in which evaluations add up, to probabilities."""

from __future__ import annotations

import math

from forgeron.core.jit import compiled


@compiled
def probability_of(log_odds: float) -> float:
    """The probability of these log-odds, however great they are."""
    return 1.0 / (1.0 + math.exp(min(-log_odds, 700.0)))  # the exponential of more is no number
