"""Monte Carlo tree search by an evaluator of your own, a Python function: AlphaZero's search (PUCT)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from forgeron.core.chance import next_decision
from forgeron.core.errors import OptionError
from forgeron.core.game import Game
from forgeron.core.options import Option
from forgeron.core.position import Position
from forgeron.kernels.puct import ROOT, absorb, gather, make_leaves, make_puct_tree, plant
from forgeron.players.base import Choice, Limit, Line, Player, Search, Thought

Evaluation = np.ndarray | tuple[np.ndarray, np.ndarray | None]
_REPORT_SECONDS = 0.25
_LONGEST_LINE = 20
_NOISE_CONCENTRATION, _NOISE_SHARE = 10.0, 0.25


class LeafBatch:
    """Positions that an evaluator is asked about; in each a player is to move."""

    def __init__(self, game: Game, words: np.ndarray, masks: np.ndarray, seats: np.ndarray, states: np.ndarray) -> None:
        self.game = game
        self.observations = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").reshape(len(words), -1, 64)
        """position × word × bit, as the player to move sees it"""
        self.masks = masks
        """position × action: 1 where it is legal"""
        self.seats = seats
        """who is to move"""
        self._states = states

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def positions(self) -> list[Position]:
        """The positions themselves: slower, and all there is to know."""
        return [self.game.from_array(state) for state in self._states]


Evaluator = Callable[[LeafBatch], Evaluation]


class Episode(NamedTuple):
    """A game of self-play as an evaluator learns from it: a row for every position in which a player had to choose."""

    observations: np.ndarray
    """position × word × bit, as the player to move sees it"""
    policies: np.ndarray
    """position × action: the share of the visits"""
    results: np.ndarray
    """how the game ended for the player to move: 1, ½, 0"""


class EvaluatedMcts(Player):
    """PUCT whose leaves are judged by `evaluator`, many at a time.

    The evaluator takes a `LeafBatch` and gives values, the win probability (0 … 1) of the player to move in each
    position, or values and policies: for each position a number, 0 or more, for every action. Instead of handing one
    over, a subclass with a name may have a method `judge`; it can then be played by commands as any player in a file.

    Each search begins with an empty tree. With the option `noise`, priors at the root are mixed with Dirichlet noise,
    for self-play. After a search, `visits` has the visit counts of all actions.
    """

    name = "evaluated-mcts"
    summary = "PUCT by an evaluator of your own"
    options = {
        "batch": Option(16, (1, 2, 4, 8, 16, 32, 64, 128, 256), "leaves that the evaluator is asked about at a time"),
        "exploration": Option("1.5", (), "factor of the exploration term: a number, 0 or more"),
        "noise": Option(False, (False, True), "Dirichlet noise at the root, for self-play"),
        "memory": Option(64, (1, 4, 16, 64, 256, 1024, 4096), "memory for the tree in MB"),
    }

    def __init__(self, game: Game, options: Mapping[str, object] | None = None, **more: Any) -> None:
        given = dict(options or {})
        self._evaluator: Evaluator | None = given.pop("evaluator", None)  # type: ignore[assignment]
        if self._evaluator is not None and not callable(self._evaluator):
            raise OptionError(f"an evaluator is a function of a batch of positions, not {self._evaluator!r}")
        super().__init__(game, given, **more)

    def judge(self, leaves: LeafBatch) -> Evaluation:
        """The values of the positions, or values and policies, as the class says."""
        if self._evaluator is None:
            raise OptionError(f"{self!r} has no evaluator: hand one over, or write a method judge")
        return self._evaluator(leaves)

    def warm(self) -> None:
        game, start = self.game, next_decision(self.game.start())
        self._words = start.observe(0).shape[0]
        fields = len(start.state)
        size = int(self.chosen["memory"]) * (1 << 20) // (8 * fields + 33)
        self._tree = make_puct_tree(max(size, 4 * game.max_moves), fields)
        self._leaves = make_leaves(int(self.chosen["batch"]), self._words + 1, game.action_space)
        self._scratch = np.zeros(game.max_moves, dtype=np.int64), np.zeros(game.max_moves)
        self._by_place = np.int64(game.action_count == 0)
        self._exploration = _read_number(str(self.chosen["exploration"]))
        self._episode = 0
        self._root: Position | None = None
        self._plant(start)
        found, waiting = self._gather(start, np.uint64(0), 0, 1)
        self._absorb(start, found, np.zeros(waiting), np.ones((waiting, game.action_space), dtype=np.float32))

    def self_play(self, limit: Limit, number: int = 0, exploring_plies: int = 12) -> Episode:
        """Play game `number` against itself: at first moves are drawn by their visits, then the most visited is played.

        The same seed and number give the same game.
        """
        if limit.nodes == 1:
            raise OptionError("self-play needs two simulations a move or more: the first one tries no action")
        self._episode = number
        rng = np.random.default_rng([self.seed % 2**64, number])
        position, seen, shares, seats = self.game.start(), [], [], []
        while position.turn is not None:
            if position.turn == "chance":
                position = position.push(int(rng.choice(position.moves, p=position.chances())))
                continue
            self.analyse(position, limit)
            visits = self.visits
            seen.append(position.observe(position.turn))
            shares.append(visits / visits.sum())
            seats.append(position.turn)
            explores = len(seen) <= exploring_plies
            position = position.act(int(rng.choice(len(visits), p=shares[-1]) if explores else visits.argmax()))
        assert position.outcome is not None
        winner = position.outcome.winner
        results = [0.5 if winner is None else float(winner == seat) for seat in seats]
        return Episode(np.array(seen), np.array(shares, np.float32), np.array(results, np.float32))

    # --- the search -----------------------------------------------------------------------------------------------

    def think(self, position: Position, search: Search) -> Choice:
        limit = search.limit
        if limit.seconds is None and limit.nodes is None:
            raise OptionError("a search by an evaluator needs a limit of seconds or nodes (simulations)")
        self._plant(position)
        stream, done, reported = self.stream(position), 0, search.seconds
        while done == 0 or not (done == limit.nodes or search.finished()):
            room = len(self._leaves.rows) if done else 1
            wanted = room if limit.nodes is None else min(room, limit.nodes - done)
            found, waiting = self._gather(position, stream, done, wanted)
            if found == 0:
                break  # no room is left in the tree
            values, policies = self._judged(waiting)
            self._absorb(position, found, values, policies)
            if done == 0 and self.chosen["noise"]:
                self._add_noise(stream)
            done += found
            if search.listener is not None and search.seconds >= reported + _REPORT_SECONDS:
                reported = search.seconds
                search.listener(Thought(self._lines(position, search.lines), self.depth, done, reported))
        lines = self._lines(position, search.lines)
        best = lines[0]
        return Choice(best.moves[0], best.value, best.moves, self.depth, done, search.seconds, lines)

    @property
    def depth(self) -> int:
        """The length of the longest path of the last batch."""
        return int(self._leaves.depths.max())

    @property
    def visits(self) -> np.ndarray:
        """How often the last search tried each action at its root: divided by their sum, a target for a policy."""
        counts = np.zeros(self.game.action_space, dtype=np.int64)
        if self._root is None:
            raise OptionError("nothing has been searched yet")
        by_move = dict(zip(self._root.moves, self._root.actions, strict=True))
        for child in self._children(ROOT):
            counts[by_move[int(self._tree.moves[child])]] = self._tree.visits[child]
        return counts

    def _plant(self, position: Position) -> None:
        self._root = position
        self._leaves.depths[:] = 0
        plant(self._tree, position.state)

    def _gather(self, position: Position, stream: np.uint64, done: int, wanted: int) -> tuple[int, int]:
        how = np.int64(wanted), self._exploration, stream, np.int64(done), self._by_place
        found, waiting = gather(position.state, self._tree, self._leaves, *how, *self._scratch)
        return int(found), int(waiting)

    def _absorb(self, position: Position, found: int, values: np.ndarray, policies: np.ndarray) -> None:
        results = values, policies, self._by_place, self._scratch[0]
        absorb(position.state, self._tree, self._leaves, np.int64(found), *results)

    def _judged(self, waiting: int) -> tuple[np.ndarray, np.ndarray]:
        """What the evaluator says, checked."""
        actions = self.game.action_space
        uniform = np.ones((waiting, actions), dtype=np.float32)
        if waiting == 0:
            return np.zeros(0), uniform
        leaves = self._leaves
        rows = [int(leaves.paths[k, leaves.depths[k]]) for k in np.flatnonzero(leaves.rows >= 0)][:waiting]
        words = np.ascontiguousarray(leaves.observations[:waiting, : self._words])
        batch = LeafBatch(self.game, words, leaves.masks[:waiting], leaves.seats[:waiting], self._tree.states[rows])
        said = self.judge(batch)
        if said is None or (isinstance(said, tuple) and len(said) != 2):
            raise OptionError(f"an evaluator gives win probabilities, or these and policies, not {said!r}")
        values, policies = said if isinstance(said, tuple) else (said, None)
        try:
            values = np.asarray(values, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise OptionError(f"an evaluator gives {waiting} win probabilities from 0 to 1, not {values!r}") from None
        policies = uniform if policies is None else np.ascontiguousarray(policies, dtype=np.float32)
        if values.shape != (waiting,) or not ((values >= 0) & (values <= 1)).all():
            raise OptionError(
                f"an evaluator gives {waiting} win probabilities from 0 to 1, not {values.shape} from "
                f"{values.min(initial=np.inf):g} to {values.max(initial=-np.inf):g}"
            )
        if policies.shape != (waiting, actions) or not np.isfinite(policies).all():
            raise OptionError(f"policies are finite numbers, {waiting} × {actions}, not {policies.shape}")
        return values, policies

    def _add_noise(self, stream: np.uint64) -> None:
        children = self._children(ROOT)
        rng = np.random.default_rng([int(stream), self._episode])
        noise = rng.dirichlet(np.full(len(children), _NOISE_CONCENTRATION / len(children)))
        priors = self._tree.priors[children.start : children.stop]
        priors[:] = (1 - _NOISE_SHARE) * priors + _NOISE_SHARE * noise

    # --- what was found -------------------------------------------------------------------------------------------

    def _children(self, node: int) -> range:
        first = int(self._tree.first[node])
        return range(first, first + int(self._tree.children[node]))

    def _lines(self, position: Position, count: int) -> tuple[Line, ...]:
        ranked = sorted(self._children(ROOT), key=lambda child: -int(self._tree.visits[child]))
        return tuple(self._line(position, child) for child in ranked[:count])

    def _line(self, position: Position, child: int) -> Line:
        visits = int(self._tree.visits[child])
        value = float(self._tree.sums[child]) / visits if visits else 0.5
        value = 1 - value if position.turn == 1 else value
        moves: list[str] = []
        while True:
            position = position.push(int(self._tree.moves[child]))
            moves.append(str(position.last_move))
            below = self._children(child)
            child = max(below, key=lambda one: int(self._tree.visits[one]), default=0)
            if not child or not self._tree.visits[child] or len(moves) == _LONGEST_LINE:
                return Line(tuple(moves), value, visits)


def _read_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1000.0:
        raise OptionError(f"option exploration cannot be {text!r}; it is a number, 0 or more")
    return number
