"""Who may talk to the server: its own pages, opened by those who have the link, and nobody else.

The threat is any other page in the same browser, anybody on the same network, and other users of the same machine, bots
that play with a user id of their own among them. Against the first: requests must come to a name we answer to (a page
elsewhere may have its own name point at us), and a socket must be opened by our own page. Against the others: the
server listens on this machine only, to the user who started it, or asks for a token that is in the link it prints.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "forgeron"
Address = tuple[str, int]
IsStranger = Callable[[Address | None, Address | None], bool]
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Guard:
    """Lets through what is allowed, refuses the rest, and puts the protecting headers on every answer."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = LOOPBACK,
        token: str | None = None,
        *,
        is_stranger: IsStranger = lambda _client, _server: False,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        """names we answer to; without a token only"""
        self._token = token
        self._is_stranger = is_stranger
        """whether who connected from this address to that one is another user; without a token only"""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        why = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if why is not None:
                await _close(receive, send)
                return
            await self._app(scope, receive, send)
            return
        answer = self._entry(scope) if self._token else None
        if answer is None and why is not None:
            answer = PlainTextResponse(why + "\n", status_code=403)
        await (answer or self._app)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> str | None:
        """Why this request is refused; None when it is not."""
        host = headers.get("host", "")
        if self._token is None:
            if _name_of(host) not in self._hosts:
                return "this server answers to its own address only"
            if self._is_stranger(scope.get("client"), scope.get("server")):
                return "this server is for the user who started it; with --host it has a link for others"
        elif not _same(_cookie(headers.get("cookie", "")), self._token):
            return "open the link that the server printed when it was started"
        origin = headers.get("origin")
        if scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD"):
            if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
                return "requests from other pages are refused"
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return "requests from other pages are refused"
        return None

    def _entry(self, scope: Scope) -> Response | None:
        """The printed link: its token becomes a cookie, and does not stay in the address."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
        if not given or not _same(given[0], self._token or ""):
            return None
        answer = RedirectResponse(scope["path"], status_code=303)
        answer.set_cookie(COOKIE, self._token or "", httponly=True, samesite="strict", max_age=30 * 86_400)
        return answer


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                *message.get("headers", []),
                *((name.lower().encode(), value.encode()) for name, value in _HEADERS.items()),
            ]
        await send(message)

    return sending


async def _close(receive: Receive, send: Send) -> None:
    """Refuse a socket before it is open: the browser sees a 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    return (host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host).lower()


def _cookie(header: str) -> str:
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())
