"""Who plays whom: schedules as pure functions of their arguments.

The unit of work is a `Pairing`: two players, one opening, two games with the seats swapped. So the seats of every
player are always balanced, whatever the format. Nothing here remembers anything: what comes next is computed from the
entrants and the results so far, and a tournament that was interrupted comes to the same schedule again.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from forgeron.core.errors import ForgeronError, OptionError, unknown_name


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two games between two players, from the same opening with the seats swapped."""

    first_name: str
    """has the first seat in the first of the two games"""
    second_name: str
    round: int
    """1, 2, …; 0 for an encounter that is known by its players alone"""
    number: int
    """which encounter of the round: 1, 2, …"""
    repeat: int = 0
    """which pair of games of the encounter: 0, 1, …"""
    opening: int = 0
    """the number of the opening, the same for all encounters of a round: 0, 1, …"""

    @property
    def names(self) -> tuple[str, str]:
        return self.first_name, self.second_name


@dataclass(frozen=True, slots=True)
class Round:
    """Pairings that may be played at the same time, and the players that have none."""

    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game to be played; `id` and `seed` are functions of the configuration, the seed and the pairing."""

    id: str
    pairing: Pairing
    leg: Literal[0, 1]
    seats: tuple[str, str]
    """who has the first and the second seat"""
    opening: int
    seed: int
    """for everything random in the game, such as throws: the same in both games of a pairing"""


def games_of(pairing: Pairing, config: Mapping[str, Any], seed: int) -> tuple[ScheduledGame, ScheduledGame]:
    """The two games of a pairing. Equal arguments give equal games, in any process on any machine.

    `config` is whatever the games depend on, as JSON data.

    >>> one, two = games_of(Pairing("ada", "bob", round=2, number=1), {"game": "yolah"}, seed=7)
    >>> one.seats, two.seats, one.seed == two.seed
    (('ada', 'bob'), ('bob', 'ada'), True)
    >>> one.id, two.id
    ('r2-e1-p0-a-117c9f51b36b', 'r2-e1-p0-b-117c9f51b36b')
    """
    return GameNames(config, seed).games_of(pairing)


class GameNames:
    """Names and seeds of the games of one event: its configuration is read once, however many games there are."""

    def __init__(self, config: Mapping[str, Any], seed: int) -> None:
        self._digest = hashlib.blake2b(f"[{_json(config)},{_json(seed)},".encode(), digest_size=16)

    def games_of(self, pairing: Pairing) -> tuple[ScheduledGame, ScheduledGame]:
        """The two games of a pairing."""
        hashed = self._digest.copy()
        rest = [*pairing.names, pairing.round, pairing.number, pairing.repeat, pairing.opening]
        hashed.update(_json(rest)[1:].encode())
        return _two_games(pairing, hashed.hexdigest())


def _json(data: object) -> str:
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ForgeronError(f"the configuration of a tournament must be JSON data: {error}") from None


def _two_games(pairing: Pairing, digest: str) -> tuple[ScheduledGame, ScheduledGame]:
    name = f"r{pairing.round}-e{pairing.number}-p{pairing.repeat}" if pairing.round else f"p{pairing.repeat}"
    game_seed = int(digest[:16], 16) >> 1  # 63 bits: also a signed integer of SQLite and JSON readers
    first = ScheduledGame(f"{name}-a-{digest[16:28]}", pairing, 0, pairing.names, pairing.opening, game_seed)
    swapped = (pairing.second_name, pairing.first_name)
    return first, ScheduledGame(f"{name}-b-{digest[16:28]}", pairing, 1, swapped, pairing.opening, game_seed)


def drawn_order(entrants: Sequence[str], seed: int) -> list[str]:
    """The entrants in an order drawn by lot, the same for every order in which they are named."""
    order = sorted(_distinct(entrants))
    random.Random(f"order {seed}").shuffle(order)
    return order


def match(first: str, second: str, pairs: int) -> Round:
    """Two players, so many pairs of games, each with an opening of its own."""
    _distinct([first, second])
    return Round(_encounter(first, second, 1, 1, _at_least_one(pairs)))


def round_robin(entrants: Sequence[str], pairs: int = 1) -> list[Round]:
    """Everybody meets everybody, by the circle method: n - 1 rounds, or n with one bye each when n is odd.

    >>> for number, one in enumerate(round_robin(["a", "b", "c", "d"]), 1):
    ...     print(number, *(f"{p.first_name}-{p.second_name}" for p in one.pairings))
    1 a-d b-c
    2 d-b c-a
    3 c-d a-b
    """
    names: list[str | None] = [*_distinct(entrants)]
    _at_least_one(pairs)
    if len(names) < 2:
        return []
    if len(names) % 2:
        names.append(None)
    n = len(names)
    rounds = []
    for turn in range(n - 1):
        # The last stays, the others go round: i meets the one that mirrors it. Who is named first alternates.
        circle = [(names[turn], names[-1]) if turn % 2 == 0 else (names[-1], names[turn])]
        circle += [(names[(turn + k) % (n - 1)], names[(turn - k) % (n - 1)]) for k in range(1, n // 2)]
        rounds.append(_round(circle, turn + 1, pairs))
    return rounds


def gauntlet(challengers: Sequence[str], opponents: Sequence[str], pairs: int = 1) -> list[Round]:
    """Every challenger meets every opponent; challengers do not meet each other, nor do opponents.

    >>> [[p.names for p in one.pairings] for one in gauntlet(["new"], ["old", "older"])]
    [[('new', 'old')], [('new', 'older')]]
    """
    _distinct([*challengers, *opponents])
    _at_least_one(pairs)
    rows: list[str | None] = [*challengers]
    columns: list[str | None] = [*opponents]
    size = max(len(rows), len(columns))
    rows += [None] * (size - len(rows))
    columns += [None] * (size - len(columns))
    if not challengers or not opponents:
        return []
    return [
        _round([(rows[i], columns[(i + turn) % size]) for i in range(size)], turn + 1, pairs) for turn in range(size)
    ]


def knockout_round(entrants: Sequence[str], winners: Sequence[Sequence[str]] = (), pairs: int = 1) -> Round | None:
    """The next round of a knockout, or None when it is decided.

    `entrants` are in order of seeding, the best first: the bracket keeps the best apart as long as possible, and they
    have the byes of the first round. `winners` are the winners of each round so far, in any order.

    >>> [p.names for p in knockout_round(["a", "b", "c", "d", "e"]).pairings]
    [('d', 'e')]
    >>> [p.names for p in knockout_round(["a", "b", "c", "d", "e"], [["e"]]).pairings]
    [('a', 'e'), ('b', 'c')]
    """
    slots: list[str | None] = _bracket(_distinct(entrants))
    _at_least_one(pairs)
    for number, names in enumerate(winners, 1):
        slots = [_advancing(slots[i : i + 2], names, number) for i in range(0, len(slots), 2)]
        strangers = set(names) - {name for name in slots if name is not None}
        if strangers:
            raise ForgeronError(f"{', '.join(sorted(strangers))} did not play in round {number} of the knockout")
    if len(slots) < 2:
        return None
    meetings = [(slots[i], slots[i + 1]) for i in range(0, len(slots), 2)]
    return _round(meetings, len(winners) + 1, pairs)


def play_off(encounter: Sequence[Pairing]) -> Pairing:
    """One more pair of games for an encounter that ended level, with the opening after its last one."""
    last = max(encounter, key=lambda pairing: pairing.repeat)
    return replace(last, repeat=last.repeat + 1, opening=last.opening + 1)


def swiss_round(
    entrants: Sequence[str], points: Mapping[str, float], rounds: Sequence[Round] = (), pairs: int = 1
) -> Round:
    """The next round of a Swiss tournament: players with equal points meet, and nobody meets the same player again.

    `entrants` are in the order that settles ties, the best first (for example `drawn_order`); `points` so far include
    those for byes; `rounds` are the rounds so far, in which others may have played. In this order of importance:

    1. with an odd number of players the bye goes to one who has had the fewest;
    2. as few as possible meet again;
    3. the sum of the squared differences of points is as small as possible, and the bye goes far down the table;
    4. within a group of equal points the upper half meets the lower half.

    That is a perfect matching of least weight, which networkx finds exactly; the weights are integers, so the answer
    is the same everywhere.
    """
    order = _distinct(entrants)
    for name in points:
        if name not in order:
            raise unknown_name("entrant", name, order)
    _at_least_one(pairs)
    table = sorted(order, key=lambda name: (-points.get(name, 0), order.index(name)))
    meetings = _least_weight(table, points, rounds)
    firsts = Counter(pairing.first_name for one in rounds for pairing in one.pairings if pairing.repeat == 0)
    # Who was named first less often is named first; both games are played anyway.
    turned = [(b, a) if a and b and firsts[b] < firsts[a] else (a, b) for a, b in meetings]
    return _round(turned, len(rounds) + 1, pairs)


def _least_weight(
    table: Sequence[str], points: Mapping[str, float], rounds: Sequence[Round]
) -> list[tuple[str | None, str | None]]:
    """The best pairing of a table that is sorted by points; None stands for a bye."""
    import networkx  # type: ignore[import-untyped]  # here, because only this needs it and it loads slowly

    n = len(table)
    met = Counter(frozenset(p.names) for one in rounds for p in one.pairings if p.repeat == 0)
    byes = Counter(name for one in rounds for name in one.byes)
    halves = [round(2 * points.get(name, 0)) for name in table]
    size = Counter(halves)
    widest = (max(halves) - min(halves) + 1) ** 2 if n else 1
    fold_unit = 1
    points_unit = n * n * fold_unit  # more than the folds of a whole round can come to, and so on upwards
    again_unit = points_unit * n * (widest + 1)
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    for i in range(n):
        for j in range(i + 1, n):
            fold = abs(j - i - size[halves[i]] // 2) if halves[i] == halves[j] else j - i
            apart = (halves[i] - halves[j]) ** 2
            again = met[frozenset((table[i], table[j]))]
            graph.add_edge(i, j, cost=again * again_unit + apart * points_unit + fold * fold_unit)
    if n % 2:
        fewest = min(byes[name] for name in table)
        for i in range(n):
            if byes[table[i]] == fewest:
                graph.add_edge(i, n, cost=(halves[i] - min(halves)) ** 2 * points_unit + (n - 1 - i) * fold_unit)
    matching = networkx.min_weight_matching(graph, weight="cost")
    names = [*table, None]
    return [(names[i], names[j]) for i, j in sorted((min(edge), max(edge)) for edge in matching)]


def _round(meetings: Sequence[tuple[str | None, str | None]], number: int, pairs: int) -> Round:
    """A round of these meetings; who meets None has a bye."""
    real = [(a, b) for a, b in meetings if a is not None and b is not None]
    byes = tuple(name for meeting in meetings if None in meeting for name in meeting if name is not None)
    encounters = [_encounter(a, b, number, i, pairs) for i, (a, b) in enumerate(real, 1)]
    return Round(tuple(chain.from_iterable(encounters)), byes)


def _encounter(first: str, second: str, round_number: int, number: int, pairs: int) -> tuple[Pairing, ...]:
    opening = (round_number - 1) * pairs
    return tuple(Pairing(first, second, round_number, number, i, opening + i) for i in range(pairs))


def _bracket(names: Sequence[str]) -> list[str | None]:
    """The slots of a knockout, neighbours meeting first: 1, 8, 4, 5, 2, 7, 3, 6; None beyond the last entrant."""
    seeds = [0]
    while len(seeds) < len(names):
        size = 2 * len(seeds)
        seeds = [seed for one in seeds for seed in (one, size - 1 - one)]
    return [names[seed] if seed < len(names) else None for seed in seeds]


def _advancing(meeting: Sequence[str | None], winners: Sequence[str], number: int) -> str | None:
    present = [name for name in meeting if name is not None]
    if len(present) == 1:
        return present[0]
    won = [name for name in present if name in winners]
    if len(won) != 1:
        raise ForgeronError(f"round {number} of the knockout needs one winner of {present[0]} and {present[1]}")
    return won[0]


def _distinct(names: Sequence[str]) -> list[str]:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise OptionError(f"every entrant needs a name of its own; {', '.join(twice)} came more than once")
    return list(names)


def _at_least_one(pairs: int) -> int:
    if pairs < 1:
        raise OptionError(f"an encounter is 1 pair of games or more, not {pairs}")
    return pairs
