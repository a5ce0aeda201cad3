"""Every claim of docs/strength.md, played out: python benchmarks/strength.py [GAME …] [--jobs 2] [--games N] [--keep]

Each claim is a match with swapped seats, seeded openings (mirrored throws where there are dice) and a 95 % interval.
Games are kept in a folder: the same command goes on where it was stopped. The result is a Markdown table.
`--keep` puts it into the documentation: docs/make_tables.py writes it there.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from data_files import keep_match, provenance

from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.executor import executor
from forgeron.arena.journal import Journal
from forgeron.arena.match import Match, Standing, play_match


@dataclass(frozen=True)
class Claim:
    """The first player scores at least `goal` of the points against the second."""

    game: str
    preset: str | None
    stronger: str
    weaker: str
    goal: float
    games: int = 200
    time: str = "0.1cpu"

    def match(self, games: int | None, seed: int) -> Match:
        terms = Terms.settle(self.game, preset=self.preset, time=self.time, seed=seed)
        return Match(terms, (Entrant.parse(self.stronger), Entrant.parse(self.weaker)), games or self.games)

    @property
    def title(self) -> str:
        game = f"{self.game} ({self.preset})" if self.preset else self.game
        return f"{game}: {self.stronger} – {self.weaker}"

    @property
    def file(self) -> str:
        words = f"{self.game}-{self.preset or 'default'}_{self.stronger}_{self.weaker}_{self.time}"
        return words.replace(":", "-").replace("=", "-").replace("/", "-") + ".journal"


YOLAH = ("random", "greedy", "monte-carlo", "mcts", "minimax")
#: With the fitted evaluation one ply is worth more than 30,000 random games: here `greedy` counts seeds as a beginner.
MANCALA = ("random", "greedy:eval=captured", "monte-carlo", "mcts", "minimax")
#: `expectimax` without what it has learnt and what is known exactly.
LINEAR = "expectimax:eval=linear,exact=false"
CLAIMS = [
    *(Claim("yolah", None, high, low, 0.70) for low, high in itertools.pairwise(YOLAH)),
    *(Claim("mancala", None, high, low, 0.70) for low, high in itertools.pairwise(MANCALA)),
    Claim("mancala", None, "minimax", "minimax:eval=report", 0.80),
    Claim("mancala", "course", "minimax", "minimax:eval=report", 0.80),
    Claim("yinsh", None, "minimax", "random", 0.95),
    Claim("yinsh", None, "minimax", "greedy", 0.80),
    *(
        Claim("yut", None, LINEAR, weaker, goal, games=10_000, time="200n")
        for weaker, goal in (("random", 0.91), ("yut-random", 0.91), ("yut-example", 0.60), ("yut-report", 0.60))
    ),
    *(
        Claim("yut", None, "expectimax", weaker, goal, games=10_000, time="200n")
        for weaker, goal in (("yut-example", 0.71), ("yut-random", 0.94), (LINEAR, 0.54))
    ),
]


def play(claim: Claim, folder: Path, jobs: int, games: int | None, seed: int) -> Standing:
    """Play the match, or what is left of it, saying how far it is."""
    match = claim.match(games, seed)
    with Journal(folder / claim.file, match.settings()) as journal:
        for standing in play_match(match, journal, executor(jobs)):
            print(f"\r{claim.title}: {standing.played}/{match.games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return standing


def row(claim: Claim, standing: Standing) -> dict[str, Any]:
    """The line of the table."""
    score, elo = standing.summary.score, standing.summary.elo
    assert score is not None
    assert elo is not None
    now = provenance()
    return {
        "match": claim.title,
        "time a move": claim.time,
        "games": standing.games,
        "score": f"{score.value:.1%}",
        "95 %": f"{score.low:.1%} – {score.high:.1%}",
        "Elo": f"{elo.value:+.0f}",
        "goal": f"{claim.goal:.0%}",
        "reached": "yes" if score.value >= claim.goal else "**no**",
        "faults": sum(standing.crashes(seat) + standing.time_losses(seat) for seat in (0, 1)),
        "measured": f"{now['date']}, {now['commit']}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="only the claims of these games")
    parser.add_argument("--only", default="", help="only the claims whose title has this text, such as eval=report")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time; leave a core for each player")
    parser.add_argument("--games", type=int, help="fewer (or more) games a claim")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="keep the results for the documentation, in docs/data")
    parser.add_argument("--folder", type=Path, default=Path("strength"), help="where the games are kept")
    given = parser.parse_args()
    claims = [claim for claim in CLAIMS if not given.game or claim.game in given.game]
    claims = [claim for claim in claims if given.only in claim.title]
    given.folder.mkdir(parents=True, exist_ok=True)
    for claim in claims:
        measured = row(claim, play(claim, given.folder, given.jobs, given.games, given.seed))
        print(f"| {' | '.join(map(str, measured.values()))} |", flush=True)
        if given.keep:
            keep_match("strength", measured)


if __name__ == "__main__":
    main()
