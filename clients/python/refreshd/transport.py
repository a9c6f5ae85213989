"""Connections: the interface that a session needs, and its implementation with the library `websockets`."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol
from urllib.parse import urlsplit

from .errors import ConnectFailed, ConnectionLost
from .protocol import SUBPROTOCOL

ANSWER_BYTES_MAX = 16_384
OPEN_SECONDS = 10.0
CLOSE_SECONDS = 5.0
RETRY_AFTER_SECONDS_MAX = 60.0
SESSION_PATH = "/v1/session"
"""The path at which a daemon serves sessions (docs/protocol.md, Transport)."""
SCHEMES = ("ws", "wss")
REFUSING = (400, 403, 404)
"""The statuses of an upgrade that are not tried again before the first `welcome` (docs/protocol.md, Transport)."""


class Transport(Protocol):
    """One open WebSocket connection with the subprotocol `refresh.v1`."""

    async def send(self, text: str) -> None:
        """Sends a text frame. The frames of several tasks are sent in the order of the calls. Raises ConnectionLost."""

    async def receive(self) -> str:
        """Returns the next text frame. Raises ConnectionLost with the close code at the end."""

    async def close(self) -> None:
        """Closes the connection with a close frame."""

    def abort(self) -> None:
        """Ends the connection at once, without a close frame."""


Connector = Callable[[str], Awaitable[Transport]]
"""Opens a connection to a URL. Raises ConnectFailed if that is not possible at the moment."""


class WebSocketTransport:
    """A connection of the library `websockets`, from version 10.4 on."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    async def send(self, text: str) -> None:
        import websockets
        try:
            await self.socket.send(text)
        except websockets.ConnectionClosed as closed:
            raise ConnectionLost(close_code(closed)) from closed

    async def receive(self) -> str:
        import websockets
        try:
            frame = await self.socket.recv()
        except websockets.ConnectionClosed as closed:
            raise ConnectionLost(close_code(closed)) from closed
        return frame if isinstance(frame, str) else bytes(frame).decode("utf-8", "replace")

    async def close(self) -> None:
        await self.socket.close()

    def abort(self) -> None:
        self.socket.transport.abort()


def close_code(closed: Any) -> int:
    """Returns the close code that was received, or 1006 if none was."""
    return closed.rcvd.code if closed.rcvd else 1006


def websocket(
    *, headers: Mapping[str, str] | None = None, ssl: Any = None, open_seconds: float = OPEN_SECONDS,
) -> Connector:
    """Returns a connector that uses the library `websockets`.

    `headers` are sent with the upgrade, for a proxy in front of the daemon. `ssl` is an `ssl.SSLContext` for `wss://`;
    without it, the authorities of the system are trusted.
    """
    async def connect(url: str) -> Transport:
        import websockets
        from websockets.version import version
        checked(url)
        if ssl is not None and urlsplit(url).scheme != "wss":
            raise ValueError(f"ssl is for a URL that begins with wss://, and not for {url}")
        is_old = int(version.split(".")[0]) < 14
        options: dict[str, Any] = {"extra_headers" if is_old else "additional_headers": headers}
        if ssl is not None:
            options["ssl"] = ssl
        if is_old:
            options["create_protocol"] = old_protocol()
        try:
            # The session checks by `ping` whether the daemon is alive, so the library sends no pings.
            return WebSocketTransport(await websockets.connect(
                url, subprotocols=[websockets.Subprotocol(SUBPROTOCOL)], compression=None, max_size=None,
                ping_interval=None, open_timeout=open_seconds, close_timeout=CLOSE_SECONDS, **options))
        except (OSError, EOFError, websockets.InvalidHandshake) as error:
            raise ConnectFailed(
                reason(error), retry_after(error), answered_status(error), explained_answer(error)) from error
        except websockets.InvalidURI as error:
            if error.uri == url:
                raise
            raise ConnectFailed(f"redirected to {error.uri}, which is not the URL of a session") from error
        except ValueError as error:  # the URL was checked, so it is the one of a redirection
            raise ConnectFailed(f"redirected to what is not a URL: {error}") from error
    return connect


def old_protocol() -> Any:
    """Returns a protocol for `websockets` before version 14, which by itself does not read the body of a refusal."""
    import websockets

    class Protocol(websockets.WebSocketClientProtocol):  # type: ignore[misc, name-defined, unused-ignore]
        async def handshake(self, *arguments: Any, **options: Any) -> None:
            refused: Any = getattr(websockets, "InvalidStatusCode")
            try:
                await super().handshake(*arguments, **options)
            except refused as error:
                with contextlib.suppress(ValueError, OSError, EOFError, asyncio.IncompleteReadError):
                    length = int(error.headers.get("Content-Length", 0))
                    error.body = await self.reader.readexactly(min(length, ANSWER_BYTES_MAX))
                raise
    return Protocol


def reason(error: BaseException) -> str:
    """Returns what a failed attempt reports, with the daemon's answer."""
    answer = explained_answer(error)
    return (str(error) or type(error).__name__) + (f" ({answer})" if answer else "")


def explained_answer(error: BaseException) -> str | None:
    """Returns `code` and `message` of the answer that refuses an upgrade, as a daemon sends them in its body."""
    body = getattr(getattr(error, "response", error), "body", None)
    with contextlib.suppress(ValueError, TypeError, KeyError):
        found = json.loads(bytes(body)[:ANSWER_BYTES_MAX])  # type: ignore[arg-type]
        return f"{found['code']}: {found['message']}"
    return None


def checked(url: str) -> str:
    """Returns a URL of a session as it is. Raises ValueError if it is not a URL with `ws` or `wss` and a host, or if
    its port is not from 1 to 65535.
    """
    example = f"such as ws://127.0.0.1:8080{SESSION_PATH}"
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise ValueError(f"{url} is not the URL of a session, {example}: {error}") from error
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme not in SCHEMES:
        raise ValueError(f"{url} is not the URL of a session: it must begin with ws:// or wss://, {example}")
    if not host or port == 0:
        raise ValueError(
            f"{url} is not the URL of a session: it must name a host, and a port from 1 to 65535, {example}")
    return url


def is_refusal(failure: ConnectFailed) -> bool:
    """Whether the next attempt would be refused too. After a `welcome`, a proxy may answer so for a while."""
    return failure.status in REFUSING


def refusal(url: str, failure: ConnectFailed) -> str:
    """Returns an explanation that names the URL, the status, the daemon's answer, and for 404 the path of sessions."""
    answer = f" ({failure.answer})" if failure.answer else ""
    hint = f"; a daemon serves sessions at the path {SESSION_PATH}" if failure.status == 404 else ""
    return f"{url} was refused with the status {failure.status}{answer}{hint}"


def answered_status(error: BaseException) -> int | None:
    """Returns the HTTP status of an answer that refuses the upgrade; None if the error has no answer."""
    answer = getattr(error, "response", error)  # before version 14, the error itself has the status
    status = getattr(answer, "status_code", None)
    return status if isinstance(status, int) else None


def retry_after(error: BaseException) -> float:
    """Returns the seconds in the header `Retry-After` of an answer that refuses the upgrade; 0 if there are none."""
    answer = getattr(error, "response", error)  # before version 14, the error itself has the headers
    headers = getattr(answer, "headers", None) or {}
    with contextlib.suppress(ValueError, TypeError):
        return min(max(float(headers.get("Retry-After", 0)), 0.0), RETRY_AFTER_SECONDS_MAX)
    return 0.0
