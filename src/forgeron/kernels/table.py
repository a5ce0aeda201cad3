"""The transposition table: what a search found out about a position, kept under its key.

An entry is two words: the key combined with the data, and the data. Threads write without locks; an entry that two of
them tore is seen by its key not fitting its data. Four entries make a bucket, one cache line.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import compiled

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
#: The data of a position that is not in the table.
NOTHING = np.uint64(0)

_BUCKET = np.uint64(3)  # two words an entry, four entries
_OFFSET = 1 << 23
_M24 = np.uint64(0xFF_FFFF)


# data, from bit 0: move 24 · value + 2²³ 24 · depth 8 · bound 2 · generation 5 · always 1


def make_table(megabytes: float) -> np.ndarray:
    """An empty table of at most this size: a power of two of buckets, at least one."""
    buckets = 1 << max(int(megabytes * 1024 * 1024 / 64).bit_length() - 1, 0)
    return np.zeros(buckets * 8, dtype=np.uint64)


@compiled
def pack(move, value, depth, bound, generation):
    """The data word of an entry; the value must be below 2²³ in size; of a move only 24 bits are kept."""
    word = (
        (np.uint64(move) & _M24) | (np.uint64(value + _OFFSET) << np.uint64(24)) | (np.uint64(depth) << np.uint64(48))
    )
    return word | (np.uint64(bound) << np.uint64(56)) | (np.uint64(generation) << np.uint64(58)) | np.uint64(1 << 63)


@compiled
def move_of(data):
    return np.int64(data & _M24)


@compiled
def value_of(data):
    return np.int64((data >> np.uint64(24)) & _M24) - _OFFSET


@compiled
def depth_of(data):
    return np.int64((data >> np.uint64(48)) & np.uint64(255))


@compiled
def bound_of(data):
    return np.int64((data >> np.uint64(56)) & np.uint64(3))


@compiled
def generation_of(data):
    return np.int64((data >> np.uint64(58)) & np.uint64(31))


@compiled
def _bucket(table, key):
    return ((key >> np.uint64(8)) << _BUCKET) & np.uint64(table.size - 1)


@compiled
def probe(table, key):
    """The data kept for this key, or NOTHING."""
    at = _bucket(table, key)
    for i in range(4):
        data = table[at + np.uint64(2 * i + 1)]
        if table[at + np.uint64(2 * i)] ^ data == key and data != NOTHING:
            return data
    return NOTHING


@compiled
def store(table, key, data):
    """Keep the data: in the position's own entry, else in place of the oldest or shallowest one of the bucket."""
    at = _bucket(table, key)
    place, worst = at, np.int64(1 << 40)
    for i in range(4):
        here = at + np.uint64(2 * i)
        old = table[here + np.uint64(1)]
        if table[here] ^ old == key:
            place = here
            break
        age = (generation_of(data) - generation_of(old)) & 31
        worth = np.int64(-1) if old == NOTHING else depth_of(old) - 8 * age
        if worth < worst:
            place, worst = here, worth
    table[place] = key ^ data
    table[place + np.uint64(1)] = data
