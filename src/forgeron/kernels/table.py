"""The transposition table: what a search found out about a position, kept under its key.

An entry is two words: the key combined with the data, and the data. Threads write without locks; an entry that two of
them tore is seen by its key not fitting its data. Four entries make a bucket, one cache line.

Before the entries there is room for marks: which moves threads are searching just now, so that others try another one
first. They too are written without locks: a lost mark costs time, never truth.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import compiled

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
#: The data of a position that is not in the table.
NOTHING = np.uint64(0)

#: Words of marks at the front of a table.
MARKS = 1024
_BUCKET = np.uint64(3)  # two words an entry, four entries
_LINE = 8  # words
_MARK_SHIFT = np.uint64(64 - 10)
_OFFSET = 1 << 23
_M24 = np.uint64(0xFF_FFFF)


# data, from bit 0: move 24 · value + 2²³ 24 · depth 8 · bound 2 · generation 5 · always 1


def make_table(megabytes: float) -> np.ndarray:
    """An empty table with entries of at most this size: a power of two of buckets, at least one."""
    buckets = 1 << max(int(megabytes * 1024 * 1024 / 64).bit_length() - 1, 0)
    words = np.zeros(MARKS + buckets * _LINE + _LINE, dtype=np.uint64)
    skipped = -(words.ctypes.data // words.itemsize) % _LINE
    return words[skipped : words.size - _LINE + skipped]


def part_of(table: np.ndarray, entries: int) -> np.ndarray:
    """A table of at least so many entries, or as many as there are, in the same memory."""
    buckets = 1 << max((entries - 1) // 4, 0).bit_length()
    return table[: MARKS + buckets * _LINE]


def unmark(table: np.ndarray) -> None:
    """Forget who is searching what."""
    table[:MARKS] = 0


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
    return np.uint64(MARKS) + (((key >> np.uint64(8)) << _BUCKET) & np.uint64(table.size - MARKS - 1))


@compiled
def mark_of(key, move):
    """What says that somebody is searching this move of the position with this key."""
    return key ^ ((np.uint64(move) + np.uint64(1)) * np.uint64(0x9E37_79B9_7F4A_7C15))


@compiled
def is_marked(table, mark):
    return table[mark >> _MARK_SHIFT] == mark


@compiled
def set_mark(table, mark):
    table[mark >> _MARK_SHIFT] = mark


@compiled
def clear_mark(table, mark):
    table[mark >> _MARK_SHIFT] = np.uint64(0)


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
