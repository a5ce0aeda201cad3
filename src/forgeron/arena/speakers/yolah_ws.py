"""Our players on a Yolah server: connect, open or join a game, and answer `your move` with `my move`."""

from __future__ import annotations

import json
import sys
from typing import Any

from forgeron.arena.protocols.door import need_websockets
from forgeron.core.errors import ForgeronError
from forgeron.core.position import Position
from forgeron.players.base import Limit, Player


def speak(player: Player, limit: Limit, url: str, join_key: str = "") -> None:
    """Play one game: a new one, or with a key the one it belongs to. Ends when the server closes the connection."""
    client, wrong = need_websockets("sync.client"), need_websockets("exceptions")
    name = f"forgeron {player.name}"
    hello = {"type": "join", "join key": join_key, "info": name} if join_key else {"type": "new", "info": name}
    try:
        with client.connect(url, proxy=None, compression=None, ping_timeout=None) as connection:
            connection.send(json.dumps(hello))
            _serve(player, limit, connection)
    except OSError as error:
        raise ForgeronError(f"there is no server at {url}: {error.strerror or error}") from None
    except wrong.ConnectionClosed:
        return
    except wrong.WebSocketException as error:
        raise ForgeronError(f"{url} is no websocket server: {error}") from None


def _serve(player: Player, limit: Limit, connection: Any) -> None:
    position = player.game.start()
    for text in connection:
        message = json.loads(text)
        match message.get("type"):
            case "game state":
                position = position_of(player, message["state"])
            case "your move":
                connection.send(json.dumps({"type": "my move", "move": player.choose(position, limit).move}))
            case "init":
                print(f"join key {message['join key']}, watch key {message['watch key']}", file=sys.stderr, flush=True)
            case "error":
                raise ForgeronError(f"the server says: {message.get('message')}")


def position_of(player: Player, state: dict[str, Any]) -> Position:
    """The position of a `game state` message; numbers may be texts."""
    number = {name.replace("_", " "): int(value) for name, value in state.items() if str(value).lstrip("-").isdigit()}
    ranks = []
    for y in range(7, -1, -1):
        row = ""
        for x in range(8):
            bit = 1 << 8 * y + x
            row += next((c for name, c in _LETTERS if number[name] & bit), "1")
        ranks.append(row)
    turn = "bw"[number["ply"] % 2]
    return player.game.parse(f"{'/'.join(ranks)}:{turn}:{number['black score']}:{number['white score']}")


_LETTERS = (("black", "b"), ("white", "w"), ("empty", "x"))
