"""The trace of a search: its steps one after the other, as small JSON-ready lists, and how they are got.

Kernels do not know that they are watched. As plain Python (``FORGERON_JIT=0``) the steps of a kernel are functions that
it finds by name in its module; `watching` puts others in their place for a while, which call them and write down what
they were given and what they answered. Compiled kernels have no such functions left: they cost nothing, and cannot be
watched.

A step is a list that begins with what happens. Values and windows are those of player 0, so that a window only ever
narrows on the way down; docs/web.md has the table of steps.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from forgeron.core.errors import ForgeronError
from forgeron.core.jit import JIT

Step = list[Any]
#: A trace ends when the search has visited so many nodes, or its steps have become so many characters of JSON.
MOST_NODES, MOST_CHARACTERS = 3_000, 1_500_000
#: Steps are handed on in parcels of at most so many, and at least so often while there are any.
PARCEL_STEPS, PARCEL_SECONDS = 400, 0.15


class TraceEnded(Exception):
    """Unwinds a search that was watched for long enough, or that somebody stopped."""


class Trace:
    """Takes the steps of one search and hands them on in parcels; `stopped` is asked at every node."""

    def __init__(
        self,
        hand_on: Callable[[list[Step]], None],
        stopped: Callable[[], bool] = lambda: False,
        most_nodes: int = MOST_NODES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.nodes = 0
        """as the kernel counts them"""
        self.complete = True
        self._hand_on = hand_on
        self._stopped = stopped
        self._most_nodes = most_nodes
        self._characters = 0
        self._steps: list[Step] = []
        self._ids = 0
        self._clock = clock
        self._handed_on = clock()

    def new_id(self) -> int:
        """A name for another entry of the tree that is shown."""
        self._ids += 1
        return self._ids

    def add(self, *step: Any) -> None:
        self._steps.append(list(step))
        if len(self._steps) >= PARCEL_STEPS or self._clock() - self._handed_on >= PARCEL_SECONDS:
            self.flush()

    def count_node(self) -> None:
        """The kernel is about to count another node: `TraceEnded` when that is one too many."""
        if self._stopped() or self.nodes >= self._most_nodes or self._characters >= MOST_CHARACTERS:
            self.complete = False
            raise TraceEnded
        self.nodes += 1

    def flush(self) -> None:
        """Hand on what there is."""
        self._handed_on = self._clock()
        steps, self._steps = self._steps, []
        if steps:
            self._characters += len(json.dumps(steps))
            self._hand_on(steps)


Wrapper = Callable[[Callable[..., Any]], Callable[..., Any]]


@contextmanager
def watching(module: ModuleType, wrappers: Mapping[str, Wrapper]) -> Iterator[None]:
    """Within the block, the functions of these names in a module of kernels are wrapped.

    This changes the module for the whole process: nothing else may search meanwhile.
    """
    if JIT:
        raise ForgeronError("compiled code cannot be watched: the microscope runs with FORGERON_JIT=0")
    before = {name: getattr(module, name) for name in wrappers}
    try:
        for name, wrap in wrappers.items():
            setattr(module, name, wrap(before[name]))
        yield
    finally:
        for name, function in before.items():
            setattr(module, name, function)
