"""What results prove: Elo from pairs, the sequential test, and ratings of many players; docs/ratings.md explains them.

>>> from forgeron.ratings import Pentanomial, summarise
>>> summarise(Pentanomial(0, 2, 10, 6, 2)).score.value
0.6

Published: the statistics that matches, tournaments and reports compute, for results of your own.
"""

from __future__ import annotations

from forgeron.stats.elo import Estimate, Pentanomial, Summary, Trinomial, elo_of_score, score_of_elo, summarise
from forgeron.stats.ratings import Ratings, rate
from forgeron.stats.sprt import Sprt, Verdict

__all__ = [
    "Estimate",
    "Pentanomial",
    "Ratings",
    "Sprt",
    "Summary",
    "Trinomial",
    "Verdict",
    "elo_of_score",
    "rate",
    "score_of_elo",
    "summarise",
]
