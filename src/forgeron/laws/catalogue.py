"""All laws, in the order in which they are tried: what later ones build on comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from forgeron.core.contract import offers
from forgeron.core.game import Game
from forgeron.laws import notation, optional_functions, rules
from forgeron.laws.reached_positions import ReachedPosition
from forgeron.laws.rules import DistinctKeys

Check = Callable[[ReachedPosition], Any]


@dataclass(frozen=True)
class Law:
    """One law: a check that raises `BrokenLaw` in a position in which it is broken."""

    sentence: str
    begin: Callable[[], Check]
    """gives the check; one that compares positions begins with none"""
    every: int = 1
    """it is tried in every n-th position"""
    needs: str = ""
    """the optional function of a game that it is about"""

    def concerns(self, game: Game) -> bool:
        """Whether the game has what the law is about."""
        if self.needs == "symmetries":
            return type(game).symmetries is not Game.symmetries
        if self.needs in ("action_count", "lessons", "network_files"):
            return bool(getattr(game, self.needs))
        return not self.needs or offers(game.state_class, self.needs)


def _law(check: Check, every: int = 1, needs: str = "") -> Law:
    return Law((check.__doc__ or "").partition("\n")[0].rstrip("."), lambda: check, every, needs)


#: In plain Python, quick: they are tried before anything is compiled.
RULES = (
    _law(rules.attributes_make_sense, 100),
    _law(rules.the_next_player_is_known),
    _law(rules.each_move_is_listed_once),
    _law(rules.it_is_over_when_there_is_no_move),
    _law(rules.probabilities_add_up, needs="chance"),
    _law(rules.playing_gives_a_state),
    _law(rules.the_same_moves_lead_here, 7),
    _law(rules.the_score_is_an_integer),
    _law(rules.the_key_is_a_word),
    Law("Different positions have different keys", DistinctKeys),
)
TEXT = (
    _law(notation.the_outcome_agrees_with_the_score),
    _law(notation.boards_can_be_shown, 3),
    _law(notation.every_move_has_its_own_token, 5),
    _law(notation.every_position_has_a_token, 2),
    _law(notation.what_is_no_move_is_refused, 50),
    _law(notation.what_is_no_position_is_refused),
    _law(notation.an_illegal_move_is_quoted, 10),
    _law(notation.nothing_can_be_played_at_the_end, 1),
    _law(notation.the_example_can_be_played, 100, "lessons"),
)
OFFERS = (
    _law(optional_functions.the_fast_count_is_right, needs="count"),
    _law(optional_functions.the_fast_random_move_is_uniform, 20, "random_move"),
    _law(optional_functions.the_evaluation_is_finite, 2, "evaluate"),
    _law(optional_functions.actions_tell_moves_apart, 2, "action_count"),
    _law(optional_functions.observations_have_the_same_shape, 5, "planes"),
    _law(optional_functions.symmetries_keep_the_rules, 5, "symmetries"),
    _law(optional_functions.solved_endings_are_right, needs="solve"),
)
#: Of what only networks see: a game that breaks these can be played all the same.
INPUTS = (
    _law(optional_functions.planes_tell_positions_apart, 5, "planes"),
    _law(optional_functions.features_are_within_their_ranges, 5, "planes"),
    _law(optional_functions.the_networks_fit, 1000, "network_files"),
)
PLAIN = (*RULES, *TEXT, *OFFERS, *INPUTS)
#: What is tried before a game that does not come with the package is played: no search for solved endings.
QUICK = (*RULES, *TEXT, *OFFERS[:-1])


def compiled_laws() -> tuple[Law, ...]:
    """The laws about compiled code; only they need the kernels."""
    from forgeron.laws import compiled_code

    return (
        _law(compiled_code.compiled_code_agrees),
        _law(compiled_code.random_games_end),
        _law(compiled_code.random_games_agree),
        _law(compiled_code.threads_make_no_difference),
        _law(compiled_code.perft_counts_what_playing_counts, 25),
    )
