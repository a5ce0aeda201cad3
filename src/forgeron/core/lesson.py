"""A guided example of a game: a few moves on a real board, each with what to do and what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from forgeron.core.game import Game
    from forgeron.core.position import Position


class Lesson(NamedTuple):
    """One step of the example: a position, what the learner is asked to do there, and what is then to be seen."""

    ask: str
    """what to do: "Move the piece on d5 to b7." """
    moves: tuple[str, ...] = ()
    """the moves that do it; none named: any legal one"""
    told: str = ""
    """what the move has shown"""
    position: str = ""
    """where it is done, as a token of the game with its default options; "": where the lesson before it ended, or the
    first position"""
    reply: tuple[str, ...] = ()
    """moves that are made by themselves after the learner's, such as the opponent's"""


def follow(game: Game) -> list[tuple[Lesson, Position, Position]]:
    """The example of a game from beginning to end: each lesson, where it begins, and where its first move leads.

    Where any move will do, the first legal one is made.
    """
    found = []
    position = game.start()
    for lesson in game.lessons:
        begin = game.parse(lesson.position) if lesson.position else position
        after = begin.play(lesson.moves[0] if lesson.moves else begin.legal_moves()[0])
        found.append((lesson, begin, after))
        position = after
        for move in lesson.reply:
            position = position.play(move)
    return found
