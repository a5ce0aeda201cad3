"""Yolah over a websocket, as the author's server speaks it: JSON messages, and bots connect to the referee.

The first player sends `new`, the second `join`; after that a bot gets `game state` messages, and `your move`, which
it answers with `my move`. A third program may `watch`. docs/protocol.md has all messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from forgeron import ForgeronError, Game, NotationError, Position
from forgeron.games.yolah.text import cells
from forgeron.protocol import (
    BotFault,
    BotSide,
    Broadcast,
    MoveRequest,
    Protocol,
    Reason,
    RefusedMessageError,
    Reply,
    Role,
    WebSocketReferee,
    shown,
)

#: The sets of squares in a state: the author's names and the letters of our notation. `empty` squares were left.
_SETS = (("black", "b"), ("white", "w"), ("empty", "x"))


def read_message(message: str) -> dict[str, Any] | None:
    """The JSON object of a message, or None for what is no object with a type."""
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("type"), str) else None


def state_of(position: Position, ply: int) -> dict[str, str]:
    """The state in the words of the author's server: sets of squares as numbers, a1 the lowest bit."""
    squares = cells(position.state)
    sets = {name: str(sum(1 << i for i, cell in enumerate(squares) if cell == letter)) for name, letter in _SETS}
    black, white = position.scores
    turn = position.turn if position.turn in (0, 1) else ply % 2
    # The number of plies tells who is to move; from another first position it may be one off.
    return sets | {"black score": str(black), "white score": str(white), "ply": str(ply + (ply + turn) % 2)}


def position_of(game: Game, state: dict[str, Any]) -> Position:
    """The position of a `game state` message; numbers may be texts."""
    number = {name.replace("_", " "): int(value) for name, value in state.items() if str(value).lstrip("-").isdigit()}
    ranks = []
    for y in range(7, -1, -1):
        row = ""
        for x in range(8):
            bit = 1 << 8 * y + x
            row += next((letter for name, letter in _SETS if number[name] & bit), "1")
        ranks.append(row)
    turn = "bw"[number["ply"] % 2]
    return game.parse(f"{'/'.join(ranks)}:{turn}:{number['black score']}:{number['white score']}")


class YolahReferee(WebSocketReferee):
    """The server's half of a game."""

    def admit(self, message: str, role: Role, *, seat_free: bool) -> Role:
        found = read_message(message)
        if found is None:
            raise _refused("a message is a JSON object with a type")
        if role == "player":
            return "player"
        keys, kind = self.setup.keys, found["type"]
        if kind == "watch" and found.get("watch key") == keys.watch:
            return "watcher"
        if kind in ("new", "join") and seat_free:
            if kind == "join" and found.get("join key") != keys.join:
                raise _refused("there is no game with this key")
            return "player"
        if role == "watcher":
            return "watcher"
        raise _refused("send new, join with the join key, or watch with the watch key")

    def greet(self, message: str) -> Sequence[str]:
        keys = self.setup.keys
        init = json.dumps({"type": "init", "join key": keys.join, "watch key": keys.watch})
        return [init, self._state(self.setup.game.start(), 0)]

    def ask(self, request: MoveRequest) -> Sequence[str]:
        return [self._state(request.position, len(request.moves)), json.dumps({"type": "your move"})]

    def is_answer(self, message: str) -> bool:
        found = read_message(message)
        return found is not None and found["type"] == "my move"

    def read(self, message: str, request: MoveRequest) -> Reply:
        found = read_message(message) or {}
        move = str(found.get("move", "")).strip()
        if not move:
            raise BotFault(Reason.PROTOCOL, f"its message {shown(str(found))} has no move")
        return Reply(move)

    def told(self, request: MoveRequest) -> Sequence[str]:
        if request.seat == self.setup.seat or request.position.turn is None:
            return [self._state(request.position, len(request.moves))]
        return []

    def _state(self, position: Position, ply: int) -> Broadcast:
        return Broadcast(json.dumps({"type": "game state", "state": state_of(position, ply)}))


def _refused(why: str) -> RefusedMessageError:
    return RefusedMessageError(json.dumps({"type": "error", "message": why}))


class YolahBot(BotSide):
    """A player on a server: it opens a game, or joins the one of its key, and leaves when the game is over."""

    def hello(self) -> Sequence[str]:
        name, key = self.setup.name, self.setup.key
        return [json.dumps({"type": "join", "join key": key, "info": name} if key else {"type": "new", "info": name})]

    def hear(self, message: str) -> Sequence[str]:
        found = read_message(message)
        if found is None:
            raise NotationError(f"the server sent {shown(message)}, which is no JSON object with a type")
        match found["type"]:
            case "game state":
                self.position = position_of(self.setup.game, found["state"])
                # The author's server hangs up only on the player who moved last: the other one must leave by itself.
                self.over = self.position.turn is None
                if self.over:
                    self.notes.append("the game is over, {} : {}".format(*self.position.scores))
            case "your move":
                self.asked = True
            case "init":
                self.notes.append(f"join key {found['join key']}, watch key {found['watch key']}")
            case "error":
                raise ForgeronError(f"the server says: {found.get('message')}")
        return []

    def say(self, moves: Sequence[str], after: Position) -> Sequence[str]:
        return [json.dumps({"type": "my move", "move": move}) for move in moves]


class YolahWebSocket(Protocol):
    """The messages of the author's server; a bot connects to the referee."""

    name = "yolah-ws"
    game_name = "yolah"
    transport = "websocket"
    answer_help = 'answer {"type": "your move"} with {"type": "my move", "move": "d5:b7"}'
    referee_side = YolahReferee
    bot_side = YolahBot
    ready_help = "it did not connect to {url} and send 'new' or 'join'"
