"""Yut Nori in a minute: the example to play through."""

from __future__ import annotations

from forgeron import Lesson

LESSONS = (
    Lesson(
        "You have thrown geol: three steps. Bring a piece onto the board.",
        ("s0:3",),
        "It stands on the third station. Now Blue would throw.",
        "0,0,0,0/0,0,0,0:r:3",
    ),
    Lesson(
        "Gae, two steps. The piece on 3 can reach the blue one on 5.",
        ("s3:2",),
        "Blue is sent back to the start, and you may throw once more.",
        "0,0,0,3/0,0,0,5:r:2",
    ),
    Lesson(
        "Two pieces on the corner 5 go together, and by the short way. Move them with geol.",
        ("s5:3",),
        "They turned in and stand in the middle, much nearer to home.",
        "0,0,5,5/0,0,0,8:r:3",
    ),
    Lesson(
        "Three pieces are home. Bring the last one home with yut; it may go further than it needs.",
        ("s28:4",),
        "All four are home: Red has won.",
        "30,30,30,28/0,0,15,30:r:4",
    ),
)
