"""Laws of the text side: tokens of moves and positions, errors, drawings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from forgeron.core.contract import CHANCE, OVER
from forgeron.core.errors import ContractError, ForgeronError, GameOverError, IllegalMoveError, NotationError
from forgeron.core.game import Game
from forgeron.core.lesson import follow
from forgeron.core.position import Position
from forgeron.laws.reached_positions import ReachedPosition
from forgeron.laws.violation import BrokenLaw

NO_MOVES = ("", "hello world", "!", "\N{PILE OF POO}")
NO_POSITIONS = ("", "nonsense", "1/2/3", ":" * 9)


def every_move_has_its_own_token(visit: ReachedPosition) -> None:
    """Each legal move has a token of its own, without spaces, that reads back."""
    position = visit.position
    owner: dict[str, int] = {}
    for move in position.moves:
        token: Any = visit.game.format_move(position.state, move)
        _check_token("format_move", f"the move {move}", token)
        if token in owner:
            raise BrokenLaw(
                "format_move",
                f"the moves {owner[token]} and {move} are both written '{token}'",
                "each legal move of a position needs a token of its own",
            )
        owner[token] = move
        try:
            same = position.play(token) == position.push(move)
        except ContractError:
            continue  # something is wrong with the position after it, and is found there
        except ForgeronError as error:
            raise BrokenLaw(
                "parse_move",
                f"the token '{token}' of the legal move {move} is refused: {error}",
                "parse_move reads every token that format_move writes, and move_pattern matches it",
            ) from None
        if not same:
            raise BrokenLaw(
                "parse_move",
                f"the token '{token}' of move {move} is read as another move",
                "parse_move gives back the number that format_move was given",
            )


def every_position_has_a_token(visit: ReachedPosition) -> None:
    """Each position has a token without spaces that reads back."""
    position = visit.position
    text: Any = visit.game.format_state(position.state)
    _check_token("format_state", "a position", text)
    try:
        again = visit.game.parse(text)
    except ForgeronError as error:
        raise BrokenLaw(
            "parse_state",
            f"the position '{text}' is refused: {error}",
            "parse_state reads every token that format_state writes",
        ) from None
    if again != position or again.key != position.key or hash(again) != hash(position):
        raise BrokenLaw(
            "parse_state",
            f"the position '{text}' is read as another one, {tuple(map(int, again.state))} "
            f"instead of {tuple(map(int, position.state))}",
            "parse_state gives back the state that format_state was given",
        )


def _check_token(rule: str, what: str, token: Any) -> None:
    if not isinstance(token, str) or not token:
        raise BrokenLaw(rule, f"{what} is written {token!r}", "a token is a text of at least one character")
    if any(character.isspace() for character in token):
        raise BrokenLaw(rule, f"{what} is written '{token}', with a space in it", "leave out spaces in a token")


def what_is_no_move_is_refused(visit: ReachedPosition) -> None:
    """A text that is no move is a NotationError, and a number that is none is refused."""
    if visit.turn == OVER:
        return
    kind = type(visit.game)
    anything = kind.move_pattern == Game.move_pattern and kind.parse_move is Game.parse_move
    for nonsense in NO_MOVES:
        if anything and re.fullmatch(Game.move_pattern, nonsense):
            continue  # nothing was said about what a move looks like
        said = _refusal(visit.position.play, nonsense, "move")
        if said is not None:
            raise BrokenLaw(
                "parse_move",
                f"the text {nonsense!r} {said[0]}",
                "raise NotationError for a text that can be no move, or set move_pattern",
            ) from said[1]
    try:
        visit.position.push(max(visit.position.moves) + 1_000_000)
    except IllegalMoveError:
        return
    raise BrokenLaw("moves", "a number that is no legal move can be played", "list legal moves only")


def an_illegal_move_is_quoted(visit: ReachedPosition) -> bool:
    """A move that is not legal here is an IllegalMoveError that quotes move and position.

    The move that led here is tried again, where that is not legal; returned is whether there was one to try.
    """
    if not visit.line or visit.turn in (CHANCE, OVER):
        return False
    before = _before(visit)
    token = visit.game.format_move(before.state, visit.line[-1])
    if before.turn == CHANCE or token in visit.position.legal_moves():
        return False
    try:
        visit.position.play(token)
    except IllegalMoveError as error:
        if error.move == token and error.position == str(visit.position) and f"'{token}'" in str(error):
            return True
        raise BrokenLaw("why_illegal", f"the error for '{token}' does not quote it: {error}", "quote it") from None
    except NotationError as error:
        raise BrokenLaw(
            "parse_move",
            f"'{token}', a move of this game that is not legal here, is a NotationError: {error}",
            "return -1 for it: NotationError is for texts that are never a move",
        ) from None
    raise BrokenLaw("parse_move", f"'{token}' is not legal here and can be played", "return -1 for it")


def _before(visit: ReachedPosition) -> ReachedPosition:
    found = ReachedPosition(visit.game, visit.game.start().state)
    for move in visit.line[:-1]:
        found = found.after(move)
    return found


def nothing_can_be_played_at_the_end(visit: ReachedPosition) -> None:
    """When the game is over, every move is a GameOverError."""
    if visit.turn != OVER or not visit.line:
        return
    try:
        visit.position.play(visit.game.format_move(_before(visit).state, visit.line[-1]))
    except GameOverError:
        return
    raise BrokenLaw("turn", "a move can be played when the game is over", "say OVER when it is over")


def what_is_no_position_is_refused(visit: ReachedPosition) -> None:
    """A text that is no position is a NotationError."""
    if visit.line:
        return
    for nonsense in NO_POSITIONS:
        said = _refusal(visit.game.parse, nonsense, "position")
        if said is not None:
            raise BrokenLaw("parse_state", f"the text {nonsense!r} {said[0]}", "raise NotationError for it") from said[
                1
            ]


def _refusal(read: Callable[[str], object], text: str, what: str) -> tuple[str, Exception | None] | None:
    """How a text was not refused as it should be: None when it was, by a NotationError of one line."""
    try:
        read(text)
    except NotationError as error:
        return ("gets an error of several lines", error) if "\n" in str(error) else None
    except Exception as error:
        return f"raises {type(error).__name__}: {error}", error
    return f"is taken for a {what}", None


def the_outcome_agrees_with_the_score(visit: ReachedPosition) -> None:
    """There is an outcome exactly when the game is over: a winner by the sign of the score, and a reason."""
    outcome = visit.position.outcome
    if (outcome is not None) != (visit.turn == OVER):
        raise BrokenLaw("turn", f"it says {visit.turn}, and the outcome is {outcome}", "OVER when there is an outcome")
    if outcome is None:
        return
    score = visit.position.score
    if outcome.winner != (None if score == 0 else 0 if score > 0 else 1):
        raise BrokenLaw("score", f"it says {score}, and the winner is {outcome.winner}", "more than 0 when 0 wins")
    if not isinstance(outcome.reason, str) or not outcome.reason:
        raise BrokenLaw("reason", f"it says {outcome.reason!r}", "a few words on why the game is over")


def boards_can_be_shown(visit: ReachedPosition) -> None:
    """draw gives lines of text, view data for JSON, and scores two integers, in every position."""
    position = visit.position
    drawn: Any = position.draw()
    if not isinstance(drawn, str) or not drawn.strip():
        raise BrokenLaw("draw", f"it returns {drawn!r}", "return the board as lines of text")
    seen: Any = position.view()
    try:
        same = json.loads(json.dumps(seen)) == seen
    except (TypeError, ValueError) as error:
        raise BrokenLaw(
            "view",
            f"it returns what JSON cannot say: {error}",
            "return dictionaries, lists, texts, int(…) and float(…)",
        ) from None
    if not same:
        raise BrokenLaw("view", "JSON gives back something else", "use lists and texts, no tuples, no numbers as keys")
    scores: Any = position.scores
    if not (isinstance(scores, tuple) and len(scores) == 2 and all(type(points) is int for points in scores)):
        raise BrokenLaw("scores", f"it returns {scores!r}", "a tuple of two ints: the points of both players so far")


def the_example_can_be_played(visit: ReachedPosition) -> None:
    """Every move that the lessons name is legal where they ask for it."""
    game = type(visit.game)()
    try:
        for lesson, begin, _ in follow(game):
            for move in lesson.moves:
                begin.play(move)
    except ForgeronError as error:
        raise BrokenLaw("lessons", str(error), "name legal moves, and positions as str(position) gives them") from None


def equal_positions_are_equal(visit: ReachedPosition) -> None:
    """A position made again from its state is the same, with the same moves."""
    again = Position(visit.game, visit.state)
    if again != visit.position or again.moves != visit.position.moves:
        raise BrokenLaw(
            "moves", f"position '{again}' is not the same when it is made again", "let it depend on the state"
        )
