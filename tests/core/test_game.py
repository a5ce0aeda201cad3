"""Options, errors and what a game must bring."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import numpy as np
import pytest

import forgeron
from forgeron.core.contract import fixed, rules_for
from forgeron.core.errors import (
    ContractError,
    ForgeronError,
    GameOverError,
    IllegalMoveError,
    OptionError,
    UnknownNameError,
    error_context,
)
from forgeron.core.game import Game, Option
from forgeron.games.yolah.rules import START


class Toy(forgeron.game("yolah").__class__):  # type: ignore[misc]
    """Yolah with options it does not use."""

    name = "toy"
    options = {
        "size": Option(5, range(3, 7), "how large"),
        "style": Option("end", ("end", "free"), "which way"),
        "strict": Option(False, (False, True), "how strict"),
    }
    presets = {"large": {"size": 6, "style": "free"}}


def test_options_have_defaults_presets_and_explicit_values_in_that_order() -> None:
    assert Toy().chosen == {"size": 5, "style": "end", "strict": False}
    assert Toy(preset="large").chosen == {"size": 6, "style": "free", "strict": False}
    assert Toy(preset="large", size=3).chosen == {"size": 3, "style": "free", "strict": False}
    assert str(Toy(preset="large")) == "toy[size=6,style=free]"


def test_options_from_the_command_line_are_read_from_text() -> None:
    assert Toy(size="4", style="FREE", strict="true").chosen == {"size": 4, "style": "free", "strict": True}


def test_games_are_equal_when_name_and_options_are() -> None:
    assert Toy(size=6) == Toy(size="6") != Toy()
    assert hash(Toy(size=6)) == hash(Toy(size="6"))
    assert Toy() != forgeron.game("yolah")


def test_unknown_options_and_presets_are_refused_with_the_valid_list() -> None:
    with pytest.raises(
        UnknownNameError, match="no option of toy 'siz'; did you mean 'size'\\? valid: size, strict, style"
    ):
        Toy(siz=3)
    with pytest.raises(UnknownNameError, match="no preset of toy 'tiny'; valid: large"):
        Toy(preset="tiny")
    with pytest.raises(UnknownNameError, match="no option of yolah 'N'; valid: \\(none\\)"):
        forgeron.game("yolah", N=3)


def test_a_value_out_of_range_is_refused_with_the_range() -> None:
    with pytest.raises(OptionError, match="option size cannot be 9; it is one of 3 … 6"):
        Toy(size=9)
    with pytest.raises(OptionError, match="option strict cannot be 1; it is one of False, True"):
        Toy(strict=1)


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="no game 'yola'; did you mean 'yolah'\\?"):
        forgeron.game("yola")


def test_a_state_must_be_made_of_machine_integers() -> None:
    class Loose(NamedTuple):
        board: list[int]

    with pytest.raises(ContractError, match="Loose must be a NamedTuple whose fields"):
        rules_for(Loose)


class Small(NamedTuple):
    word: np.uint64


def test_a_rule_must_be_one_of_the_contract_with_its_parameters() -> None:
    rule = rules_for(Small)
    with pytest.raises(ContractError, match="'legal' is not part of the contract; its functions are turn, moves"):

        @rule
        def legal(state):  # type: ignore[no-untyped-def]
            return 0

    with pytest.raises(ContractError, match=r"turn must take \(state\), not \(position\)"):

        @rule
        def turn(position):  # type: ignore[no-untyped-def]
            return 0


def test_a_game_that_lacks_rules_is_told_which() -> None:
    with pytest.raises(ContractError, match="game 'half' has no rule for: turn, moves, play, score, key"):

        class Half(Game):
            name = "half"
            title = "Half a game"
            state_class = Small
            max_moves = 8


def test_integers_from_compiled_code_get_their_types_back() -> None:
    loose = type(START)(*(int(value) for value in START))
    assert [type(value) for value in fixed(loose)] == [np.uint64, np.uint64, np.uint64, np.int64, np.int64]
    assert fixed(loose) == START


def test_a_tree_cannot_be_counted_to_less_than_one_ply() -> None:
    game = forgeron.game("yolah")
    for count in (game.perft, game.count, game.divide):
        with pytest.raises(OptionError, match="a depth is a number of plies, 1 or more, not -1"):
            count(game.start(), -1)
    with pytest.raises(OptionError, match="not 0"):
        game.divide(game.start(), 0)


def test_a_game_with_more_moves_than_it_says_is_told_so() -> None:
    class Cramped(forgeron.game("yolah").__class__):  # type: ignore[misc]
        name = "cramped"
        max_moves = 50

    with pytest.raises(ContractError, match="a position of cramped has 56 moves; its max_moves says 50"):
        Cramped().start()


def test_options_that_come_as_data_are_options_whatever_they_are_called() -> None:
    for name in ("preset", "self", "options", "cls", "name"):
        with pytest.raises(UnknownNameError, match=f"there is no option of toy '{name}'; "):
            Toy.with_options({name: "large"})
    assert Toy.with_options({"size": "6"}, preset="large").chosen == {"size": 6, "style": "free", "strict": False}


def test_a_game_cannot_declare_an_option_that_nobody_could_give() -> None:
    with pytest.raises(ContractError, match="game 'odd' cannot have an option 'preset'"):
        type("Odd", (Toy,), {"name": "odd", "options": {"preset": Option("a", ("a", "b"), "")}})


@pytest.mark.parametrize(
    ("preset", "message"),
    [
        ({"size": 9}, "game 'odd': preset 'huge' must be allowed: option size cannot be 9"),
        ({"siez": 5}, "game 'odd': preset 'huge' must be allowed: there is no option of game 'odd' 'siez'"),
    ],
)
def test_a_preset_that_nobody_could_choose_is_refused_with_the_game(preset: dict[str, int], message: str) -> None:
    with pytest.raises(ContractError, match=message):
        type("Odd", (Toy,), {"name": "odd", "presets": {"huge": preset}})


def test_numbers_and_words_for_yes_are_read_from_text() -> None:
    grace, strict = Option(2.0, (), "seconds"), Option(False, (False, True), "how strict")
    assert (grace.read("grace", "0.5"), grace.read("grace", 3), strict.read("strict", "yes")) == (0.5, 3.0, True)
    for wrong in ("soon", "-1", "nan", "inf", True, None, [1]):
        with pytest.raises(OptionError, match=r"option grace cannot be .*; it is a number from 0"):
            grace.read("grace", wrong)
    with pytest.raises(OptionError, match="option strict cannot be 'perhaps'"):
        strict.read("strict", "perhaps")


@pytest.mark.parametrize(
    "error", [IllegalMoveError("d5", "start", "no"), GameOverError("d5", "end", "over"), OptionError("wrong")]
)
def test_an_error_keeps_its_kind_text_and_context_on_its_way_from_a_worker(error: ForgeronError) -> None:
    with pytest.raises(type(error)) as caught, error_context("entrant 'x'"):
        raise error
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert str(again).startswith("entrant 'x': ")
