"""Coloured Mancala in a minute: the example to play through."""

from __future__ import annotations

from forgeron import Lesson

_START = "/".join(["2r2b2t"] * 16) + ":1:0:0:0"
_TWO_PAIRS = "/".join([*["2r2b2t"] * 7, "2b/2b/2r2b4t/3r2b3t/3r2b3t/3r2b2t/3r2b2t/2r2b2t/2r2b2t"]) + ":1:0:0:2"

LESSONS = (
    Lesson(
        "Take the red seeds of hole 3.",
        ("3R",),
        "Red seeds fall one by one into the holes that follow: one into hole 4, one into hole 5.",
    ),
    Lesson(
        "Blue seeds go to the opponent only. Take those of hole 6.",
        ("6B",),
        "Holes 7 and 8 are your own, so they were passed over: the seeds fell into 9 and 10.",
        _START,
    ),
    Lesson(
        "Holes 8 and 9 hold two seeds each. Sow the red seeds of hole 7 into them.",
        ("7R",),
        "Hole 9 then held three seeds: captured. So did hole 8 before it: captured as well. Six points.",
        _TWO_PAIRS,
    ),
    Lesson(
        "Transparent seeds are sown as red or as blue: you choose. Take those of hole 5, as blue.",
        ("5TB",),
        "As blue seeds they fell into the opponent's holes alone.",
        _START,
    ),
)
