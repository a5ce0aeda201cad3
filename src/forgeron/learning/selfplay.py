"""Games of a program against itself or its relatives, from random openings."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from forgeron.arena.absent import at_fault
from forgeron.arena.entrant import Entrant
from forgeron.arena.event import Terms
from forgeron.arena.openings import draw_openings
from forgeron.arena.task import GameTask
from forgeron.core.errors import ForgeronError
from forgeron.core.record import Record

#: Where there are too few openings of a length, up to so many plies more are tried.
_MORE_PLIES = 4


def random_openings(terms: Terms, count: int) -> list[tuple[str, ...]]:
    """So many different openings; how many plies each has is drawn, from half of `terms.opening_plies` up to all."""
    most = terms.opening_plies
    if most == 0:
        return [()] * count
    rng = random.Random(f"lengths {terms.seed}")
    lengths = [rng.randint((most + 1) // 2, most) for _ in range(count)]
    game = terms.open_game()
    found = {
        plies: iter(
            draw_openings(game, lengths.count(plies), plies=plies, seed=terms.seed, max_plies=plies + _MORE_PLIES)
        )
        for plies in set(lengths)
    }
    return [next(found[plies]).moves for plies in lengths]


def make_task(
    terms: Terms, id: str, entrants: tuple[Entrant, Entrant], opening: Sequence[str], luck: str | None = None
) -> GameTask:
    """A game as workers take it; games of the same `luck` (else: of the same id) have the same throws."""
    digest = hashlib.blake2b(f"{terms.seed} {luck or id}".encode(), digest_size=8).digest()
    seed = int.from_bytes(digest) >> 1
    return GameTask(id, terms.path, terms.options, entrants, terms.time, tuple(opening), seed)


def check_played(id: str, record: Record) -> Record:
    """The record of a game that was played to its end: a player of ours that fails must not teach anybody."""
    if at_fault(record):
        raise ForgeronError(f"game {id} of the tuning failed: {record.extra.get('detail', record.reason)}")
    return record
