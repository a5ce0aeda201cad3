"""What luck-adjusted results are worth: their error bars beside those of plain ones, and that they are unbiased.

    python benchmarks/luck.py [GAMES] [A] [B] [PLAIN]

Plays GAMES games of Yut Nori in mirrored pairs. The mean luck of all games must be 0 within its error, or the adjusted
score is biased. "games saved" is the share of games that the adjustment saves for the same error bar, beside what
mirrored throws save already. With PLAIN, so many other games, with throws of their own, are played without adjusting
anything: their plain score is what the adjusted one estimates.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import forgeron
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import points
from forgeron.arena.referee import Referee
from forgeron.bots.clock import TimeControl
from forgeron.core.record import Record
from forgeron.stats.luck import LuckTally, luck_of

GAME = forgeron.game("yut")
#: Where the seeds of the plain games begin: no throw of theirs is one of the adjusted games.
OTHER_SEEDS = 1_000_000


def play_pairs(games: int, a: str, b: str, first_seed: int) -> Iterator[list[tuple[Record, int]]]:
    """The two games of each pair, with the seat of A in them."""
    players = [Entrant.parse(text).enter(GAME) for text in (a, b)]
    control = TimeControl.parse("1n")
    for pair in range(games // 2):
        seed = first_seed + pair
        first = Referee(GAME, (players[0], players[1]), control, seed=seed).play()
        yield [(first, 0), (Referee(GAME, (players[1], players[0]), control, seed=seed).play(), 1)]
        if (pair + 1) % 1000 == 0:
            print(f"{2 * (pair + 1):,} games", file=sys.stderr, flush=True)


def adjusted_match(games: int, a: str, b: str) -> tuple[float, float]:
    """Print the match, plain and adjusted; its adjusted score with its error."""
    tally, luck_total, luck_squares = LuckTally(), 0.0, 0.0
    wins = singles = 0.0
    for pair in play_pairs(games, a, b, 0):
        brought = luck = 0.0
        for record, seat in pair:
            own = luck_of(record, GAME) * (1 if seat == 0 else -1)
            result = points(record, seat)
            brought, luck, wins = brought + result / 2, luck + own / 2, wins + result
            singles += (result - own) ** 2
        tally.add(brought, luck)
        luck_total, luck_squares = luck_total + luck, luck_squares + luck**2
    pairs = tally.pairs
    found = tally.result()
    assert found is not None
    assert found.saving is not None
    mean, adjusted = wins / (2 * pairs), found.score.value
    error = 1.96 * math.sqrt((luck_squares / pairs - (luck_total / pairs) ** 2) / pairs)
    alone = 1 - (singles / (2 * pairs) - adjusted**2) / (mean * (1 - mean))
    print(f"{a} – {b}, {2 * pairs:,} games in mirrored pairs")
    print(f"plain score     {mean:.2%}")
    print(f"adjusted score  {adjusted:.2%} ± {found.score.error:.2%}")
    print(f"mean luck       {luck_total / pairs:+.3%} ± {error:.3%} (0 if the adjustment is unbiased)")
    print(f"games saved     {found.saving:.0%} of mirrored pairs, {alone:.0%} of single games")
    return adjusted, found.score.error


def plain_match(games: int, a: str, b: str) -> tuple[float, float]:
    """The plain score of A in other games, with its error."""
    results = [sum(points(*one) for one in pair) / 2 for pair in play_pairs(games, a, b, OTHER_SEEDS)]
    mean = sum(results) / len(results)
    variance = sum((result - mean) ** 2 for result in results) / (len(results) - 1)
    return mean, 1.96 * math.sqrt(variance / len(results))


def main(games: int = 10_000, a: str = "greedy", b: str = "yut-example", plain: int = 0) -> None:
    adjusted, error = adjusted_match(games, a, b)
    if plain:
        score, plain_error = plain_match(plain, a, b)
        print(f"plain score of {plain:,} other games  {score:.2%} ± {plain_error:.2%}")
        difference, both = adjusted - score, math.hypot(error, plain_error)
        print(f"adjusted less plain  {difference:+.2%} ± {both:.2%} (0 if the adjustment is unbiased)")


if __name__ == "__main__":
    main(*(int(word) if word.isdigit() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
