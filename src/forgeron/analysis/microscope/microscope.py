"""Looking into a search, and counting the nodes of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from forgeron.analysis.microscope.alphabeta import AlphaBetaWatch
from forgeron.analysis.microscope.expectimax import ExpectimaxWatch
from forgeron.analysis.microscope.mcts import MctsWatch
from forgeron.analysis.microscope.subject import ALPHABETA, EXPECTIMAX, MCTS, MOST_NODES, Subject
from forgeron.analysis.microscope.trace import Step, Trace, TraceEnded
from forgeron.core.position import Position
from forgeron.kernels.alphabeta import PROVEN
from forgeron.kernels.expectimax_values import SCALE
from forgeron.players.base import Choice, Player

_WATCHES: dict[str, type[AlphaBetaWatch | ExpectimaxWatch | MctsWatch]] = {
    ALPHABETA: AlphaBetaWatch,
    EXPECTIMAX: ExpectimaxWatch,
    MCTS: MctsWatch,
}
#: How the values of a trace are read: log-odds in thousandths, beyond `proven` certain; or shares of a scale.
UNITS: dict[str, dict[str, Any]] = {
    ALPHABETA: {"kind": "log-odds", "proven": PROVEN},
    EXPECTIMAX: {"kind": "share", "scale": SCALE},
    MCTS: {"kind": "share", "scale": 1},
}


@dataclass(frozen=True)
class SearchEffort:
    """What a search took, and what it found."""

    nodes: int
    complete: bool
    """False: it was stopped, or given up after so many nodes"""
    move: str | None
    value: float | None
    """for the player to move"""

    def to_data(self) -> dict[str, Any]:
        return asdict(self)


def look_into(
    position: Position,
    subject: Subject,
    hand_on: Callable[[list[Step]], None],
    stopped: Callable[[], bool] = lambda: False,
) -> SearchEffort:
    """Make the search and hand on its trace in parcels; plain Python only (``FORGERON_JIT=0``).

    A search that is too long for a trace, or is stopped, ends early; what it did until then is handed on.
    """
    player = subject.player(position.game)
    player.check(position)
    trace = Trace(hand_on, stopped)
    choice: Choice | None = None
    with np.errstate(over="ignore"), _WATCHES[subject.search](position.game, trace).watching():
        with suppress(TraceEnded):
            choice = player.analyse(position, subject.limit)
        trace.flush()
    if choice is None:
        return SearchEffort(trace.nodes, False, None, None)
    return SearchEffort(trace.nodes, trace.complete, choice.move, choice.value)


def count_nodes(
    position: Position, subject: Subject, begun: Callable[[Player], None] = lambda _player: None
) -> SearchEffort:
    """Make the search without looking; `begun` is given the player, who can be stopped."""
    player = subject.player(position.game)
    player.check(position)
    begun(player)
    choice = player.analyse(position, subject.limit)
    complete = choice.nodes < MOST_NODES
    return SearchEffort(choice.nodes, complete, choice.move, choice.value)
