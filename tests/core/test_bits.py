"""Words as sets: compiled instructions, portable loops and Python twins say the same as strings of bits."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forgeron.core import bits
from forgeron.core.jit import kernel

words = st.integers(0, 2**64 - 1)


@kernel
def compiled_bits(word, mask):
    return (
        bits.popcount(word),
        bits.ctz(word),
        bits.clz(word),
        bits.extract(word, mask),
        bits.deposit(word, mask),
        bits._extract_loop(word, mask),
        bits._deposit_loop(word, mask),
    )


@kernel
def compiled_nth(word, n):
    return bits.nth_bit(word, n), bits._nth_bit_loop(word, n)


@kernel
def compiled_columns(out, again, squares, planes):
    return bits.list_columns(out, squares, planes), bits._list_columns_loop(again, squares, planes)


def extract_by_text(word: int, mask: int) -> int:
    chosen = [str(word >> i & 1) for i in range(64) if mask >> i & 1]
    return int("".join(reversed(chosen)) or "0", 2)


def deposit_by_text(word: int, mask: int) -> int:
    places = [i for i in range(64) if mask >> i & 1]
    return sum((word >> n & 1) << place for n, place in enumerate(places))


@given(words, words)
def test_every_way_of_counting_and_moving_bits_agrees(word: int, mask: int) -> None:
    text = format(word, "064b")
    expected = (
        text.count("1"),
        64 - len(text.rstrip("0")) if word else 64,
        len(text) - len(text.lstrip("0")) if word else 64,
        extract_by_text(word, mask),
        deposit_by_text(word, mask),
        extract_by_text(word, mask),
        deposit_by_text(word, mask),
    )
    assert tuple(map(int, compiled_bits(np.uint64(word), np.uint64(mask)))) == expected
    a, b = np.uint64(word), np.uint64(mask)
    with np.errstate(over="ignore"):
        twins = bits.popcount(a), bits.ctz(a), bits.clz(a), bits.extract(a, b), bits.deposit(a, b)
    assert tuple(map(int, twins)) == expected[:5]


@given(words.filter(bool), st.data())
def test_the_nth_bit_is_the_nth_of_the_list(word: int, data: st.DataObject) -> None:
    places = [i for i in range(64) if word >> i & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    expected = 1 << places[n]
    assert tuple(map(int, compiled_nth(np.uint64(word), np.uint64(n)))) == (expected, expected)
    with np.errstate(over="ignore"):
        assert int(bits.nth_bit(np.uint64(word), np.uint64(n))) == expected


@given(words)
def test_the_lowest_bit_and_the_rest_make_the_word(word: int) -> None:
    with np.errstate(over="ignore"):
        low, rest = bits.lowest(np.uint64(word)), bits.without_lowest(np.uint64(word))
    assert int(low) == word & -word
    assert int(low) | int(rest) == word
    assert int(low) & int(rest) == 0


@given(words, st.tuples(*[words] * 6))
def test_squares_are_listed_with_their_bits_in_all_planes(squares: int, planes: tuple[int, ...]) -> None:
    expected = [
        int("".join(str(plane >> square & 1) for plane in reversed(planes)), 2) * 64 + square
        for square in range(64)
        if squares >> square & 1
    ]
    listed = np.full((3, 64), -1, dtype=np.int32)
    given_words = np.uint64(squares), tuple(map(np.uint64, planes))
    with np.errstate(over="ignore"):
        counts = [*compiled_columns(listed[0], listed[1], *given_words), bits.list_columns(listed[2], *given_words)]
    assert counts == [len(expected)] * 3
    for out in listed:
        assert out.tolist() == expected + [-1] * (64 - len(expected))  # nothing is written beyond the list


def test_columns_are_listed_into_an_array_with_gaps() -> None:
    spaced = np.full((64, 2), -1, dtype=np.int32)
    count, again = compiled_columns(spaced[:, 0], np.empty(64, np.int32), np.uint64(0b1010), (np.uint64(0b1000),))
    assert count == again == 2
    assert spaced[:3].tolist() == [[1, -1], [67, -1], [-1, -1]]
