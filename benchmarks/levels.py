"""What the named levels are worth: python benchmarks/levels.py [GAME …] [--games 100] [--jobs 1]

Neighbours on the ladder play matches with swapped seats and seeded openings; limits are nodes, so the same games come
on every machine. Between two levels that are too far apart to be compared stand rungs that are no levels. Ratings of a
whole ladder, the first level at 0, go to src/forgeron/players/ladder.json, from which docs/make_tables.py
writes the table of docs/strength.md. Games are kept in a folder: the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from pathlib import Path
from typing import Any

from data_files import provenance

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms, points
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, play_match
from forgeron.core.files import write_file
from forgeron.players.levels import LADDER, Level, levels
from forgeron.stats.ratings import rate

GAMES = ("yut", "mancala", "yolah", "yinsh")
#: Between `novice`, which plays few random games to their end, and `casual`, which looks one move ahead and judges.
RUNGS = tuple(Level(f"monte-carlo {nodes}", "monte-carlo", nodes) for nodes in (250, 1_000))
#: Games whose random games take so long that the last rung is left out.
LONG_GAMES = ("yinsh",)
#: From so many nodes, or random games, a move on a match has fewer games.
SLOW_NODES, SLOW_RANDOM_GAMES = 20_000, 1_000
Result = tuple[str, str, float]


def entrant(level: Level) -> Entrant:
    """The level as a program of a match. A player that counts no nodes gets a number that means nothing to it."""
    return Entrant(level.name, player=level.player, time=f"{level.measured_nodes or 1}n")


def rungs(game: str) -> list[Level]:
    """The ladder of a game, from the bottom up."""
    found = levels(forgeron.game(game))
    at = [level.name for level in found].index("casual")
    between = RUNGS[:-1] if game in LONG_GAMES else RUNGS
    return [*found[:at], *between, *found[at:]]


def neighbours(game: str, games: int, seed: int) -> list[Match]:
    """The matches of a ladder, from the bottom up."""
    found = rungs(game)
    terms = Terms.settle(game, time="1n", seed=seed)
    return [
        Match(terms, (entrant(high), entrant(low)), games_of(high, games)) for low, high in itertools.pairwise(found)
    ]


def games_of(level: Level, games: int) -> int:
    """How many games a match has: fewer where a game takes long."""
    slow = SLOW_RANDOM_GAMES if level.player == "monte-carlo" else SLOW_NODES
    return games if (level.measured_nodes or 0) < slow else max(2, games * 2 // 5 // 2 * 2)


def play(match: Match, folder: Path, jobs: int) -> list[Result]:
    """The results of a match, as (first to move, second, points of the first)."""
    high, low = match.names
    path = folder / f"{match.terms.game}_{low}_{high}_{match.games}_{match.terms.seed}.journal".replace(" ", "-")
    with Journal(path, match.settings()) as journal:
        for standing in play_match(match, journal, executor(jobs)):
            told = f"{match.terms.game}: {high} – {low}: {standing.played}/{match.games}, {standing.points:g} points"
            print(f"\r{told}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        return [(*record.players, points(record, 0)) for record in journal.records.values()]


def ladder_of(game: str, results: list[Result], games: int, seed: int) -> dict[str, Any]:
    """The rated levels of a game."""
    known = rungs(game)
    ratings = rate(results, anchor=known[0].name)
    rows = []
    for level in known:
        if level.name in ratings.elo:
            one = ratings.rating(level.name)
            data = {"name": level.name, "player": level.player, "nodes": level.measured_nodes}
            rows.append({**data, "elo": round(one.value), "error": math.ceil((one.high - one.low) / 2)})
    scores = []
    for low, high in itertools.pairwise(known):
        own = [
            p if (a, b) == (high.name, low.name) else 1 - p for a, b, p in results if {a, b} == {high.name, low.name}
        ]
        if own:
            scores.append({"match": [high.name, low.name], "games": len(own), "points": sum(own)})
    return {"games": games, "seed": seed, "levels": rows, "matches": scores}


def keep(game: str, measured: dict[str, Any]) -> None:
    """Write the ladder of one game; those of the others stay."""
    data = json.loads(LADDER.read_text(encoding="utf-8")) if LADDER.is_file() else {"format": 1, "games": {}}
    data["games"][game] = {**measured, **{key: provenance()[key] for key in ("date", "commit")}}
    write_file(LADDER, json.dumps(data, indent=1, sort_keys=True) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=GAMES, help="only the ladders of these games")
    parser.add_argument("--games", type=int, default=100, help="games of each two neighbours")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("strength") / "levels", help="where the games are kept")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    ladders = {game: neighbours(game, given.games, given.seed) for game in given.game}
    results: dict[str, list[Result]] = {game: [] for game in ladders}
    for step in itertools.zip_longest(*ladders.values()):  # cheap levels of all games first
        for match in filter(None, step):
            game = match.terms.game
            results[game] += play(match, given.folder, given.jobs)
            keep(game, ladder_of(game, results[game], given.games, given.seed))
    print(f"kept in {LADDER}; python docs/make_tables.py writes the table of docs/strength.md from it")


if __name__ == "__main__":
    main()
