"""What the microscope looks at: one of the searches, with some of its ideas switched on, to a depth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from forgeron.core.contract import offers
from forgeron.core.errors import OptionError, unknown_name
from forgeron.core.game import Game
from forgeron.kernels import expectimax_workspace
from forgeron.kernels.alphabeta_workspace import Enhancement
from forgeron.kernels.expectimax_workspace import Pruning
from forgeron.kernels.search_flags import SearchFlag, combined
from forgeron.players.base import Limit, Player
from forgeron.players.expectimax import ExpectimaxPlayer
from forgeron.players.mcts import MctsPlayer
from forgeron.players.minimax import MinimaxPlayer

ALPHABETA, EXPECTIMAX, MCTS = "alphabeta", "expectimax", "mcts"
#: The greatest depth in plies, in turns, and number of simulations that make sense at the speed of plain Python.
DEEPEST = {ALPHABETA: 8, EXPECTIMAX: 3, MCTS: 1_000}
FIRST_DEPTH = {ALPHABETA: 3, EXPECTIMAX: 2, MCTS: 200}
#: A search is given up after so many nodes, compiled or not: the same table, and so the same nodes, in both.
MOST_NODES = 2_000_000
_HASH_MB, _MEMORY_MB = 1, 16


class Idea(NamedTuple):
    """A part of a search that can be switched off."""

    name: str
    title: str
    help: str
    flag: SearchFlag | None = None


_REMEMBER = "remember positions: the same one comes up by another order of moves"
IDEAS: Mapping[str, tuple[Idea, ...]] = {
    ALPHABETA: (
        Idea("alphabeta", "Alpha-beta", "leave out what cannot change the result", Enhancement.ALPHA_BETA),
        Idea(
            "deepening", "Iterative deepening", "depth 1, 2, 3 …, each in the order of the last", Enhancement.DEEPENING
        ),
        Idea("table", "Transposition table", _REMEMBER, Enhancement.TABLE),
        Idea("killers", "Killer moves", "try first what refuted a neighbouring line", Enhancement.KILLERS),
        Idea(
            "history", "History", "try first what has often cut, and what answered the last move", Enhancement.HISTORY
        ),
        Idea("pvs", "Null windows", "after the first move only ask whether this one is better", Enhancement.PVS),
        Idea("lmr", "Late move reductions", "look less deep at moves late in the order", Enhancement.LMR),
        Idea(
            "probcut",
            "ProbCut",
            "leave what is very probably outside the window, where the errors of shallower looks were measured",
            Enhancement.PROBCUT,
        ),
    ),
    EXPECTIMAX: (
        Idea("alphabeta", "Alpha-beta", "leave out moves that cannot change the result", Pruning.ALPHA_BETA),
        Idea("star1", "Star1", "leave out throws that cannot change the expectation enough", Pruning.STAR1),
        Idea("star2", "Star2", "before that, try one move after each throw", Pruning.STAR2),
        Idea("table", "Transposition table", _REMEMBER, Pruning.TABLE),
    ),
    MCTS: (
        Idea("evaluation", "Evaluation as guide", "it gives moves a prior, and judges leaves together with a playout"),
        Idea("rave", "RAVE", "a move shares in the results of playouts in which it was made later"),
        Idea("widening", "Progressive widening", "at first only the best moves by the evaluation are tried"),
    ),
}
#: The idea without which another one does nothing.
NEEDS = {
    ALPHABETA: {
        "killers": "alphabeta",
        "history": "alphabeta",
        "pvs": "alphabeta",
        "lmr": "alphabeta",
        "probcut": "pvs",
    },
    EXPECTIMAX: {"star1": "alphabeta", "star2": "star1"},
    MCTS: {},
}


@dataclass(frozen=True)
class Subject:
    """A search as it is asked for; one that makes no sense is refused."""

    search: str
    ideas: frozenset[str]
    depth: int
    """plies; of expectimax turns, of mcts simulations"""

    @classmethod
    def of(cls, search: str, ideas: Iterable[str], depth: int) -> Subject:
        if search not in IDEAS:
            raise unknown_name("search", search, IDEAS)
        known = [idea.name for idea in IDEAS[search]]
        for name in ideas:
            if name not in known:
                raise unknown_name(f"idea of {search}", name, known)
        if not 1 <= depth <= DEEPEST[search]:
            raise OptionError(f"the microscope looks at a depth from 1 to {DEEPEST[search]}, not {depth}")
        return cls(search, frozenset(ideas), depth)

    @property
    def limit(self) -> Limit:
        return Limit(nodes=self.depth) if self.search == MCTS else Limit(nodes=MOST_NODES, depth=self.depth)

    def neighbours(self) -> list[Subject]:
        """The same search with one idea switched on or off, for each idea that then makes a difference."""
        needs = NEEDS[self.search]
        found = []
        for idea in IDEAS[self.search]:
            ideas = self.ideas ^ {idea.name}
            # Whoever switches off what others need has switched off those, too.
            while lame := {one for one in ideas if needs.get(one, one) not in ideas}:
                ideas -= lame
            if ideas != self.ideas:
                found.append(Subject(self.search, ideas, self.depth))
        return found

    def player(self, game: Game) -> Player:
        """The player that makes this search: the one that plays, with the ideas chosen."""
        if self.search == MCTS:
            guide = "mixed" if "evaluation" in self.ideas else "playout"
            options = {"guide": guide, "rave": "rave" in self.ideas, "widening": "widening" in self.ideas}
            return MctsPlayer(game, {**options, "memory": _MEMORY_MB})
        flags = combined(idea.flag for idea in IDEAS[self.search] if idea.flag and idea.name in self.ideas)
        if self.search == EXPECTIMAX:
            return _ExpectimaxWithIdeas(game, flags)
        return _MinimaxWithIdeas(game, flags)


def subjects(game: Game) -> dict[str, dict[str, object]]:
    """The searches that can be looked at in a game, for a page; those that play are on with all their ideas."""
    names = (EXPECTIMAX, MCTS) if offers(game.state_class, "chance") else (ALPHABETA, MCTS)
    return {
        name: {
            "ideas": [
                one._asdict() | {"flag": None, "on": name != MCTS, "needs": NEEDS[name].get(one.name)}
                for one in IDEAS[name]
            ],
            "deepest": DEEPEST[name],
            "depth": FIRST_DEPTH[name],
        }
        for name in names
    }


class _MinimaxWithIdeas(MinimaxPlayer):
    """Minimax with any of its enhancements; its option has them only each with those before it."""

    def __init__(self, game: Game, flags: int) -> None:
        self._chosen_flags = flags
        super().__init__(game, {"hash": _HASH_MB})

    def warm(self) -> None:
        super().warm()
        self._flags = self._chosen_flags


class _ExpectimaxWithIdeas(ExpectimaxPlayer):
    """Expectimax with any of its kinds of pruning. It judges by the weights alone: what is shown is the search."""

    def __init__(self, game: Game, flags: int) -> None:
        self._chosen_flags = flags
        super().__init__(game, {"hash": _HASH_MB, "eval": "linear", "exact": False})

    def warm(self) -> None:
        super().warm()
        self._workspace[expectimax_workspace.PRUNING] = self._chosen_flags
