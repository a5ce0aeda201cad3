"""The laws that every game keeps, whoever wrote it: `forgeron.laws`, run on every game that is registered."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from forgeron.core import contract
from forgeron.core.errors import IllegalMoveError
from forgeron.core.game import Game
from forgeron.laws import compiled_code, notation, optional_functions, rules
from forgeron.laws.reached_positions import ReachedPosition, walk
from forgeron.laws.reached_positions import walks as random_walks

GAMES_A_LAW = 12


@cache
def walks(game: Game) -> list[ReachedPosition]:
    """The positions of random games."""
    return list(random_walks(game, GAMES_A_LAW))


def sample(game: Game, size: int = 60) -> list[ReachedPosition]:
    """Positions from all stages of random games."""
    return random.Random(5).sample(walks(game), size)


def test_the_attributes_of_the_class_make_sense(game: Game) -> None:
    rules.attributes_make_sense(walks(game)[0])


def test_each_move_is_listed_once_and_in_the_same_order_every_time(game: Game) -> None:
    for visit in walks(game):
        rules.each_move_is_listed_once(visit)
        notation.equal_positions_are_equal(visit)


def test_a_game_is_over_exactly_when_there_is_no_move(game: Game) -> None:
    for visit in walks(game):
        rules.it_is_over_when_there_is_no_move(visit)


def test_the_outcome_agrees_with_the_score(game: Game) -> None:
    for visit in walks(game):
        rules.the_score_is_an_integer(visit)
        notation.the_outcome_agrees_with_the_score(visit)


def test_every_move_has_its_own_token_that_reads_back(game: Game) -> None:
    for visit in sample(game):
        notation.every_move_has_its_own_token(visit)


def test_every_position_has_a_token_that_reads_back(game: Game) -> None:
    for visit in walks(game):
        notation.every_position_has_a_token(visit)


def test_playing_a_move_leaves_the_old_position_as_it_was(game: Game) -> None:
    for visit in sample(game):
        rules.playing_gives_a_state(visit)
        rules.the_same_moves_lead_here(visit)


def test_different_positions_have_different_keys(game: Game) -> None:
    keys = rules.DistinctKeys()
    for visit in walks(game):
        rules.the_key_is_a_word(visit)
        keys(visit)


def test_the_next_player_is_0_or_1_or_chance(game: Game) -> None:
    for visit in walks(game):
        rules.the_next_player_is_known(visit)


def test_probabilities_of_a_throw_add_up_to_one(game: Game) -> None:
    for visit in walks(game):
        rules.probabilities_add_up(visit)
        if visit.position.turn == "chance":
            assert sum(visit.position.chances()) == pytest.approx(1, abs=1e-12)
            assert len(visit.position.chances()) == len(visit.position.moves)


def test_plain_python_and_compiled_code_agree(game: Game) -> None:
    for visit in sample(game, 40):
        compiled_code.compiled_code_agrees(visit)


def test_whole_random_games_agree_compiled_and_in_plain_python(game: Game) -> None:
    compiled_code.random_games_agree(walks(game)[0])


def test_random_games_are_the_same_on_any_number_of_threads(game: Game) -> None:
    compiled_code.threads_make_no_difference(walks(game)[0])


def test_every_random_game_ends(game: Game) -> None:
    compiled_code.random_games_end(walks(game)[0])


def test_the_fast_random_move_is_legal_and_uniform(game: Game) -> None:
    if not contract.offers(game.state_class, "random_move"):
        pytest.skip("this game picks from its list of moves")
    for visit in sample(game, 25):
        optional_functions.the_fast_random_move_is_uniform(visit)


def test_the_fast_count_is_the_number_of_moves(game: Game) -> None:
    if not contract.offers(game.state_class, "count"):
        pytest.skip("this game counts its list of moves")
    for visit in walks(game):
        optional_functions.the_fast_count_is_right(visit)


def test_perft_counts_what_playing_move_by_move_counts(game: Game) -> None:
    for visit in sample(game, 6):
        compiled_code.perft_counts_what_playing_counts(visit)


def test_symmetries_keep_the_rules(game: Game) -> None:
    for visit in sample(game, 15):
        optional_functions.symmetries_keep_the_rules(visit)


def test_solved_endings_are_right(game: Game) -> None:
    if not contract.offers(game.state_class, "solve"):
        pytest.skip("this game solves nothing")
    for visit in sample(game, 40):
        optional_functions.solved_endings_are_right(visit)


def test_a_text_that_is_no_move_is_a_notation_error(game: Game) -> None:
    notation.what_is_no_move_is_refused(walks(game)[0])


def test_a_number_that_is_no_move_is_refused(game: Game) -> None:
    start = game.start()
    with pytest.raises(IllegalMoveError, match="illegal move"):
        start.push(max(start.moves) + 1_000_000)


def test_an_illegal_move_quotes_the_move_and_the_position(game: Game) -> None:
    assert sum(notation.an_illegal_move_is_quoted(visit) for visit in walk(game, 1)) > 0


def test_nothing_can_be_played_when_the_game_is_over(game: Game) -> None:
    *_, last = walk(game, 2)
    assert last.turn == contract.OVER
    notation.nothing_can_be_played_at_the_end(last)


def test_a_text_that_is_no_position_is_a_notation_error(game: Game) -> None:
    notation.what_is_no_position_is_refused(walks(game)[0])


def test_drawings_have_lines_of_text_and_views_are_json(game: Game) -> None:
    for visit in sample(game, 20):
        notation.boards_can_be_shown(visit)


def test_the_example_can_be_played(game: Game) -> None:
    notation.the_example_can_be_played(walks(game)[0])


def test_the_evaluation_is_finite(game: Game) -> None:
    for visit in sample(game):
        optional_functions.the_evaluation_is_finite(visit)


def test_legal_moves_have_different_actions(game: Game) -> None:
    for visit in sample(game):
        optional_functions.actions_tell_moves_apart(visit)
        position = visit.position
        assert position.action_mask().sum() == (0 if position.turn == "chance" else len(position.moves))
        if position.turn in (0, 1):
            assert position.act(position.actions[-1]) == position.push(position.moves[-1])


def test_observations_have_the_same_shape_everywhere(game: Game) -> None:
    for visit in sample(game):
        optional_functions.observations_have_the_same_shape(visit)


def test_planes_tell_apart_what_different_moves_lead_to(game: Game) -> None:
    if contract.offers(game.state_class, "planes"):
        for visit in sample(game):
            optional_functions.planes_tell_positions_apart(visit)


def test_features_are_within_their_ranges(game: Game) -> None:
    for visit in sample(game):
        optional_functions.features_are_within_their_ranges(visit)


def test_a_position_is_an_array_of_integers_without_loss(game: Game) -> None:
    for visit in sample(game, 20):
        words = np.asarray(visit.position)
        assert words.dtype in (np.uint64, np.int64)
        assert np.asarray(visit.position.state).tobytes() == words.tobytes()
        assert game.from_array(words) == visit.position
