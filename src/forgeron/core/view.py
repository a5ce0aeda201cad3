"""A position as JSON-ready data: what a page needs to draw it and to take a move from a person (docs/web.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forgeron.core.position import Position

FORMAT = 1


def view_position(position: Position) -> dict[str, Any]:
    """The board, and the legal moves."""
    return {"moves": view_moves(position), **view_board(position)}


def view_board(position: Position) -> dict[str, Any]:
    """What every game has in common, and beside it what the game's own `view` says of its board; no moves."""
    game, turn, outcome = position.game, position.turn, position.outcome
    return {
        "format": FORMAT,
        "game": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "position": str(position),
        "turn": game.thrower(position.state) if turn == "chance" else turn,
        "chance": turn == "chance",
        "scores": list(position.scores),
        "outcome": outcome and {"winner": outcome.winner, "scores": list(outcome.scores), "reason": outcome.reason},
        "last": position.last_move,
        "drawing": position.draw(),
        **game.view(position.state),
    }


def view_moves(position: Position) -> list[dict[str, Any]]:
    """The legal moves in their order, each with what the game's `view_move` says of it."""
    game, state = position.game, position.state
    return [{"move": game.format_move(state, move), **game.view_move(state, move)} for move in position.moves]


def view_last_move(before: Position, after: Position) -> dict[str, Any] | None:
    """The move between two positions as the view of the first one tells it."""
    for move in before.moves:
        if before.game.format_move(before.state, move) == after.last_move:
            return {"move": after.last_move, **before.game.view_move(before.state, move)}
    return None
