"""The lobby: all games of a server, and the requests of its pages."""

from __future__ import annotations

import contextlib
import random
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from forgeron.analysis.microscope.subject import subjects
from forgeron.core.chance import random_move
from forgeron.core.errors import unknown_name
from forgeron.core.game import Game
from forgeron.core.lesson import follow
from forgeron.core.registry import game as make_game
from forgeron.core.registry import game_class, game_names
from forgeron.players import player_names
from forgeron.players.levels import DEFAULT_LEVEL, level, levels
from forgeron.web.live_game import OPEN, PACE_SECONDS, PERSON, LiveGame, Refused, Setup, Spectator, Surroundings
from forgeron.web.store import Store
from forgeron.web.worker_pool import WorkerPool

#: Games in memory; those that nobody looks at leave first.
MOST_GAMES = 2_000
#: The board that stands for a game: so far into a random game.
SAMPLE_PLIES, SAMPLE_SEED = 16, 3
_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


class Lobby:
    """Finds, makes and forgets games. A page can play registered games only, and those named when it was started."""

    def __init__(
        self,
        store: Store,
        thinkers: WorkerPool,
        quick: WorkerPool,
        analysts: WorkerPool,
        microscopes: WorkerPool,
        extra_games: Sequence[str] = (),
        pace_seconds: float = PACE_SECONDS,
    ) -> None:
        self._store = store
        self.analysts = analysts
        """workers of their own: nobody who plays waits for an analysis"""
        self.microscopes = microscopes
        """those that run plain Python, whose searches can be watched"""
        self._games: dict[str, LiveGame] = {}
        self._described_games: dict[str, dict[str, Any]] = {}
        self._known = {name: name for name in game_names()}
        for path in extra_games:
            self._known[game_class(path).name] = path
        self._around = Surroundings(thinkers, quick, self._keep, pace_seconds=pace_seconds)

    def _keep(self, live: LiveGame) -> None:
        self._store.put(live.name, live.data(), finished=live.is_over)

    def _make(self, name: str, options: dict[str, Any]) -> Game:
        if name not in self._known.values():
            raise unknown_name("game", name, self._known)
        return make_game(name, **options)

    # --- the catalogue ----------------------------------------------------------------------------------------------

    def catalogue(self) -> list[dict[str, Any]]:
        """The games with their options and levels, and for each a position of a random game to look at."""
        return [self._described(name, path) for name, path in self._known.items()]

    def _described(self, name: str, path: str) -> dict[str, Any]:
        if name not in self._described_games:
            self._described_games[name] = self._describe(name, make_game(path))
        return self._described_games[name]

    def _describe(self, name: str, game: Game) -> dict[str, Any]:
        sample, rng = game.start(), random.Random(SAMPLE_SEED)
        for _ in range(SAMPLE_PLIES):
            if sample.turn is not None:
                sample = sample.push(random_move(sample, rng))
        return {
            "name": name,
            "title": game.title,
            "summary": (type(game).__doc__ or "").strip().splitlines()[0],
            "rules": game.rules(),
            "lessons": [lesson._asdict() | {"position": str(begin)} for lesson, begin, _ in follow(game)],
            "seats": list(game.seats),
            "options": [
                {"name": key, "default": option.default, "allowed": list(option.allowed), "help": option.help}
                for key, option in game.options.items()
            ],
            "presets": {key: dict(values) for key, values in game.presets.items()},
            "levels": [one.name for one in levels(game)],
            "default_level": DEFAULT_LEVEL,
            "searches": subjects(game),
            "composes": type(game).compose is not Game.compose,
            "ratings": {
                one.name: {"elo": one.rating.elo, "error": one.rating.error, "floor": one.rating.is_floor}
                for one in levels(game)
                if one.rating is not None
            },
            "players": list(player_names(game)),
            "view": {**sample.view(), "moves": []},
        }

    # --- games ------------------------------------------------------------------------------------------------------

    def open_game(self, name: str, options: dict[str, Any]) -> tuple[str, Game]:
        """The game of this name, and what the registry calls it."""
        path = self._known.get(name)
        if path is None:
            raise unknown_name("game", name, self._known)
        return path, self._make(path, options)

    def new(self, message: dict[str, Any]) -> LiveGame:
        """A new game as a page asks for it."""
        path, game = self.open_game(message["game"], message["options"])
        for side in message["sides"]:
            if side not in (PERSON, OPEN):
                level(game, side)
        first, second = message["sides"]
        keys = tuple(message["key"] if side == PERSON else None for side in (first, second))
        clock = tuple(message["clock"]) if message["clock"] else None
        setup = Setup(
            game=path,
            options=dict(game.chosen),
            sides=(first, second),
            keys=(keys[0], keys[1]),
            owner=message["key"],
            clock=(float(clock[0]), float(clock[1])) if clock else None,
            seed=secrets.randbits(63),
        )
        return self._add(setup, game)

    def rematch(self, live: LiveGame, key: str) -> LiveGame:
        """The same again with the seats swapped; everybody at the game is told where it is."""
        if not live.is_over:
            raise Refused("a rematch comes after the game")
        if not live.setup.seats_of(key) and key != live.setup.owner:
            raise Refused("a rematch is for those who played")
        if live.rematch is not None:
            return self.find(live.rematch)
        old = live.setup
        setup = replace(
            old,
            sides=(old.sides[1], old.sides[0]),
            keys=(old.keys[1], old.keys[0]),
            seed=secrets.randbits(63),
            rematch_of=live.name,
        )
        made = self._add(setup, live.game)
        live.rematch = made.name
        live.changed()
        return made

    def _add(self, setup: Setup, game: Game) -> LiveGame:
        self._make_room()
        name = "".join(secrets.choice(_ALPHABET) for _ in range(12))
        live = self._games[name] = LiveGame(name, game, setup, self._around)
        self._keep(live)
        live.warm()
        return live

    def find(self, name: str) -> LiveGame:
        """The game of this id, from memory or from disk."""
        if name not in self._games:
            data = self._store.get(name)
            if data is None:
                raise Refused("there is no such game here")
            self._make_room()
            try:
                self._games[name] = LiveGame.of_data(name, data, self._make, self._around)
            except Exception as error:  # whatever was made of it on the disk: the other games go on
                raise Refused(f"this game cannot be read any more: {error}") from None
        return self._games[name]

    def _make_room(self) -> None:
        if len(self._games) < MOST_GAMES:
            return
        unseen = [name for name, live in self._games.items() if not live.watchers]
        if not unseen:
            raise Refused("the server has as many games as it can hold; try again later")
        for name in random.sample(unseen, min(len(unseen), MOST_GAMES // 10)):
            self._games.pop(name).close()

    def recent(self, key: str) -> list[dict[str, Any]]:
        """The latest games of a browser."""
        found = []
        names_of = {path: name for name, path in self._known.items()}
        for one in self._store.recent(200):
            with contextlib.suppress(KeyError, TypeError):  # a game that was damaged on the disk
                setup = one["setup"]
                if key in (*setup["keys"], setup["owner"]):
                    names = [side if side not in (PERSON, OPEN) else "human" for side in setup["sides"]]
                    found.append(
                        {
                            "id": one["id"],
                            "game": names_of.get(setup["game"], "another game"),
                            "sides": names,
                            "updated": one["updated"],
                        }
                        | {"plies": len(one["saved"]["moves"]), "result": one["result"]}
                    )
        return found[:12]

    def leave(self, watcher: Spectator) -> None:
        """The page looks at nothing any more."""
        for live in self._games.values():
            live.leave(watcher)

    def close(self) -> None:
        for live in self._games.values():
            live.close()
