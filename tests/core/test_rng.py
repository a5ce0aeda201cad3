"""Random words: the published SplitMix64 sequence, and what streams promise."""

from __future__ import annotations

from collections import Counter

import numpy as np

from forgeron.core import rng

SEED = np.uint64(1234567)
#: The first outputs of SplitMix64 for seed 1234567, as published with the reference program.
PUBLISHED = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def test_the_words_of_a_stream_are_the_published_sequence() -> None:
    with np.errstate(over="ignore"):
        assert [int(rng.word(SEED, n)) for n in range(1, 6)] == PUBLISHED


def test_streams_split_from_one_another_have_no_word_in_common() -> None:
    with np.errstate(over="ignore"):
        streams = [
            SEED,
            *(rng.split(SEED, i) for i in range(50)),
            *(rng.split(rng.split(SEED, 0), i) for i in range(50)),
        ]
        seen = [int(rng.word(stream, n)) for stream in streams for n in range(1, 50)]
    assert len(set(seen)) == len(seen)


def test_numbers_below_n_are_uniform() -> None:
    draws = 30_000
    with np.errstate(over="ignore"):
        counts = Counter(int(rng.below(rng.word(SEED, n), 6)) for n in range(draws))
    assert set(counts) == set(range(6))
    statistic = sum((count - draws / 6) ** 2 / (draws / 6) for count in counts.values())
    assert statistic < 25  # five degrees of freedom: 1 in 7,000


def test_floats_lie_in_the_unit_interval_with_mean_one_half() -> None:
    with np.errstate(over="ignore"):
        drawn = np.array([rng.unit(rng.word(SEED, n)) for n in range(20_000)])
    assert 0 <= drawn.min() < drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.01
    assert rng.unit(np.uint64(2**64 - 1)) < 1
