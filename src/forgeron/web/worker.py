"""A process that thinks: it reads tasks from its standard input, a JSON object a line, and writes what it finds.

It thinks about one task at a time, in a thread of its own, so that it hears "stop" meanwhile. When its input ends, the
server is gone, and so is the worker.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from forgeron.core.errors import ForgeronError
from forgeron.core.game import Game
from forgeron.core.jit import JIT
from forgeron.core.position import Position
from forgeron.core.registry import game as make_game
from forgeron.players import player as make_player
from forgeron.players.base import Choice, Limit, Player, Thought

#: Players that are kept between tasks: each may hold tables of many megabytes.
KEPT_PLAYERS = 4
#: Progress is told at most so often.
THOUGHT_SECONDS = 0.1


class SearchWorker:
    """Does one task after the other; `say` takes the messages for the server."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say = say
        if JIT:  # plain Python needs no compiler, and starts faster without it
            from forgeron.core import cache

            cache.announce = self._announce
        self._players: OrderedDict[str, Player] = OrderedDict()
        self._lock = threading.Lock()
        self._task: int | None = None
        self._thinking: Player | None = None
        self._stopped: set[int] = set()

    def do(self, task: dict[str, Any]) -> None:
        """Think; whatever goes wrong is told, and the worker is ready for the next task."""
        with self._lock:
            self._task = task["id"]
        try:
            self._say({"id": task["id"], **self._think(task)})
        except ForgeronError as error:
            self._say({"id": task["id"], "event": "failed", "error": str(error)})
        except Exception as error:
            self._say({"id": task["id"], "event": "failed", "error": f"{type(error).__name__}: {error}"})
        finally:
            with self._lock:
                self._task = self._thinking = None
                self._stopped.discard(task["id"])

    def stop(self, number: int) -> None:
        """Have the task of this number answer at once with the best it has."""
        with self._lock:
            self._stopped.add(number)
            if number == self._task and self._thinking is not None:
                self._thinking.stop()

    def _think(self, task: dict[str, Any]) -> dict[str, Any]:
        game = make_game(task["game"], **task["options"])
        if task["do"] in ("trace", "count"):
            return self._look(task, game)
        player = self._player(game, task)
        if task["do"] == "warm":
            return {"event": "ready"}
        with self._lock:
            self._thinking = player
            limit = Limit(nodes=1) if task["id"] in self._stopped else Limit(**task["limit"])
        position = game.start() if task["position"] is None else game.parse(task["position"])
        player.seed = task["seed"]
        if task["do"] == "review":
            return self._review(task, position, player, limit)
        if task["do"] == "analyse":
            choice = player.analyse(position, limit, lines=task["lines"], listener=self._listener(task["id"]))
        else:
            choice = player.choose(position, limit)
        return {"event": "choice", **_choice_data(choice)}

    def _review(self, task: dict[str, Any], position: Position, player: Player, limit: Limit) -> dict[str, Any]:
        from forgeron.analysis.review import review_game

        positions = [position]
        for move in task["moves"]:
            positions.append(positions[-1].play(move))

        def progress(done: int, total: int) -> None:
            if task["id"] in self._stopped:
                raise ForgeronError("the review was stopped")
            self._say({"id": task["id"], "event": "reviewing", "done": done, "total": total})

        review = review_game(positions, player, limit, progress)
        sides = [review.side(0).to_data(), review.side(1).to_data()]
        moves = [one.to_data() for one in review.moves]
        return {"event": "reviewed", "course": review.course, "moves": moves, "sides": sides}

    def _look(self, task: dict[str, Any], game: Game) -> dict[str, Any]:
        """The microscope: the steps of a search, or the nodes of it and of its neighbours."""
        from forgeron.analysis.microscope.microscope import UNITS, count_nodes, look_into
        from forgeron.analysis.microscope.subject import Subject

        number, position = task["id"], game.parse(task["position"])
        subject = Subject.of(task["search"], task["ideas"], task["depth"])
        if task["do"] == "trace":
            self._say({"id": number, "event": "trace", "steps": [], "unit": UNITS[subject.search]})
            effort = look_into(
                position,
                subject,
                lambda steps: self._say({"id": number, "event": "trace", "steps": steps}),
                lambda: number in self._stopped,
            )
            return {"event": "traced", **effort.to_data()}
        for one in [subject, *subject.neighbours()]:
            if number in self._stopped:
                break
            effort = count_nodes(position, one, self._set_thinking)
            self._say({"id": number, "event": "counting", "ideas": sorted(one.ideas), **effort.to_data()})
        return {"event": "counted"}

    def _set_thinking(self, player: Player) -> None:
        with self._lock:
            self._thinking = player

    def _player(self, game: Game, task: dict[str, Any]) -> Player:
        key = json.dumps([task["game"], task["options"], task["player"], task["threads"]], sort_keys=True)
        if key not in self._players:
            self._players[key] = make_player(task["player"], game, threads=task["threads"])
            if len(self._players) > KEPT_PLAYERS:
                self._players.popitem(last=False)
        self._players.move_to_end(key)
        return self._players[key]

    def _announce(self, what: str) -> Callable[[float], None]:
        """Compiling is told to the server, which shows it on the page."""
        self._say({"id": self._task, "event": "compiling", "what": what})

        def done(seconds: float) -> None:
            if not math.isnan(seconds):
                self._say({"id": self._task, "event": "compiled", "what": what, "seconds": round(seconds, 2)})

        return done

    def _listener(self, number: int) -> Callable[[Thought], None]:
        told = -math.inf

        def listen(thought: Thought) -> None:
            nonlocal told
            if thought.seconds - told >= THOUGHT_SECONDS:
                told = thought.seconds
                lines = [asdict(line) for line in thought.lines]
                self._say({"id": number, "event": "thought", **asdict(thought), "lines": lines})

        return listen


def _choice_data(choice: Choice) -> dict[str, Any]:
    return {**asdict(choice), "proven": choice.proven}


def main() -> None:
    """Serve until the input ends."""
    output = sys.stdout
    sys.stdout = sys.stderr  # a game or player that prints must not break the stream of messages
    lock = threading.Lock()

    def say(message: dict[str, Any]) -> None:
        with lock:
            output.write(json.dumps(message) + "\n")
            output.flush()

    worker = SearchWorker(say)
    tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()

    def work() -> None:
        np.seterr(over="ignore")  # machine words wrap around, in plain Python too
        while True:
            worker.do(tasks.get())

    threading.Thread(target=work, daemon=True).start()
    for line in sys.stdin:
        message = json.loads(line)
        if message["do"] == "stop":
            worker.stop(message["id"])
        else:
            tasks.put(message)
    os._exit(0)  # a thread that compiles cannot be asked to end


if __name__ == "__main__":
    main()
