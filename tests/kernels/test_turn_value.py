"""The value of a turn and exact values: against sums made by hand, and values known from elsewhere."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import UNRANKED, rank, turn_rank, unrank
from forgeron.core.position import Position
from forgeron.core.table_file import TableFile, read_table, table_header, write_table
from forgeron.kernels.turn_value import TurnMemory, turn_value
from forgeron.kernels.value_iteration import MOST_PLIES, UNSEEN, value_in_turn
from forgeron.learning.exact_values import TableSolver, entries_before

YUT = {pieces: forgeron.game("yut", pieces=pieces) for pieces in (1, 2, 4)}


def owner(position: Position) -> int:
    return position.game.thrower(position.state) if position.turn == "chance" else int(position.turn or 0)


def by_hand(position: Position, player: int, throws: int, table: np.ndarray) -> float:
    """The value for `player`, who is on turn, with nothing remembered."""
    values, odds = [], []
    chances = position.chances() if position.turn == "chance" else [1.0] * len(position.moves)
    for move, probability in zip(position.moves, chances, strict=True):
        child = position.push(move)
        if child.turn is None:
            value = float((child.score > 0) == (player == 0))
        elif owner(child) != player:
            value = 1.0 - float(table[int(rank(child.state))])
        elif position.turn == "chance" and child.turn == "chance" and throws <= 1:
            continue
        else:
            value = by_hand(child, player, max(throws - 1, 1) if position.turn == "chance" else throws, table)
        values.append(value)
        odds.append(probability)
    return float(np.average(values, weights=odds)) if position.turn == "chance" else max(values)


@pytest.mark.parametrize("throws", [1, 3])
def test_a_turn_is_worth_what_adding_up_by_hand_says(throws: int) -> None:
    game = YUT[2]
    table = np.random.default_rng(1).random(game.table_levels()[-1].entries).astype(np.float32)
    memory = TurnMemory(game.max_moves)
    for stamp, text in enumerate(
        ("0,0/0,0:r:t", "3,30/1,4:b:t", "5,5/2,9:r:4,t", "15,22/0,12:b:2,3", "29,0/27,28:r:-1")
    ):
        position = game.parse(text)
        player = owner(position)
        expected = by_hand(position, player, throws, table)
        numbers = np.int64(player), np.int64(throws), np.int64(0), np.int64(stamp + 1)
        found = float(turn_value(position.state, *numbers, *memory.arrays, table, game.weights()))
        assert found == pytest.approx(expected, abs=1e-6), text


def whole_turn_by_hand(position: Position, player: int, hands: int, table: np.ndarray) -> float:
    """The value for `player`, who is on turn, where results are left out that would make too large a hand."""
    values, odds = [], []
    chances = position.chances() if position.turn == "chance" else [1.0] * len(position.moves)
    for move, probability in zip(position.moves, chances, strict=True):
        child = position.push(move)
        if child.turn is None:
            value = float((child.score > 0) == (player == 0))
        elif owner(child) != player:
            value = 1.0 - float(table[int(rank(child.state))])
        elif int(turn_rank(child.state)[1]) >= hands:
            continue
        else:
            value = whole_turn_by_hand(child, player, hands, table)
        values.append(value)
        odds.append(probability)
    return float(np.average(values, weights=odds)) if position.turn == "chance" else max(values)


@pytest.mark.parametrize("hands", [6, 18])
def test_what_turns_have_in_common_is_computed_once_and_right(hands: int) -> None:
    game = YUT[2]
    entries = game.table_levels()[-1].entries
    table = np.random.default_rng(1).random(entries).astype(np.float32)
    memo = np.full(entries * hands, UNSEEN)
    room = np.zeros((MOST_PLIES, game.max_moves), dtype=np.int64), np.zeros((MOST_PLIES, game.max_moves))
    for text in ("0,0/0,0:r:t", "3,30/1,4:b:t", "3,0/1,4:b:t", "29,0/27,28:r:-1", "4,6/0,5:r:1", "15,22/0,12:b:2"):
        position = game.parse(text)
        player = owner(position)
        index, hand = (int(number) for number in turn_rank(position.state))
        place = np.int64(index * hands + hand)
        numbers = np.int64(player), place, np.int64(hands), np.int64(0)
        found = float(value_in_turn(position.state, *numbers, memo, *room, table))
        assert found == pytest.approx(whole_turn_by_hand(position, player, hands, table), abs=1e-6), text
        assert memo[place] == np.float32(found)


def test_hands_are_numbered_without_gaps_and_the_turn_start_is_the_first() -> None:
    """Everything that throws can leave in hand with at most two yuts and mos, and the same board."""
    game = YUT[2]
    boards, numbers = set(), []
    for extra in ("", "4", "5", "4,4", "4,5", "5,5"):
        for other in ("t", "", "1", "2", "3", "-1"):
            written = ",".join(part for part in (extra, other) if part)
            if written:
                index, hand = turn_rank(game.parse(f"3,8/0,5:r:{written}").state)
                boards.add(int(index))
                numbers.append(int(hand))
    assert boards == {int(rank(game.parse("3,8/0,5:r:t").state))}
    nothing = 1  # to move with empty hands: there is no such position
    assert sorted(numbers) == [n for n in range(36) if n != nothing]
    assert numbers[0] == 0


def test_ranks_number_all_turn_starts_and_nothing_else() -> None:
    """With one piece each 871 of 900 indices have a position: 29 would put both on the same station."""
    game = YUT[1]
    start = game.start().state
    entries = game.table_levels()[-1].entries
    assert entries == 900
    there = [i for i in range(entries) if int(unrank(start, np.int64(i)).info) & 3 == 2]
    assert len(there) == 871
    assert [int(rank(unrank(start, np.int64(i)))) for i in there] == there
    assert int(rank(game.parse("0/0:r:2").state)) == UNRANKED
    assert int(rank(game.parse("0/0:r:4,t").state)) == UNRANKED


def test_pieces_at_home_do_not_matter_for_a_rank_and_the_player_on_turn_comes_first() -> None:
    one, four = YUT[1], YUT[4]
    for mine, theirs in itertools.product((0, 3, 28), (1, 15)):
        small = int(rank(one.parse(f"{mine}/{theirs}:r:t").state))
        large = four.parse(f"30,30,30,{theirs}/30,30,30,{mine}:b:t")
        assert int(rank(large.state)) == small


def test_levels_are_closed_under_turns() -> None:
    """No game of four pieces leads from a level to a higher one."""
    game, rng = YUT[4], random.Random(3)
    ends = [level.entries for level in game.table_levels()]
    for _ in range(20):
        position, lowest = game.start(), len(ends)
        while position.turn is not None:
            index = int(rank(position.state))
            if index != UNRANKED:
                level = next(i for i, end in enumerate(ends) if index < end)
                assert level <= lowest
                lowest = level
            position = position.push(rng.choice(position.moves))


def test_with_one_piece_each_who_begins_wins_4931_of_10000_games() -> None:
    """0.4931 is known from elsewhere; every value is the value of its turn, and a certain win is certain."""
    game = YUT[1]
    solver = TableSolver(game, game.table_levels()[-1])
    progress = list(solver.run())
    assert solver.first_value() == pytest.approx(0.4931, abs=5e-5)
    assert progress[-1].positions == 871
    assert progress[-1].change < 2e-6
    position = game.parse("0/29:b:t")  # any forward result wins; back-do, 0.0384, leaves blue on 28 or 24
    assert 0.9616 < solver.table[int(rank(position.state))] < 1.0


def test_a_solver_takes_over_the_levels_it_is_given() -> None:
    game = YUT[1]
    level = game.table_levels()[-1]
    first = TableSolver(game, level)
    list(first.run())
    again = TableSolver(game, level)
    assert list(again.run(first.file(level, np.zeros(0, np.uint16)).entries)) == []
    assert again.first_value() == pytest.approx(first.first_value(), abs=1e-5)


def test_a_table_that_is_computed_again_does_not_cut_a_longer_one_short(tmp_path: Path) -> None:
    game, path = YUT[1], tmp_path / "yut.table"
    level = game.table_levels()[-1]
    solver = TableSolver(game, level)
    entries = np.arange(2000, dtype=np.uint16)
    write_table(path, TableFile(table_header(game, "long"), entries))
    write_table(path, solver.file(level, entries_before(path, game, fresh=True)))
    kept = read_table(path, game).entries
    assert (kept[:900] == 32_768).all()
    assert (kept[900:] == entries[900:]).all()
    assert len(solver.file(level, entries[:500]).entries) == 900
