"""YINSH in a minute: the example to play through."""

from __future__ import annotations

from forgeron import Lesson

LESSONS = (
    Lesson(
        "First the rings are placed, in turn. Put one on E5.",
        ("E5",),
        "Each side places five. Then the game proper begins.",
    ),
    Lesson(
        "Move the ring on E2 over the two black markers to E5.",
        ("E2-E5",),
        "It left a white marker where it stood, and the two markers that it jumped have become white.",
        "4/4B2/2W2B2/7W1/1Wbb6/6B2/4W5/2B6/3W4/2B4/4:w:move:0-0",
    ),
    Lesson(
        "Four white markers in line, and the ring on E2 will leave a fifth. Move it one point aside, to F3.",
        ("E2-F3",),
        "Five in line: a row.",
        "4/4B2/2W2B2/7W1/1Wwwww4/6B2/4W5/2B6/3W4/2B4/4:w:move:0-0",
    ),
    Lesson("Take the row off the board.", ("xE2-E6",), "The row costs a ring, too: one of your own choice."),
    Lesson(
        "Take off one of your rings.",
        told="One of three: the third one wins. But you now have a ring less to play with.",
    ),
)
