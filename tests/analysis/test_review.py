"""A game judged move by move: against results that are known exactly."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import forgeron
from conftest import EXAMPLES, ROOT
from forgeron.analysis.evaluation_graph import check_graph, draw_graph, save_graph
from forgeron.analysis.review import GameReview, ReviewedMove, analyst_name, open_analyst, review_game
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.players.base import Choice, Limit, Player, Search

RACE = ROOT / "tests" / "cli" / "dice_race.py"


def played(game: Game, moves: str) -> list[Position]:
    positions = [game.start()]
    for move in moves.split():
        positions.append(positions[-1].play(move))
    return positions


@pytest.fixture(scope="module")
def thrown_away() -> GameReview:
    """Yellow could win with 4, plays 7 instead, and red wins at once."""
    game = forgeron.game(str(EXAMPLES[0]))
    return review_game(played(game, "4 1 4 1 4 1 7 1"), open_analyst(game), Limit(depth=6))


def test_a_win_thrown_away_is_a_blunder_and_the_better_move_is_named(thrown_away: GameReview) -> None:
    blunder = thrown_away.moves[6]
    assert (blunder.ply, blunder.seat, blunder.move) == (7, 0, "7")
    assert (blunder.before, blunder.after, blunder.loss, blunder.mark) == (1.0, 0.0, 1.0, "??")
    assert blunder.best[0] == "4"


def test_the_winning_answer_loses_nothing(thrown_away: GameReview) -> None:
    answer = thrown_away.moves[7]
    assert (answer.seat, answer.before, answer.after, answer.mark) == (1, 1.0, 1.0, "")


def test_the_course_is_the_first_player_s_and_ends_with_the_result(thrown_away: GameReview) -> None:
    assert len(thrown_away.course) == 9
    assert thrown_away.course[6:] == (1.0, 0.0, 0.0)
    for one in thrown_away.moves:
        mine = thrown_away.course[one.ply - 1]
        assert one.before == pytest.approx(mine if one.seat == 0 else 1 - mine)


def test_each_side_is_summed_up(thrown_away: GameReview) -> None:
    yellow = thrown_away.side(0)
    assert yellow.moves == 4
    assert yellow.marks["??"] >= 1
    assert yellow.average_loss == pytest.approx(sum(m.loss for m in thrown_away.moves if m.seat == 0) / 4)


@pytest.mark.parametrize(("loss", "mark"), [(0.0, ""), (0.04, ""), (0.06, "?!"), (0.11, "?"), (0.21, "??"), (-0.3, "")])
def test_marks_go_by_what_was_given_away(loss: float, mark: str) -> None:
    assert ReviewedMove(1, 0, "a", 0.6, 0.6 - loss, ("b",)).mark == mark


def test_a_move_without_a_choice_is_never_blamed() -> None:
    assert ReviewedMove(1, 0, "a", 0.6, 0.1, ()).mark == ""


class Counting(Player):
    """Thinks that red's chance is the share of the squares that red has gone."""

    name = "counting"
    summary = "for the tests"

    def think(self, position: Position, search: Search) -> Choice:
        value = self.value(position)
        move = position.legal_moves()[0]
        return Choice(move, value if position.turn == 0 else 1 - value, (move,), 1, 1, 0.0)

    @staticmethod
    def value(position: Position) -> float:
        state = position.state
        return (1 + int(state.a + state.b)) / (2 + int(state.a + state.b + state.c + state.d))


def test_a_throw_is_the_mean_over_the_throws_and_blames_nobody() -> None:
    game = forgeron.game(str(RACE))
    positions = played(game, "two left one right three right one")
    review = review_game(positions, Counting(game), Limit(nodes=10))
    throws = [one for one in review.moves if one.seat is None]
    assert [one.move for one in throws] == ["two", "one", "three", "one"]
    assert all(one.loss == 0 and one.mark == "" for one in throws)
    last = positions[-2]
    outcomes = [Counting.value(last.push(move)) for move in last.moves]
    assert throws[-1].before == pytest.approx(sum(outcomes) / 3)


def test_luck_and_skill_together_are_the_course_of_the_game() -> None:
    game = forgeron.game(str(RACE))
    positions = [game.start()]
    for number in range(60):
        if positions[-1].turn is None:
            break
        legal = positions[-1].legal_moves()
        positions.append(positions[-1].play(legal[number % len(legal)]))
    review = review_game(positions, open_analyst(game), Limit(nodes=50))
    first, second = review.side(0), review.side(1)
    assert review.luck is not None
    assert (first.luck, second.luck) == (review.luck, -review.luck)
    ended = review.course[0] + review.luck - first.total_loss + second.total_loss
    assert ended == pytest.approx(review.course[-1])


def test_where_nothing_is_thrown_there_is_no_luck(thrown_away: GameReview) -> None:
    assert thrown_away.luck is None
    assert thrown_away.side(0).luck is None


def test_a_throw_after_the_move_is_averaged_before_the_move_is_judged() -> None:
    game = forgeron.game(str(RACE))
    positions = played(game, "two left")
    review = review_game(positions, Counting(game), Limit(nodes=10))
    after = positions[-1]
    mean = sum(Counting.value(after.push(move)) for move in after.moves) / 3
    assert review.moves[-1].after == pytest.approx(mean)


def test_somebody_judges_every_game(game: Game) -> None:
    assert open_analyst(game).name == analyst_name(game)


def test_a_judge_that_does_not_play_the_game_is_refused() -> None:
    with pytest.raises(OptionError, match="minimax does not play Yut Nori; these do: "):
        open_analyst(forgeron.game("yut"), "minimax")
    with pytest.raises(OptionError, match="is not one of our players"):
        open_analyst(forgeron.game("yolah"), "./bot")


def test_the_graph_is_well_formed_and_has_a_dot_for_each_mark(thrown_away: GameReview, tmp_path: Path) -> None:
    svg = draw_graph(thrown_away, "Four: <me> – you & I", ("yellow", "red"))
    root = ElementTree.fromstring(svg)
    space = {"s": "http://www.w3.org/2000/svg"}
    marked = [one for one in thrown_away.moves if one.mark]
    assert len(root.findall("s:circle", space)) == len(marked) > 0
    line = root.find("s:polyline", space)
    assert line is not None
    assert len(line.attrib["points"].split()) == len(thrown_away.course)
    save_graph(svg, tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_text() == svg


def test_a_graph_that_cannot_be_written_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"ends in \.svg or \.png"):
        check_graph(tmp_path / "game.gif")
    with pytest.raises(ForgeronError, match="there is no folder"):
        check_graph(tmp_path / "nowhere" / "game.svg")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ForgeronError, match=r"forgeron\[graph\]"):
        check_graph(tmp_path / "game.png")


def test_a_png_is_a_png(thrown_away: GameReview, tmp_path: Path) -> None:
    save_graph(draw_graph(thrown_away, "Four", ("yellow", "red")), tmp_path / "game.png")
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
