"""Every claim of docs/strength.md, played out: python benchmarks/strength.py [GAME …] [--jobs 2] [--games N]

Each claim is a match with swapped seats, seeded openings (mirrored throws where there are dice) and a 95 % interval.
Games are kept in a folder: the same command goes on where it was stopped. The result is a Markdown table.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

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
    time: str = "0.1"

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
CLAIMS = [
    *(Claim("yolah", None, high, low, 0.70) for low, high in itertools.pairwise(YOLAH)),
    *(Claim("mancala", None, high, low, 0.70) for low, high in itertools.pairwise(MANCALA)),
    Claim("mancala", None, "minimax", "minimax:eval=report", 0.80),
    Claim("mancala", "course", "minimax", "minimax:eval=report", 0.80),
    Claim("yinsh", None, "minimax", "random", 0.95),
    Claim("yinsh", None, "minimax", "greedy", 0.80),
    Claim("yut", None, "expectimax", "random", 0.91, games=10_000, time="200n"),
    Claim("yut", None, "expectimax", "yut-random", 0.91, games=10_000, time="200n"),
    Claim("yut", None, "expectimax", "yut-example", 0.60, games=10_000, time="200n"),
    Claim("yut", None, "expectimax", "yut-report", 0.60, games=10_000, time="200n"),
]


def play(claim: Claim, folder: Path, jobs: int, games: int | None, seed: int) -> Standing:
    """Play the match, or what is left of it, saying how far it is."""
    match = claim.match(games, seed)
    with Journal(folder / claim.file, match.settings()) as journal:
        for standing in play_match(match, journal, executor(jobs)):
            print(f"\r{claim.title}: {standing.played}/{match.games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return standing


def row(claim: Claim, standing: Standing) -> str:
    """The line of the table."""
    score, elo = standing.summary.score, standing.summary.elo
    assert score is not None
    assert elo is not None
    bounds = f"{score.low:.1%} – {score.high:.1%}"
    faults = sum(standing.crashes(seat) + standing.time_losses(seat) for seat in (0, 1))
    kept = "yes" if score.value >= claim.goal else "**no**"
    return (
        f"| {claim.title} | {claim.time} | {standing.games} | {score.value:.1%} | {bounds} | {elo.value:+.0f} "
        f"| {claim.goal:.0%} | {kept} | {faults} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="only the claims of these games")
    parser.add_argument("--only", default="", help="only the claims whose title has this text, such as eval=report")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time; leave a core for each player")
    parser.add_argument("--games", type=int, help="fewer (or more) games a claim")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("strength"), help="where the games are kept")
    given = parser.parse_args()
    claims = [claim for claim in CLAIMS if not given.game or claim.game in given.game]
    claims = [claim for claim in claims if given.only in claim.title]
    given.folder.mkdir(parents=True, exist_ok=True)
    print("| match | time a move | games | score | 95 % | Elo | goal | reached | faults |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for claim in claims:
        print(row(claim, play(claim, given.folder, given.jobs, given.games, given.seed)), flush=True)


if __name__ == "__main__":
    main()
