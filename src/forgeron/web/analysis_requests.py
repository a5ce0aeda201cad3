"""Requests of the analysis page: positions, best lines while they are found, and the review of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from forgeron.analysis.microscope.subject import Subject
from forgeron.analysis.review import analyst_name
from forgeron.core.errors import ForgeronError
from forgeron.core.view import view_last_move
from forgeron.reports.replay_data import Change, course_data
from forgeron.web.lobby import Lobby
from forgeron.web.worker_pool import WorkerPool

#: A position is thought about for so long; whoever looks again has it thought about again.
ANALYSE_SECONDS = 15.0
LINES = 3
#: The time for each position of a review.
REVIEW_SECONDS = 0.25


class AnalysisRequests:
    """The analyses of one page. It has one of each kind at a time: the next one ends the one before it."""

    def __init__(self, lobby: Lobby, send: Callable[[dict[str, Any]], None]) -> None:
        self._lobby = lobby
        self._send = send
        self._jobs: dict[str, asyncio.Task[None]] = {}

    def look(self, message: dict[str, Any]) -> dict[str, Any]:
        """The position of a token, or the first one, and where a move leads from there."""
        _, game = self._lobby.open_game(message["game"], message["options"])
        position = game.start() if message["position"] is None else game.parse(message["position"])
        step = None
        if message["move"] is not None:
            before, position = position, position.play(message["move"])
            step = view_last_move(before, position)
        return {"event": "look", "view": position.view(), "step": step}

    def compose(self, message: dict[str, Any]) -> dict[str, Any]:
        """The position that was set up by hand; a reason when it is none."""
        _, game = self._lobby.open_game(message["game"], message["options"])
        position = game.parse(game.compose(message["places"], 1 if message["turn"] else 0))
        return {"event": "look", "view": position.view(), "step": None}

    def follow(self, message: dict[str, Any]) -> dict[str, Any]:
        """Where several moves lead from a position, or from the first one."""
        _, game = self._lobby.open_game(message["game"], message["options"])
        position = game.start() if message["position"] is None else game.parse(message["position"])
        step = None
        for move in message["moves"]:
            before, position = position, position.play(move)
            step = view_last_move(before, position)
        return {"event": "look", "view": position.view(), "step": step}

    async def share(self, message: dict[str, Any]) -> dict[str, Any]:
        """All positions of a game as data from which a board can be drawn without us."""
        _, game = self._lobby.open_game(message["game"], message["options"])

        def positions() -> list[list[Change]]:
            found = [game.start() if message["position"] is None else game.parse(message["position"])]
            for move in message["moves"]:
                found.append(found[-1].play(move))
            return course_data(found)

        return {"event": "course", "title": game.title, "boards": await asyncio.to_thread(positions)}

    def analyse(self, message: dict[str, Any]) -> None:
        """Tell the best lines of a position while they are found."""
        task = self._task(message) | {
            "do": "analyse",
            "position": message["position"],
            "lines": LINES,
            "limit": {"seconds": ANALYSE_SECONDS},
        }
        self._begin("analyse", task, message["number"])

    def review(self, message: dict[str, Any]) -> None:
        """Judge every move of a game."""
        task = self._task(message) | {
            "do": "review",
            "position": message["position"],
            "moves": message["moves"],
            "limit": {"seconds": REVIEW_SECONDS},
        }
        self._begin("review", task, message["number"])

    def microscope(self, message: dict[str, Any]) -> None:
        """Tell the steps of a search, made by plain Python in a worker of its own."""
        self._begin("microscope", self._subject(message) | {"do": "trace"}, message["number"], self._lobby.microscopes)

    def count(self, message: dict[str, Any]) -> None:
        """Count the nodes of that search, and of those in which one idea is the other way round."""
        self._begin("count", self._subject(message) | {"do": "count"}, message["number"])

    def _subject(self, message: dict[str, Any]) -> dict[str, Any]:
        path, game = self._lobby.open_game(message["game"], message["options"])
        Subject.of(message["search"], message["ideas"], message["depth"])
        chosen = {key: message[key] for key in ("position", "search", "ideas", "depth")}
        return {"game": path, "options": dict(game.chosen), "player": f"microscope:{message['search']}", **chosen}

    def rest(self) -> None:
        """The position shown needs no lines."""
        job = self._jobs.pop("analyse", None)
        if job is not None:
            job.cancel()

    def stop(self) -> None:
        """Nobody waits for anything any more."""
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()

    def _task(self, message: dict[str, Any]) -> dict[str, Any]:
        path, game = self._lobby.open_game(message["game"], message["options"])
        return {"game": path, "options": dict(game.chosen), "player": analyst_name(game), "seed": 0, "threads": 1}

    def _begin(self, kind: str, task: dict[str, Any], number: int, thinkers: WorkerPool | None = None) -> None:
        before = self._jobs.pop(kind, None)
        if before is not None:
            before.cancel()
        self._jobs[kind] = asyncio.create_task(self._work(task, number, thinkers or self._lobby.analysts))

    async def _work(self, task: dict[str, Any], number: int, thinkers: WorkerPool) -> None:
        def tell(message: dict[str, Any]) -> None:
            self._send({**message, "number": number})

        try:
            answer = await thinkers.think(task, tell)
        except ForgeronError as error:
            tell({"event": "problem", "text": str(error)})
        else:
            tell({**answer, "event": "analysed" if answer["event"] == "choice" else answer["event"]})
