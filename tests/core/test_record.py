"""Records replay exactly and say what is wrong with a bad file."""

from __future__ import annotations

from pathlib import Path

import pytest

import forgeron
from forgeron.core.errors import ForgeronError, IllegalMoveError
from forgeron.core.game import Game
from forgeron.core.record import Record


def played(game: Game, plies: int) -> tuple[str, ...]:
    position, moves = game.start(), []
    while position.turn is not None and len(moves) < plies:
        moves.append(position.legal_moves()[len(moves) % len(position.moves)])
        position = position.play(moves[-1])
    return tuple(moves)


def test_a_record_comes_back_from_its_file_and_replays(game: Game, tmp_path: Path) -> None:
    moves = played(game, 30)
    record = Record.of(game, game.start(), moves, players=("one", "two"), seed=5)
    record.save(tmp_path / "game.json")
    again = Record.load(tmp_path / "game.json")
    assert again == record
    assert again.positions(game)[-1].last_move == moves[-1]
    assert len(again.positions(game)) == len(moves) + 1


def test_a_finished_game_has_its_result_in_the_record() -> None:
    game = forgeron.game("yolah")
    record = Record.of(game, game.start(), played(game, 1000))
    last = record.positions(game)[-1]
    assert last.outcome is not None
    assert (record.winner, record.scores, record.reason) == (last.outcome.winner, last.scores, last.outcome.reason)


def test_an_illegal_move_in_a_record_is_named() -> None:
    game = forgeron.game("yolah")
    record = Record("yolah", {}, 1, str(game.start()), ("d5:b7", "d5:b7"))
    with pytest.raises(IllegalMoveError, match="no white piece stands on d5"):
        record.positions(game)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d5:b7 e5:f5", "this is not a game record"),
        ("[1, 2]", "needs at least 'game' and 'moves'"),
        ('{"game": "yolah", "moves": [], "format": 99}', "has format 99; this version reads format 1"),
        ('{"game": "yolah", "moves": [], "format": 1}', "incomplete"),
    ],
)
def test_a_file_that_is_no_record_is_told_why(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ForgeronError, match=message):
        Record.load(tmp_path / "bad.json")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ForgeronError, match=r"cannot read no-such\.json: No such file"):
        Record.load(Path("no-such.json"))
