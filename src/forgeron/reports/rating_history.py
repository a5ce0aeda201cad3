"""How ratings came about: fitted again and again to the games so far, in the order in which they ended."""

from __future__ import annotations

from forgeron.reports.results import EventResults
from forgeron.stats.ratings import rate

#: How often ratings are fitted for a history.
_STEPS = 24


def rating_history(results: EventResults) -> dict[str, list[float]]:
    """The rating of each entrant, the best first, at equal distances from no game to all of them."""
    by_id = {game.id: game for game in results.games}
    games = [by_id[id] for id in results.order if id in by_id]
    names = [row.name for row in results.rows]
    history: dict[str, list[float]] = {name: [0.0] for name in names}
    steps = min(_STEPS, len(games))
    for step in range(1, steps + 1):
        so_far = games[: round(len(games) * step / steps)]
        ratings = rate([(*game.names, game.points[0]) for game in so_far], players=names)
        for name in names:
            history[name].append(ratings.rating(name).value)
    return history
