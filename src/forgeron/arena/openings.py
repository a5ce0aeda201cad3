"""Openings: short random lines from which both players begin, so that games between the same two differ.

An opening is drawn by playing random moves from the first position. Two openings that are images of each other under a
symmetry of the game count as one. In a game with chance the throws of the line are part of it, and every opening has a
seed for the throws that follow, so that both games of a pair see the same luck.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from forgeron.core import contract
from forgeron.core.chance import random_move
from forgeron.core.errors import ForgeronError, OptionError
from forgeron.core.game import Game
from forgeron.core.position import Position
from forgeron.kernels.playout import play_many

Balance = Callable[[Position], float]
"""the expected result of player 0 in a position: 0 … 1, even at ½"""

#: Random lines are tried until there were so many for each opening wanted, or so many in a row that led to nothing new;
#: then all openings of that length are listed instead.
_TRIES, _FRUITLESS = 30, 200
#: Listing stops at so many openings: a game that has more is not short of them.
_LISTED = 20_000
#: Listing follows so many throws in a row; where a throw can earn another one, there may be no last one.
_THROWS = 4
#: So many openings may take longer than a second.
_MANY = 1000


@dataclass(frozen=True, slots=True)
class Opening:
    """Moves to be played before the players begin to think."""

    moves: tuple[str, ...]
    """tokens of the moves, throws included"""
    seed: int
    """for the throws after the opening; of no use in a game without chance"""

    def play(self, game: Game) -> Position:
        """The position in which the players begin."""
        position = game.start()
        for move in self.moves:
            position = position.play(move)
        return position


def draw_openings(
    game: Game,
    count: int,
    *,
    plies: int,
    seed: int,
    balance: Balance | None = None,
    tolerance: float = 0.2,
    max_plies: int | None = None,
) -> list[Opening]:
    """So many different openings of `plies` moves of the players, none of which ends the game.

    The same arguments give the same openings. With `balance` only those are taken in which it is within `tolerance` of
    ½; `balance_by_playouts` makes one for any game. If there are not enough, the line is made longer, one ply at a time
    up to `max_plies`; without it, or at its end, that is an error which says how many there are.

    In a game with chance and no plies all openings are the first position, each with throws of its own.

    >>> import forgeron
    >>> [" ".join(opening.moves) for opening in draw_openings(forgeron.game("yolah"), 3, plies=2, seed=1)]
    ['h8:c8 d4:b2', 'a1:a5 e5:e7', 'e4:f5 h1:f1']
    """
    if count < 0 or plies < 0:
        raise OptionError(f"there can be no {count} openings of {plies} plies: both are numbers from 0")
    if max_plies is not None and max_plies < plies:
        raise OptionError(f"max_plies is {plies} or more, not {max_plies}")
    thrown = contract.offers(game.state_class, "chance")
    rng = random.Random(f"openings of {game} {plies} {seed}")
    if plies == 0 and thrown:
        return [Opening((), rng.getrandbits(63)) for _ in range(count)]
    search = _OpeningSearch(game, plies, rng, balance, tolerance)
    found = search.draw(count)
    if len(found) == count:
        return [Opening(line, rng.getrandbits(63)) for line in found]
    if max_plies is not None and plies < max_plies and search.seen:
        return draw_openings(
            game, count, plies=plies + 1, seed=seed, balance=balance, tolerance=tolerance, max_plies=max_plies
        )
    raise ForgeronError(_too_few(game, count, plies, len(found), search))


def balance_by_playouts(games: int = 200, seed: int = 0) -> Balance:
    """Judge a position by so many random games: a rough measure, but one that every game has."""

    def judge(position: Position) -> float:
        tally = play_many(position, seed=seed, games=games)
        return (tally.wins + tally.draws / 2) / tally.games

    return judge


def canonical(position: Position) -> tuple[int, ...]:
    """The same numbers for all images of a position under the symmetries of its game."""
    images = [position.state, *(symmetry.state(position.state) for symmetry in position.game.symmetries())]
    return min(tuple(int(field) for field in image) for image in images)


class DrawingNotice:
    """Tells on standard error, once a second, how many openings are drawn; ``FORGERON_QUIET=1`` silences it."""

    def __init__(self, wanted: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._wanted = wanted
        self._clock = clock
        self._told = clock()

    def update(self, drawn: int) -> None:
        """So many are there now."""
        now = self._clock()
        if self._wanted >= _MANY and now - self._told >= 1.0 and os.environ.get("FORGERON_QUIET") != "1":
            self._told = now
            print(f"drawing openings: {drawn:,} of {self._wanted:,}", file=sys.stderr, flush=True)


class _OpeningSearch:
    """Finds lines that lead to positions not seen before."""

    def __init__(self, game: Game, plies: int, rng: random.Random, balance: Balance | None, tolerance: float) -> None:
        self.game, self.plies, self.rng = game, plies, rng
        self.balance, self.tolerance = balance, tolerance
        self.seen: set[tuple[int, ...]] = set()
        self.listed_all = True
        self.too_many = False
        self.unbalanced = 0

    def draw(self, count: int) -> list[tuple[str, ...]]:
        """Up to `count` lines: by random walks first, then, when these find nothing new, from the list of all."""
        found: list[tuple[str, ...]] = []
        tries = fruitless = 0
        notice = DrawingNotice(count)
        while len(found) < count and tries < _TRIES * count and fruitless < _FRUITLESS:
            known = len(self.seen)
            walked = self._walk()
            if walked is not None and self._take(walked[1]):
                found.append(walked[0])
            tries += 1
            notice.update(len(found))
            fruitless = fruitless + 1 if len(self.seen) == known else 0
        rest = list(self._all_lines()) if len(found) < count else []
        self.rng.shuffle(rest)
        for line, position in rest:
            notice.update(len(found))
            if len(found) == count:
                break
            if self._take(position):
                found.append(line)
        return found

    def _take(self, position: Position) -> bool:
        """Whether the position is new and balanced; it is not new the next time."""
        form = canonical(position)
        if form in self.seen:
            return False
        self.seen.add(form)
        if self.balance is None or abs(self.balance(position) - 0.5) <= self.tolerance:
            return True
        self.unbalanced += 1
        return False

    def _walk(self) -> tuple[tuple[str, ...], Position] | None:
        """A random line and where it leads; None when the game ends on the way."""
        position, line, played = self.game.start(), [], 0
        while played < self.plies:
            if position.turn is None:
                return None
            played += position.turn != "chance"
            position = position.push(random_move(position, self.rng))
            line.append(str(position.last_move))
        return None if position.turn is None else (tuple(line), position)

    def _all_lines(self) -> Iterator[tuple[tuple[str, ...], Position]]:
        """One line to each position after the plies, symmetric ones left out, as long as they are not too many."""
        level: list[tuple[tuple[str, ...], Position]] = [((), self.game.start())]
        for _ in range(self.plies):
            if self.too_many:
                return iter(())  # too many to list even on the way there
            level = self._next_level(self._thrown(level))
        return iter(level)

    def _thrown(self, level: list[tuple[tuple[str, ...], Position]]) -> list[tuple[tuple[str, ...], Position]]:
        """The level with every throw that is due made in every way."""
        for _ in range(_THROWS):
            if all(position.turn != "chance" for _, position in level):
                return level
            still = [one for one in level if one[1].turn != "chance"]
            level = still + self._next_level([one for one in level if one[1].turn == "chance"])
        self.listed_all = False
        return [one for one in level if one[1].turn != "chance"]

    def _next_level(self, level: list[tuple[tuple[str, ...], Position]]) -> list[tuple[tuple[str, ...], Position]]:
        following: dict[tuple[int, ...], tuple[tuple[str, ...], Position]] = {}
        for line, position in level:
            for move in _possible(position):
                after = position.push(move)
                if after.turn is not None:
                    following.setdefault(canonical(after), ((*line, str(after.last_move)), after))
                if len(following) >= _LISTED:
                    self.listed_all, self.too_many = False, True
                    return list(following.values())
        return list(following.values())


def _possible(position: Position) -> list[int]:
    if position.turn != "chance":
        return list(position.moves)
    return [move for move, chance in zip(position.moves, position.chances(), strict=True) if chance > 0]


def _too_few(game: Game, count: int, plies: int, found: int, search: _OpeningSearch) -> str:
    length = "1 ply" if plies == 1 else f"{plies} plies"
    some = f"{game} has {found}" if search.listed_all else f"{game}: found only {found}"
    kind = ("balanced" if search.balance else "different") + (" opening" if found == 1 else " openings")
    lost = f" ({search.unbalanced} more are not balanced)" if search.unbalanced else ""
    other = "more" if search.seen else "fewer"
    return f"{some} {kind} of {length}{lost}, not {count}; ask for fewer, or for {other} plies"
