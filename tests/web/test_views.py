"""What a view says of a move is what the move does: events are checked against the positions that the rules make."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest

import forgeron

GAMES = [
    forgeron.game("yolah"),
    forgeron.game("mancala"),
    forgeron.game("mancala", preset="course"),
    forgeron.game("yinsh", N=4, K=4),
    forgeron.game("yinsh", preset="official"),
    forgeron.game("yut"),
]


def steps(game: forgeron.Game, games: int = 3) -> Iterator[tuple[forgeron.Position, dict, forgeron.Position]]:
    """Positions of random games, with a legal move as the view tells it and the position after it."""
    for seed in range(games):
        rng = random.Random(seed)
        position = game.start()
        while position.turn is not None:
            move = rng.choice(position.view()["moves"])
            after = position.play(move["move"])
            yield position, move, after
            position = after


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_view_is_json_and_lists_the_legal_moves_in_their_order(game: forgeron.Game) -> None:
    for position, _, _ in steps(game, 1):
        view = position.view()
        assert json.loads(json.dumps(view)) == view
        assert [move["move"] for move in view["moves"]] == position.legal_moves()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_different_moves_have_different_parts_and_words(game: forgeron.Game) -> None:
    for position, _, _ in steps(game, 1):
        moves = position.view()["moves"]
        for key in ("parts", "text"):
            assert len({json.dumps(move[key]) for move in moves}) == len(moves)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_part_is_a_place_of_the_board_or_a_choice(game: forgeron.Game) -> None:
    for position, move, _ in steps(game, 1):
        view = position.view()
        if view["chance"]:
            continue
        known = places(view) | set(view["choices"])
        for part in move["parts"]:
            assert set(part if isinstance(part, list) else [part]) <= known


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_move_names_a_place_twice(game: forgeron.Game) -> None:
    """Whoever points at a place again takes it back."""
    for _, move, _ in steps(game):
        assert max(Counter(map(str, move["parts"])).values()) == 1


def test_a_back_do_without_a_piece_on_the_board_is_one_button() -> None:
    view = forgeron.game("yut").parse("0,0,0,0/0,0,0,0:r:-1").view()
    assert [move["parts"] for move in view["moves"]] == [["pass"]]
    assert view["choices"]["pass"] == "Back-do changes nothing"


def places(view: dict) -> set[str]:
    if view["board"] == "grid":
        return {f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)}
    if view["board"] == "circle":
        return {str(hole["hole"]) for hole in view["holes"]}
    if view["board"] == "hexagon":
        return {point["name"] for point in view["points"]}
    return {str(place[0]) for place in view["places"]} | {view["start"], view["finish"]}


@pytest.mark.parametrize("preset", ["report", "course"])
def test_the_seeds_of_a_move_fall_and_are_captured_as_the_view_says(preset: str) -> None:
    for before, move, after in steps(forgeron.game("mancala", preset=preset), 4):
        board = {
            str(hole["hole"]): Counter(R=hole["red"], B=hole["blue"], T=hole["transparent"])
            for hole in before.view()["holes"]
        }
        gained = 0
        for event in move["events"]:
            if event["do"] == "sow":
                board[event["from"]].subtract(event["seeds"])
                for hole, seed in zip(event["path"], event["seeds"], strict=True):
                    board[hole][seed] += 1
            else:
                gained += sum(board[hole].total() for hole in event["at"])
                board |= {hole: Counter() for hole in event["at"]}
        found = {
            str(hole["hole"]): Counter(R=hole["red"], B=hole["blue"], T=hole["transparent"])
            for hole in after.view()["holes"]
        }
        assert board == found
        assert gained == sum(after.scores) - sum(before.scores)


@pytest.mark.parametrize("game", [one for one in GAMES if one.name == "yinsh"], ids=str)
def test_rings_slide_and_markers_flip_as_the_view_says(game: forgeron.Game) -> None:
    flip = {"w": "b", "b": "w"}
    for before, move, after in steps(game):
        board = {point["name"]: point["content"] for point in before.view()["points"]}
        ring, marker = ("W", "w") if before.turn == 0 else ("B", "b")
        for event in move.get("events", []):
            if event["do"] == "drop":
                board[event["at"]] = ring
            elif event["do"] == "slide":
                board[event["path"][0]], board[event["path"][1]] = marker, ring
            elif event["do"] == "flip":
                board |= {name: flip[board[name]] for name in event["at"]}
            else:
                board |= dict.fromkeys(event["at"], ".")
        assert board == {point["name"]: point["content"] for point in after.view()["points"]}


def test_groups_go_and_are_caught_as_the_view_says() -> None:
    for before, move, after in steps(forgeron.game("yut")):
        view = before.view()
        if view["chance"]:
            continue
        seat = view["turn"]
        pieces = {(side, str(station)): n for side, station, n in view["groups"]}
        for side in (0, 1):
            pieces |= {(side, "0"): view["waiting"][side], (side, "30"): view["home"][side]}
        for event in move["events"]:
            if event["do"] == "slide":
                source, target = event["path"][0], event["path"][-1]
                n = 1 if source == "0" else pieces.pop((seat, source))
                if source == "0":
                    pieces[seat, "0"] -= 1
                pieces[seat, target] = pieces.get((seat, target), 0) + n
            else:
                (target,) = event["at"]
                pieces[1 - seat, "0"] += pieces.pop((1 - seat, target))
        view = after.view()
        found = {(side, str(station)): n for side, station, n in view["groups"]}
        for side in (0, 1):
            found |= {(side, "0"): view["waiting"][side], (side, "30"): view["home"][side]}
        assert pieces == found


def test_a_game_that_says_nothing_of_its_board_still_has_a_drawing_and_moves() -> None:
    class Bare(type(forgeron.game("yolah"))):  # type: ignore[misc]
        def view(self, state: object) -> dict:
            return {}

        def view_move(self, state: object, move: int) -> dict:
            return {}

    view = Bare().start().view()
    assert "board" not in view
    assert view["drawing"].startswith("    a  b")
    assert view["moves"][0] == {"move": "a1:b1"}
