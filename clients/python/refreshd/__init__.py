"""A client of refreshd, which owns pull-to-refresh and load-more for thin clients.

    async with refreshd.connect("ws://127.0.0.1:8080/v1/session") as session:
        view = await session.attach("list", feed="packages", requests_items=True)
        async for event in session:
            if isinstance(event, refreshd.ItemsReceived):
                print(len(view.items))

docs/protocol.md specifies the protocol. `refreshd.protocol` has its types and tables.
"""

from typing import Any

from . import protocol
from .anchors import Row
from .errors import ConnectFailed, ConnectionLost, OutboxFull, Refused, RefreshError, SessionClosed
from .events import (
    Connected, Disconnected, Draining, Edited, Event, Faulted, Ignored, ItemsReceived, LoadChanged, LoadRequested,
    ViewChanged)
from .protocol import VERSION as __version__
from .sections import Section
from .session import Session
from .timing import Backoff, Clock
from .transport import Connector, Transport, WebSocketTransport, checked, websocket
from .view import View

__all__ = [
    "Backoff", "Clock", "ConnectFailed", "Connected", "ConnectionLost", "Connector", "Disconnected", "Draining",
    "Edited", "Event", "Faulted", "Ignored", "ItemsReceived", "LoadChanged", "LoadRequested", "OutboxFull", "Refused",
    "RefreshError", "Row", "Section", "Session", "SessionClosed", "Transport", "View", "ViewChanged", "WebSocketTransport", "__version__",
    "connect", "protocol", "websocket"]


def connect(url: str, **options: Any) -> Session:
    """Returns a session with a daemon, such as `ws://127.0.0.1:8080/v1/session`.

    Use it as `async with refreshd.connect(url) as session`: at the end of the block the session is closed. `options`
    are those of `Session`. Raises ValueError if the URL has another scheme than `ws` and `wss`, or no host.
    """
    return Session(checked(url), **options)
