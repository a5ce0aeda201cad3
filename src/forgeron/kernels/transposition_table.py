"""The transposition table: what a search found out about a position, stored under its hash key.

An entry is two words: the key XOR the data, and the data. Threads write without locks; an entry torn by two of them is
recognised because its key no longer matches its data (Hyatt and Mann 2002). Four entries make a bucket, one cache line.

In front of the entries stand the busy marks: which moves threads are searching right now, so that other threads can
defer them (ABDADA, Weill 1996). They are written without locks as well: a lost mark costs time, never correctness.
"""

from __future__ import annotations

import numpy as np

from forgeron.core.jit import inlined

#: What the stored value says about the true one.
EXACT, LOWER_BOUND, UPPER_BOUND = 0, 1, 2
#: What `probe` answers for a position that is not in the table.
MISS = np.uint64(0)

#: Words of busy marks at the front of a table.
BUSY_WORDS = 1024
_ENTRIES = 4  # in a bucket
_BUCKET_WORDS = 2 * _ENTRIES
_BUCKET_SHIFT = np.uint64(3)
_BUSY_SHIFT = np.uint64(64 - 10)
_PAGE_BYTES = 4096

# data, from bit 0: move 24 · value + 2²³ 24 · depth 8 · bound 2 · generation 5 · always 1
_VALUE_OFFSET = 1 << 23
_MASK24 = np.uint64(0xFF_FFFF)
#: Generations of searches that an entry can tell apart.
GENERATIONS = 32
#: The greatest depth that an entry can hold.
MAX_STORED_DEPTH = 255


def make_table(megabytes: float) -> np.ndarray:
    """An empty table with entries of at most this size: a power of two of buckets, at least one."""
    buckets = 1 << max(int(megabytes * 1024 * 1024 / 64).bit_length() - 1, 0)
    words = np.zeros(BUSY_WORDS + buckets * _BUCKET_WORDS + _BUCKET_WORDS, dtype=np.uint64)
    skipped = -(words.ctypes.data // words.itemsize) % _BUCKET_WORDS  # a bucket begins where a cache line does
    return words[skipped : words.size - _BUCKET_WORDS + skipped]


def have_in_memory(table: np.ndarray) -> None:
    """Write to every page: the system provides memory when it is first used, which takes longer than many a move."""
    table[:: _PAGE_BYTES // table.itemsize] += np.uint64(0)


def smaller_table(table: np.ndarray, entries: int) -> np.ndarray:
    """A table in the same memory with at least so many entries, or all there are: a small one is cleared quickly."""
    buckets = 1 << max((entries - 1) // _ENTRIES, 0).bit_length()
    return table[: BUSY_WORDS + buckets * _BUCKET_WORDS]


def clear_busy_marks(table: np.ndarray) -> None:
    """No thread is searching anything."""
    table[:BUSY_WORDS] = 0


# --- the data of an entry ---------------------------------------------------------------------------------------------


@inlined
def pack(move, value, depth, bound, generation):
    """The data word of an entry; the value must be below 2²³ in size; of a move only 24 bits are kept."""
    word = (
        (np.uint64(move) & _MASK24)
        | (np.uint64(value + _VALUE_OFFSET) << np.uint64(24))
        | (np.uint64(depth) << np.uint64(48))
    )
    return word | (np.uint64(bound) << np.uint64(56)) | (np.uint64(generation) << np.uint64(58)) | np.uint64(1 << 63)


@inlined
def move_of(data):
    return np.int64(data & _MASK24)


@inlined
def value_of(data):
    return np.int64((data >> np.uint64(24)) & _MASK24) - _VALUE_OFFSET


@inlined
def depth_of(data):
    return np.int64((data >> np.uint64(48)) & np.uint64(255))


@inlined
def bound_of(data):
    return np.int64((data >> np.uint64(56)) & np.uint64(3))


@inlined
def generation_of(data):
    return np.int64((data >> np.uint64(58)) & np.uint64(31))


@inlined
def bound_type(value, alpha, beta):
    """What a value says that was searched with this window."""
    return LOWER_BOUND if value >= beta else UPPER_BOUND if value <= alpha else EXACT


@inlined
def causes_cutoff(bound, value, alpha, beta):
    """Whether a stored value of this kind makes it needless to search with this window."""
    return bound == EXACT or (bound == LOWER_BOUND and value >= beta) or (bound == UPPER_BOUND and value <= alpha)


# --- entries ----------------------------------------------------------------------------------------------------------


@inlined
def _bucket(table, key):
    return np.uint64(BUSY_WORDS) + (((key >> np.uint64(8)) << _BUCKET_SHIFT) & np.uint64(table.size - BUSY_WORDS - 1))


@inlined
def probe(table, key):
    """The data stored for this key, or MISS."""
    bucket = _bucket(table, key)
    for i in range(_ENTRIES):
        data = table[bucket + np.uint64(2 * i + 1)]
        if table[bucket + np.uint64(2 * i)] ^ data == key and data != MISS:
            return data
    return MISS


@inlined
def store(table, key, data):
    """Store the data: over the position's own entry, else over the oldest or shallowest one of the bucket."""
    bucket = _bucket(table, key)
    victim, lowest_worth = bucket, np.int64(1 << 40)
    for i in range(_ENTRIES):
        entry = bucket + np.uint64(2 * i)
        old = table[entry + np.uint64(1)]
        if table[entry] ^ old == key:
            victim = entry
            break
        age = (generation_of(data) - generation_of(old)) & (GENERATIONS - 1)
        worth = np.int64(-1) if old == MISS else depth_of(old) - 8 * age
        if worth < lowest_worth:
            victim, lowest_worth = entry, worth
    table[victim] = key ^ data
    table[victim + np.uint64(1)] = data


# --- busy marks -------------------------------------------------------------------------------------------------------


@inlined
def busy_mark(key, move):
    """The mark of a thread that searches this move of the position with this key."""
    return key ^ ((np.uint64(move) + np.uint64(1)) * np.uint64(0x9E37_79B9_7F4A_7C15))


@inlined
def is_busy(table, mark):
    return table[mark >> _BUSY_SHIFT] == mark


@inlined
def set_busy(table, mark):
    table[mark >> _BUSY_SHIFT] = mark


@inlined
def clear_busy(table, mark):
    table[mark >> _BUSY_SHIFT] = np.uint64(0)
