"""The binary game records of the author of Yolah: one game after the other, nothing in between.

A game is, one byte each: the number of its moves, how many of them (the first ones) were drawn at random, then for each
move the square it leaves and the square it goes to (a1 is 0, b1 is 1, h8 is 63; a pass is 0 0), and the points of black
and of white at the end.
"""

from __future__ import annotations

from collections.abc import Iterator

from forgeron import ForgeronError, Game, ImportedGame
from forgeron.games.yolah.text import format_move


def read_records(game: Game, data: bytes) -> Iterator[ImportedGame]:
    """The games of a file; the first one that cannot have been played is refused with its place."""
    at = number = 0
    while at < len(data):
        number += 1
        where = f"game {number} at byte {at}"
        length = 2 + 2 * data[at] + 2
        if at + length > len(data):
            raise ForgeronError(f"{where} is cut off: {length} bytes are needed, {len(data) - at} are left")
        yield _read_game(game, data[at : at + length], where)
        at += length


def _read_game(game: Game, record: bytes, where: str) -> ImportedGame:
    count, random_plies, squares, points = record[0], record[1], record[2:-2], (record[-2], record[-1])
    if random_plies > count:
        raise ForgeronError(f"{where} has {random_plies} random moves, but only {count} moves")
    position = game.start()
    moves: list[int] = []
    for source, target in zip(squares[::2], squares[1::2], strict=True):
        move = source | target << 6
        if source > 63 or target > 63 or move not in position.moves:
            said = format_move(move) if source < 64 and target < 64 else f"{source} {target}"
            raise ForgeronError(f"{where}: move {len(moves) + 1}, {said}, is not legal in {position}")
        moves.append(move)
        position = position.push(move)
    if position.scores != points:
        raise ForgeronError(f"{where} says {points[0]} – {points[1]}, its moves make {position.scores}")
    lead = points[0] - points[1]
    return ImportedGame(tuple(moves), random_plies, (lead > 0) - (lead < 0))
