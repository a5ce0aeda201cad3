"""Our players on somebody's websocket server: connect, play one game, leave when it is over."""

from __future__ import annotations

from forgeron.bots.protocol_bot import ProtocolBot
from forgeron.bots.websockets_extra import need_websockets
from forgeron.core.errors import ForgeronError


def play_on_server(bot: ProtocolBot, url: str) -> None:
    """Play one game on the server at this address."""
    client, wrong = (need_websockets(part, bot.protocol.name) for part in ("sync.client", "exceptions"))
    try:
        with client.connect(url, proxy=None, compression=None, ping_timeout=None) as connection:
            bot.run(connection, connection.send)
    except OSError as error:
        raise ForgeronError(f"there is no server at {url}: {error.strerror or error}") from None
    except wrong.ConnectionClosed:
        return
    except wrong.WebSocketException as error:
        raise ForgeronError(f"{url} is no websocket server: {error}") from None
