"""What a course's report on Yut Nori found, beside the true values: python examples/yut_report.py [games, even]"""

from __future__ import annotations

import sys

import forgeron

GAME = forgeron.game("yut")
#: against whom, which player, and how often it wins according to the report
REPORT = {
    "yut-random": {"yut-example": "more", "yut-report": "89–94 %"},
    "yut-example": {
        "yut-report": "57 %, 48–60 %",
        "yut-report:depth=1": "–",
        "yut-report:depth=3": "hardly more",
        "yut-report:cast_depth=3": "most",
        "yut-report:capture_bonus=0": "–",
        "yut-report:landing_penalty=0": "–",
    },
}


def tell(text: str) -> None:
    """How far it is, for a person who waits at a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def wins_of_first_seat(a: str, b: str, seeds: int) -> float:
    """As the report plays: `a` always begins, one game for each seed 0, 1, 2, …"""
    won = 0
    for seed in range(seeds):
        tell(f"{a} – {b}, seed {seed}")
        won += forgeron.match(GAME, a, b, games=2, time="1n", seed=seed).records[0].winner == 0
    return won / seeds


def costs(record: forgeron.Record, name: str, judge: forgeron.Player) -> list[float]:
    """What each choice of a player costs, in wins, where so few pieces are left that the exact values are known."""
    found, position, seat = [], GAME.start(), record.players.index(name)
    for move in record.moves:
        if position.turn == seat and sum(position.scores) >= 5 and len(position.moves) > 1:
            lines = judge.analyse(position, forgeron.Limit(nodes=10**6), lines=GAME.max_moves).lines
            found.append(lines[0].value - next(line.value for line in lines if line.moves[0] == move))
        position = position.play(move)
    return found


def row(a: str, b: str, said: str, games: int, judge: forgeron.Player) -> str:
    first = wins_of_first_seat(a, b, min(games, 100))
    result = forgeron.match(
        *(GAME, a, b),
        games=games,
        time="1n",
        seed=1,
        listener=lambda now: tell(f"{a} – {b}, game {now.played:,} of {games:,}"),
    )
    lost = [cost for record in result.records for cost in costs(record, result.names[0], judge)]
    best = f"{sum(cost < 1e-4 for cost in lost) / len(lost):.0%}" if lost else "–"
    cost = f"{sum(lost) / len(lost):.2%}" if lost else "–"
    assert result.score is not None
    both = f"{result.score.value:6.1%} ± {result.score.error:5.1%}"
    return f"{a:28} {said:>13} {first:6.0%} {both} {best:>6} {cost:>7}"


def main(games: int) -> None:
    judge = forgeron.player("expectimax", GAME)
    for b, players in REPORT.items():
        both = f"both, {games:,}"
        print(f"{'against ' + b:28} {'report':>13} {'first':>6} {both:>14} {'best':>6} {'cost':>7}", flush=True)
        for a, said in players.items():
            line = row(a, b, said, games, judge)
            tell("")
            print(line, flush=True)


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else "1000"
    if not given.isdecimal() or int(given) < 2 or int(given) % 2:
        sys.exit(f"games are played in pairs: give an even number such as 1000, not '{given}'")
    main(int(given))
