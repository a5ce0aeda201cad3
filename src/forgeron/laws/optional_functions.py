"""Laws of what a game offers beyond its rules: fast paths, actions, an evaluation, solved endings, symmetries."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from forgeron.core.contract import CHANCE, OVER, UNKNOWN, fixed, offers
from forgeron.core.errors import ForgeronError
from forgeron.core.network_file import input_sizes
from forgeron.core.rng import word
from forgeron.laws.reached_positions import MOST, ReachedPosition, ask, is_integer
from forgeron.laws.violation import BrokenLaw

#: How many positions are searched to find out whether `solve` is right.
SOLVING_POSITIONS = 2_000
_MORE_WEIGHTS = 10_000
#: So many features more than allowed are counted and told.
_MORE_FEATURES = 10_000


def the_evaluation_is_finite(visit: ReachedPosition) -> None:
    """weights gives numbers, one for each name, and evaluate a finite number in every position that is not over."""
    if not offers(visit.game.state_class, "evaluate") or visit.turn == OVER:
        return
    weights: Any = visit.game.weights()
    _check_weights(visit, weights)
    try:
        value = ask("evaluate", visit.state, weights)
    except IndexError:
        try:
            ask("evaluate", visit.state, np.zeros(len(weights) + _MORE_WEIGHTS))
        except IndexError:
            pass
        else:
            raise BrokenLaw(
                "weights", f"it returns {len(weights)}, and evaluate reads more", "return as many as evaluate reads"
            ) from None
        raise
    if not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise BrokenLaw("evaluate", f"it says {value!r}", "a finite number: the log-odds that player 0 wins")


def _check_weights(visit: ReachedPosition, weights: Any) -> None:
    good = isinstance(weights, np.ndarray) and weights.dtype == np.float64 and weights.ndim == 1
    if not good or not np.isfinite(weights).all():
        raise BrokenLaw(
            "weights", f"it returns {weights!r}", "return a NumPy array of finite floats, np.array([0.1, …])"
        )
    names = visit.game.weight_names
    if names and len(names) != len(weights):
        raise BrokenLaw(
            "weights",
            f"it returns {len(weights)} weights, and weight_names has {len(names)} names",
            "one weight for each name",
        )


def solved_endings_are_right(visit: ReachedPosition) -> None:
    """Where solve knows the result, and the end is near enough to search, best play leads to the same winner."""
    if not offers(visit.game.state_class, "solve"):
        return
    said = ask("solve", visit.state)
    if not is_integer(said):
        raise BrokenLaw("solve", f"it says {said!r}", "an integer, or UNKNOWN")
    if said == UNKNOWN:
        return
    found = _Solver().value(visit)
    if found is not None and _sign(found) != _sign(int(said)):
        words = {1: "player 0 wins", -1: "player 1 wins", 0: "it is a draw"}
        raise BrokenLaw(
            "solve",
            f"it says {said} ({words[_sign(int(said))]}), and by best play {words[_sign(found)]}",
            "say UNKNOWN where it is not certain",
        )


class _Solver:
    """The sign of the result under best play, by looking at everything."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], int] = {}
        self._left = SOLVING_POSITIONS

    def value(self, visit: ReachedPosition) -> int | None:
        """1, 0 or -1 for player 0; None when it is too far, or dice decide."""
        state = tuple(map(int, visit.state))
        if state in self._known:
            return self._known[state]
        self._left -= 1
        if self._left < 0 or visit.turn == CHANCE:
            return None
        if visit.turn == OVER:
            result = _sign(int(ask("score", visit.state)))
        else:
            wanted = 1 if visit.turn == 0 else -1
            best = -wanted
            for move in visit.moves:
                found = self.value(visit.after(move))
                if found is None:
                    return None
                best = max(best, found) if wanted > 0 else min(best, found)
                if best == wanted:
                    break
            result = best
        self._known[state] = result
        return result


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def symmetries_keep_the_rules(visit: ReachedPosition) -> None:
    """Under a symmetry a position has the images of its moves, and they lead to the images of what follows."""
    for symmetry in visit.game.symmetries():
        image = ReachedPosition(visit.game, fixed(symmetry.state(visit.state)))
        name = f"under the symmetry '{symmetry.name}'"
        remedy = "a symmetry maps positions and moves so that the rules stay the same and the players keep their roles"
        if image.turn != visit.turn or image.position.scores != visit.position.scores:
            raise BrokenLaw("symmetries", f"{name} turn or scores are others", remedy)
        if {symmetry.move(move) for move in visit.moves} != set(image.moves):
            raise BrokenLaw("symmetries", f"{name} the moves are not the images of the moves", remedy)
        for move in visit.moves[:8]:
            there = tuple(map(int, fixed(symmetry.state(visit.after(move).state))))
            if there != tuple(map(int, image.after(symmetry.move(move)).state)):
                raise BrokenLaw("symmetries", f"{name} the move {move} leads elsewhere than its image", remedy)


def the_fast_random_move_is_uniform(visit: ReachedPosition) -> None:
    """random_move gives legal moves, each as often as the others."""
    if not offers(visit.game.state_class, "random_move") or visit.turn not in (0, 1):
        return
    draws, moves = 400, visit.moves
    with np.errstate(over="ignore"):
        words = [word(np.uint64(int(ask("key", visit.state)) % 2**64), i) for i in range(draws)]
    counts = Counter(int(ask("random_move", visit.state, bits)) for bits in words)
    wrong = [move for move in counts if move not in moves]
    if wrong:
        raise BrokenLaw("random_move", f"it gives the move {wrong[0]}, which is not legal", "one of the legal moves")
    expected = draws / len(moves)
    statistic = sum((counts[move] - expected) ** 2 / expected for move in moves)
    # mean n - 1, variance 2 (n - 1): seven standard deviations never happen by accident
    freedom = len(moves) - 1
    if statistic > freedom + 7 * (2 * freedom) ** 0.5:
        most, times = counts.most_common(1)[0]
        raise BrokenLaw(
            "random_move",
            f"in {draws} draws the move {most} came {times} times instead of {expected:.0f}",
            "every legal move with the same probability, for example by below(bits, n)",
        )


def the_fast_count_is_right(visit: ReachedPosition) -> None:
    """count says how many moves there are."""
    if not offers(visit.game.state_class, "count"):
        return
    said = ask("count", visit.state)
    if int(said) != len(visit.moves):
        raise BrokenLaw("count", f"it says {said}, and {len(visit.moves)} moves are listed", "the number of moves")


def actions_tell_moves_apart(visit: ReachedPosition) -> None:
    """Each legal move of a player has an action of its own, from 0 to action_count - 1."""
    count: Any = visit.game.action_count
    if not is_integer(count) or not 0 <= count <= MOST:
        raise BrokenLaw(
            "action_count", f"it is {count!r}", "a number from 1 to 2²⁴, or 0 where actions have no numbers"
        )
    if not count or visit.turn not in (0, 1):
        return
    rule = "action" if offers(visit.game.state_class, "action") else "action_count"
    owner: dict[int, int] = {}
    for move in visit.moves:
        number = ask("action", visit.state, np.int64(move))
        if not is_integer(number) or not 0 <= number < count:
            raise BrokenLaw(
                rule,
                f"the move {move} has the action {number!r}, and action_count is {count}",
                "actions are the numbers 0 … action_count - 1; without a rule action they are the moves' own numbers",
            )
        if int(number) in owner:
            raise BrokenLaw(
                rule,
                f"the moves {owner[int(number)]} and {move} both have the action {number}",
                "legal moves of the same position need different actions",
            )
        owner[int(number)] = move


def observations_have_the_same_shape(visit: ReachedPosition) -> None:
    """planes gives both players as many words as in the first position, each of 64 bits."""
    start = ask("planes", fixed(visit.game.start_state()), np.int64(0))
    for seat in (0, 1):
        seen: Any = ask("planes", visit.state, np.int64(seat))
        if not isinstance(seen, tuple) or not all(is_integer(word) and 0 <= word < 2**64 for word in seen):
            raise BrokenLaw("planes", f"it returns {seen!r}", "return a tuple of np.uint64 words")
        if len(seen) != len(start):
            raise BrokenLaw(
                "planes", f"it returns {len(seen)} words, and {len(start)} in the first position", "always as many"
            )


def planes_tell_positions_apart(visit: ReachedPosition) -> None:
    """planes shows either player positions that differ in different ways, here those after each move."""
    if visit.turn == OVER:
        return
    for seat in (0, 1):
        seen: dict[Any, ReachedPosition] = {}
        for after in map(visit.after, visit.moves):
            words = tuple(map(int, ask("planes", after.state, np.int64(seat))))
            other = seen.setdefault(words, after)
            if other.state != after.state:
                raise BrokenLaw(
                    "planes",
                    f"player {seat} sees the same after the moves {other.line[-1]} and {after.line[-1]}",
                    "show everything in which positions differ",
                )


def features_are_within_their_ranges(visit: ReachedPosition) -> None:
    """features are numbers below feature_count, max_features of them at most, and phase is below phases."""
    game = visit.game
    if visit.turn == OVER or not (game.feature_count or game.max_features):
        return
    count, most = input_sizes(game)
    for seat in (0, 1):
        out = np.full(most + _MORE_FEATURES, -1, dtype=np.int32)
        n = int(ask("active", visit.state, np.int64(seat), out))
        if n > most:
            raise BrokenLaw("features", f"{n} features are active, and max_features is {most}", "raise max_features")
        wrong = [number for number in out[:n].tolist() if not 0 <= number < count]
        if wrong:
            raise BrokenLaw(
                "features", f"it writes {wrong[0]}, and feature_count is {count}", "number them from 0, less than that"
            )
    stage = int(ask("phase", visit.state))
    if not 0 <= stage < game.phases:
        raise BrokenLaw("phase", f"it says {stage}, and phases is {game.phases}", "number them from 0, less than that")


def the_networks_fit(visit: ReachedPosition) -> None:
    """The networks of network_files are there, and were trained for this game as it is."""
    try:
        visit.game.network()
    except ForgeronError as error:
        raise BrokenLaw(
            "network_files", str(error), "put the network there, or train it again (forgeron learn)"
        ) from None
