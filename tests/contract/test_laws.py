"""The laws that every game keeps, whoever wrote it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from forgeron.core import contract
from forgeron.core.doors import make_move, survey
from forgeron.core.errors import GameOverError, IllegalMoveError, NotationError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.core.rng import word
from forgeron.kernels.playout import play_many, random_games

GAMES_A_LAW = 12


def walk(game: Game, seed: int) -> Iterator[Position]:
    """The positions of one random game, the last one included."""
    rng = random.Random(seed)
    position = game.start()
    yield position
    while position.turn is not None:
        position = position.push(rng.choice(position.moves))
        yield position


def walks(game: Game) -> Iterator[Position]:
    for seed in range(GAMES_A_LAW):
        yield from walk(game, seed)


def sample(game: Game, size: int = 60) -> list[Position]:
    """Positions from all stages of random games."""
    return random.Random(5).sample(list(walks(game)), size)


def plain_moves(game: Game, state: object) -> list[int]:
    out = np.zeros(game.max_moves, dtype=np.int64)
    return [int(move) for move in out[: contract.moves(state, out)]]


def test_each_move_is_listed_once_and_in_the_same_order_every_time(game: Game) -> None:
    for position in walks(game):
        again = Position(game, position.state)
        assert again.moves == position.moves
        assert len(set(position.moves)) == len(position.moves) <= game.max_moves
        assert all(0 <= move < 2**24 for move in position.moves)


def test_a_game_is_over_exactly_when_there_is_no_move(game: Game) -> None:
    for position in walks(game):
        assert (position.turn is None) == (not position.moves) == (position.outcome is not None)


def test_the_outcome_agrees_with_the_score(game: Game) -> None:
    for seed in range(GAMES_A_LAW):
        *_, last = walk(game, seed)
        assert last.outcome is not None
        assert last.outcome.winner == (None if last.score == 0 else 0 if last.score > 0 else 1)
        assert last.outcome.reason


def test_every_move_has_its_own_token_that_reads_back(game: Game) -> None:
    for position in sample(game):
        tokens = position.legal_moves()
        assert len(set(tokens)) == len(tokens)
        for token, move in zip(tokens, position.moves, strict=True):
            assert token
            assert not any(character.isspace() for character in token)
            assert position.play(token) == position.push(move)


def test_every_position_has_a_token_that_reads_back(game: Game) -> None:
    for position in walks(game):
        text = str(position)
        assert not any(character.isspace() for character in text)
        again = game.parse(text)
        assert again == position
        assert again.key == position.key
        assert hash(again) == hash(position)


def test_playing_a_move_leaves_the_old_position_as_it_was(game: Game) -> None:
    for position in sample(game):
        before = tuple(position.state)
        for move in position.moves:
            position.push(move)
        assert tuple(position.state) == before


def test_different_positions_have_different_keys(game: Game) -> None:
    keys: dict[int, object] = {}
    for position in walks(game):
        assert keys.setdefault(position.key, position.state) == position.state


def test_the_next_player_is_0_or_1_or_chance(game: Game) -> None:
    for position in walks(game):
        assert position.turn in (0, 1, "chance", None)


def test_probabilities_of_a_throw_add_up_to_one(game: Game) -> None:
    for position in walks(game):
        if position.turn == "chance":
            chances = position.chances()
            assert len(chances) == len(position.moves)
            assert position.moves == tuple(range(len(chances)))
            assert min(chances) > 0
            assert sum(chances) == pytest.approx(1, abs=1e-12)
            assert game.thrower(position.state) in (0, 1)


def test_plain_python_and_compiled_code_agree(game: Game) -> None:
    with np.errstate(over="ignore"):
        for position in sample(game, 40):
            state = position.state
            out, scratch = np.zeros((2, game.max_moves), dtype=np.int64)
            who, n, score = survey(state, out)
            assert int(contract.turn(state)) == int(who)
            assert plain_moves(game, state) == out[:n].tolist()
            assert int(contract.key(state)) == position.key
            for move in out[:n]:
                played = contract.play(state, np.int64(move))
                assert tuple(map(int, played)) == tuple(map(int, make_move(state, np.int64(move), scratch)[0]))
            if position.turn is None:
                assert int(contract.score(state)) == int(score)


def test_whole_random_games_agree_compiled_and_in_plain_python(game: Game) -> None:
    plain = getattr(random_games, "py_func", random_games)
    start = game.start().state
    scratch = np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.max_moves)
    with np.errstate(over="ignore"):
        expected = plain(start, np.uint64(11), 0, 3, *scratch)
    assert tuple(map(int, random_games(start, np.uint64(11), 0, 3, *scratch))) == tuple(map(int, expected))


def test_random_games_are_the_same_on_any_number_of_threads(game: Game) -> None:
    one, three = (play_many(game.start(), seed=3, games=50, threads=threads) for threads in (1, 3))
    assert one == three
    assert one.games == 50


def test_the_fast_random_move_is_legal_and_uniform(game: Game) -> None:
    if not contract.offers(game.state_class, "random_move"):
        pytest.skip("this game picks from its list of moves")
    draws = 400
    with np.errstate(over="ignore"):
        for position in sample(game, 25):
            if position.turn not in (0, 1):
                continue
            counts = Counter(
                int(contract.random_move(position.state, word(np.uint64(position.key), i))) for i in range(draws)
            )
            assert set(counts) <= set(position.moves)
            expected = draws / len(position.moves)
            statistic = sum((counts[move] - expected) ** 2 / expected for move in position.moves)
            # mean n - 1, variance 2 (n - 1): seven standard deviations never happen by accident
            freedom = len(position.moves) - 1
            assert statistic <= freedom + 7 * (2 * freedom) ** 0.5


def test_the_fast_count_is_the_number_of_moves(game: Game) -> None:
    if not contract.offers(game.state_class, "count"):
        pytest.skip("this game counts its list of moves")
    for position in walks(game):
        assert int(contract.count(position.state)) == len(position.moves)


def test_perft_counts_what_playing_move_by_move_counts(game: Game) -> None:
    def count(position: Position, depth: int) -> int:
        return 1 if depth == 0 else sum(count(position.push(move), depth - 1) for move in position.moves)

    for position in sample(game, 6):
        depth = 2 if len(position.moves) > 20 else 3
        assert game.perft(position, depth) == count(position, depth) == game.count(position, depth).leaves
        assert sum(game.divide(position, depth).values()) == game.perft(position, depth)


def test_symmetries_keep_the_rules(game: Game) -> None:
    for symmetry in game.symmetries():
        for position in sample(game, 15):
            image = Position(game, symmetry.state(position.state))
            assert image.turn == position.turn
            assert image.scores == position.scores
            assert {symmetry.move(move) for move in position.moves} == set(image.moves)
            for move in position.moves[:8]:
                there = symmetry.state(position.push(move).state)
                assert Position(game, there) == image.push(symmetry.move(move))


def test_a_text_that_is_no_move_is_a_notation_error(game: Game) -> None:
    for nonsense in ("", "hello world", "!", "\N{PILE OF POO}"):
        with pytest.raises(NotationError) as caught:
            game.start().play(nonsense)
        assert "\n" not in str(caught.value)


def test_a_number_that_is_no_move_is_refused(game: Game) -> None:
    start = game.start()
    with pytest.raises(IllegalMoveError, match="illegal move"):
        start.push(max(start.moves) + 1_000_000)


def test_an_illegal_move_quotes_the_move_and_the_position(game: Game) -> None:
    refused = 0
    for before, position in pairwise(walk(game, 1)):
        if position.last_move in position.legal_moves() or before.turn == "chance" or position.turn not in (0, 1):
            continue
        assert position.last_move is not None
        with pytest.raises(IllegalMoveError) as caught:
            position.play(position.last_move)
        assert caught.value.move == position.last_move
        assert caught.value.position == str(position)
        assert f"'{position.last_move}'" in str(caught.value)
        refused += 1
    assert refused > 0


def test_nothing_can_be_played_when_the_game_is_over(game: Game) -> None:
    *_, last = walk(game, 2)
    assert last.last_move is not None
    with pytest.raises(GameOverError, match="the game is over"):
        last.play(last.last_move)


def test_a_text_that_is_no_position_is_a_notation_error(game: Game) -> None:
    for nonsense in ("", "nonsense", "1/2/3", ":" * 9):
        with pytest.raises(NotationError):
            game.parse(nonsense)


def test_drawings_have_lines_of_text_and_views_are_json(game: Game) -> None:
    import json

    for position in sample(game, 20):
        assert position.draw().strip()
        assert json.loads(json.dumps(position.view())) == position.view()


def test_the_evaluation_is_finite(game: Game) -> None:
    weights = game.weights()
    for position in sample(game):
        if position.turn is not None:
            assert np.isfinite(contract.evaluate(position.state, weights))
