"""Runs somebody's player class of the Yut course, unchanged, in a process of its own.

A program of its own that needs nothing but the standard library, so that it starts fast: course_runner.py FILE [CLASS].
The referee (`forgeron.games.yut.course`) sends JSON lines and gets JSON lines. Whatever the class prints goes to
standard error, which is the bot's log, and its standard input is empty.
"""

from __future__ import annotations

import importlib.util
import json
import operator
import os
import random
import sys
import traceback
from pathlib import Path
from typing import Any, TextIO


def load(path: Path, wanted: str | None) -> type:
    """The player class of a file: the one of this name, or the only one it defines that has an `action`."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found = {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, type) and thing.__module__ == path.stem and callable(getattr(thing, "action", None))
    }
    if wanted is not None and wanted in found:
        return found[wanted]
    if wanted is None and len(found) == 1:
        return next(iter(found.values()))
    names = ", ".join(found) or "none"
    asked = f"no player class {wanted}" if wanted else "not exactly one player class: name the one to play"
    raise LookupError(f"{path.name} has {asked} (classes with an action: {names})")


def forget_own_folder() -> None:
    """Modules that lie beside this program must not be found before the player's own."""
    own = os.path.dirname(os.path.realpath(__file__))
    sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder) != own]


def generator(seed: int) -> Any:
    """What the course hands to `reset`: a NumPy generator of the old kind, or Python's where there is no NumPy."""
    random.seed(seed)
    try:
        import numpy
    except ImportError:
        return random.Random(seed)
    numpy.random.seed(seed % 2**32)
    return numpy.random.RandomState(seed % 2**32)


def as_state(words: list[Any]) -> tuple[int, tuple[int, ...], tuple[int, ...], list[int]]:
    turn, mine, theirs, scores = words
    return turn, tuple(mine), tuple(theirs), list(scores)


def do(player: Any, order: dict[str, Any]) -> dict[str, Any] | None:
    """Carry out one order of the referee; the answer, where one is due."""
    what = order["do"]
    if what == "reset":
        reset = getattr(player, "reset", None)
        if reset is not None:
            reset(generator(order["seed"]))
        name = getattr(player, "name", None)
        # Only a class that can be reset is asked to play another game in the same process.
        return {"ready": str(name() if callable(name) else type(player).__name__), "stays": reset is not None}
    if what == "action":
        answer = player.action(as_state(order["state"]))
        try:
            return {"action": [operator.index(answer[0]), operator.index(answer[1]), bool(answer[2])]}
        except (TypeError, ValueError, IndexError, KeyError):
            return {"wrong": repr(answer)[:200]}
    heard = getattr(player, what, None)  # on_my_action, on_enemy_action
    if heard is not None:
        legal, mine, theirs, caught = order["result"]
        heard(as_state(order["state"]), tuple(order["action"]), (legal, tuple(mine), tuple(theirs), caught))
    return None


def serve(orders: TextIO, answers: TextIO, path: Path, wanted: str | None) -> None:
    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        player = load(path, wanted)()
        for line in orders:
            answer = do(player, json.loads(line))
            if answer is not None:
                say(answer)
    except Exception as error:
        traceback.print_exc()
        sys.stderr.flush()
        say({"error": f"{type(error).__name__}: {error}"[:500]})


def main() -> None:
    orders = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    path = Path(sys.argv[1]).absolute()
    forget_own_folder()
    serve(orders, answers, path, sys.argv[2] if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    main()
