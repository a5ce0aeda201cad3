"""Yolah in a minute: the example to play through."""

from __future__ import annotations

from forgeron import Lesson

LESSONS = (
    Lesson(
        "Black begins. Move the piece on d5 to b7.",
        ("d5:b7",),
        "It moved like a queen. The square it left is a hole for the rest of the game, and Black has a point.",
        reply=("e5:e7",),
    ),
    Lesson(
        "White has moved from e5 to e7. Now any piece of Black's, wherever it can go.",
        told="Another hole, another point. Neither holes nor pieces can be crossed: the board gets smaller.",
    ),
    Lesson(
        "Later in a game: all that White can still do is go from a4 to b3. Take that square away, from a2.",
        ("a2:b3",),
        "White has no move left and passes from now on, while Black goes on collecting points. That wins the game.",
        "xwxwb2x/xxwxxxbx/bxxxx1xx/xx1xxx2/wx1xx3/x1x5/b1x5/xx3x1x:b:15:15",
    ),
)
