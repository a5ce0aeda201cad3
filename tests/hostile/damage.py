"""Damage as disks, editors and strangers do it: to bytes, and to the values of JSON data; from a seed."""

from __future__ import annotations

import random
from typing import Any

#: What may stand where something else belongs.
JUNK: list[Any] = [
    None, True, 0, -1, 2**31, 2**64, 10**30, 1e308, float("inf"), float("nan"), "", "x", "\x1b[31m", "\ud800",
    "9" * 400, [], [1], [[1]], {}, {"a": 1}, ["a", "b", "c"], 0.5, "../x",
]  # fmt: skip


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """The data with some bytes changed, gone, put in or repeated."""
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at = rng.randrange(len(found) + 1)
        match rng.randrange(6):
            case 0:
                found[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del found[at : at + rng.choice([1, 2, 10, 1000])]
            case 2:
                found[at:at] = rng.randbytes(rng.choice([1, 4, 50]))
            case 3:
                del found[at:]
            case 4:
                found[at:at] = found[: rng.choice([1, 8, 100])]
            case 5:
                found[at : at + 1] = rng.choice([b"\n", b"{", b"[", b'"', b"9" * 30, b"\x00", b"-", b"#"])
    return bytes(found)


def damaged_json(data: Any, rng: random.Random) -> Any:
    """The data with one value, somewhere in them, another or gone."""
    if isinstance(data, dict) and data and rng.random() < 0.9:
        key = rng.choice(list(data))
        rest = {name: value for name, value in data.items() if name != key}
        return rest if rng.random() < 0.1 else {**rest, key: damaged_json(data[key], rng)}
    if isinstance(data, list) and data and rng.random() < 0.8:
        at = rng.randrange(len(data))
        return [*data[:at], damaged_json(data[at], rng), *data[at + 1 :]]
    return rng.choice(JUNK)
