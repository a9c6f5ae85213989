"""The events that a session yields. Each event of a message has the message, as docs/protocol.md describes it."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from .errors import Refused
from .protocol import FAULTS, DiagnosticCode, EditRefusal, FaultCode, FreshReason, LoadKind, LoadPhase
from .view import View


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened. A message whose type is not known is a plain event."""

    message: dict[str, Any] | None = None
    """The message of the daemon. None if the event is not a message."""
    view: View | None = None
    """The view that the event is about."""


@dataclass(frozen=True, kw_only=True)
class Connected(Event):
    """The daemon has answered `hello`.

    If the session was not resumed and is not the first one, all views begin anew. Their items stay until new ones
    arrive.
    """

    session: str
    """The name of the session, here and in the logs of the daemon."""
    is_resumed: bool
    is_first: bool
    """Whether this is the first connection of the session object."""
    reason: FreshReason | None
    """Why a session could not be resumed."""


@dataclass(frozen=True, kw_only=True)
class Disconnected(Event):
    """The connection has ended, or could not be made. The session connects again by itself.

    `code` states which: without a connection it is None.
    """

    code: int | None
    """The close code; None if no connection was made."""
    explanation: str
    retry_seconds: float | None
    """The seconds until the next attempt. None if the session is in the background, and waits for `foreground`."""


@dataclass(frozen=True, kw_only=True)
class ViewChanged(Event):
    """A view was attached, or some of its values have changed. `message` has only these values; `view` has all."""

    view: View


@dataclass(frozen=True, kw_only=True)
class ItemsReceived(Event):
    """A load succeeded, or items have changed without a load. `view.items` already has the items."""

    view: View
    items: list[Any]
    """The items of this page alone; after a patch, all items of the list. They are without the edits of `View.edit`."""
    previous: list[Any]
    """All items that the view had before."""
    first_row: int | None = None
    """With random access, the row of the first of these items."""


@dataclass(frozen=True, kw_only=True)
class Edited(Event):
    """An edit has its answer. `view.items` already is the list without it, or with what the backend has made of it."""

    view: View
    edit: str
    """The name that `View.edit` has returned."""
    result: Literal["confirmed", "replaced", "rolledBack"]
    key: str | int | None
    """With `replaced`, the key of the item as it is now."""
    code: FaultCode | EditRefusal | None
    """With `rolledBack`, why nothing was changed."""
    explanation: str | None
    is_temporary: bool
    """Whether the same operation may succeed later."""
    previous: list[Any]
    """All items that the view had before."""


@dataclass(frozen=True, kw_only=True)
class LoadChanged(Event):
    """A load began, continues, or ended without items."""

    view: View
    load: str | None
    phase: LoadPhase
    explanation: str | None
    """Why the load failed."""


@dataclass(frozen=True, kw_only=True)
class LoadRequested(Event):
    """The client is the backend, and loads these items. It answers by `View.finish_load`."""

    view: View
    load: str
    kind: LoadKind


@dataclass(frozen=True, kw_only=True)
class Faulted(Event):
    """The daemon has refused a message or a connection. `protocol.FAULTS` explains the codes."""

    code: FaultCode
    explanation: str
    """A sentence, with the field in parentheses."""
    is_temporary: bool
    field: str | None = None
    """The field of the message that the daemon refuses."""
    dropped: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    """The requests that were dropped, because the daemon has refused the frame in which `hello` repeated them."""


@dataclass(frozen=True, kw_only=True)
class Ignored(Event):
    """The daemon has ignored a part of a message, or has noticed a mistake of the client (`diagnostics=True`).

    `protocol.DIAGNOSTICS` explains the codes. For a mistake, `message["page"]` names a section of the documentation.
    """

    code: DiagnosticCode
    explanation: str
    """A sentence, with the field and the suggestion in parentheses."""
    field: str | None = None
    """The path of the field that the daemon ignores, such as `top.triger`."""
    suggestion: str | None = None
    """The known name that is most similar."""


@dataclass(frozen=True, kw_only=True)
class Draining(Event):
    """The daemon stops soon. The session then resumes at another daemon, or after the restart."""

    closes_ms: float


def explained(message: dict[str, Any]) -> str:
    """Returns the sentence of a fault or diagnostic, and in parentheses its field and its suggestion."""
    place = [f"field {message['field']}"] if "field" in message else []
    place += [f"did you mean {message['suggestion']}?"] if "suggestion" in message else []
    return f"{message['message']} ({'; '.join(place)})" if place else str(message["message"])


FRAME_FAULTS = (
    "malformedJSON", "invalidText", "binaryFrame", "frameTooLarge", "depthExceeded", "stringTooLong", "numberOutOfRange",
    "batchTooLong")
"""The faults that concern a whole frame (docs/protocol.md, Faults)."""


def is_frame_refused(message: dict[str, Any]) -> bool:
    """Whether a message before `welcome` states that the daemon refuses the whole frame of `hello`."""
    return message["type"] == "error" and message.get("code") in FRAME_FAULTS


def check_hello(message: dict[str, Any]) -> None:
    """Raises Refused if a message before `welcome` states that the daemon refuses `hello`, also the next time."""
    if message["type"] == "error" and not message["temporary"]:
        code = message["code"]
        raise Refused(
            f"the daemon refuses hello: {code}: {explained(message)}", FAULTS[code].closes if code in FAULTS else None)


def event_of(message: dict[str, Any], view: View | None, previous: list[Any]) -> Event:
    """Returns the event of a message. `view` is the view that it is about; `previous` has the view's earlier items."""
    match message["type"]:
        case "error":
            return Faulted(
                message=message, view=view, code=message["code"], explanation=explained(message),
                is_temporary=message["temporary"], field=message.get("field"))
        case "diagnostic":
            return Ignored(
                message=message, view=view, code=message["code"], explanation=explained(message),
                field=message.get("field"), suggestion=message.get("suggestion"))
        case "draining":
            return Draining(message=message, closes_ms=message["closes"])
    if view is None:
        return Event(message=message)
    match message["type"]:
        case "attached" | "update":
            return ViewChanged(message=message, view=view)
        case "items" if "items" in message:
            return ItemsReceived(
                message=message, view=view, items=message["items"], previous=previous,
                first_row=view.access.first_row(message))
        case "edited":
            return Edited(
                message=message, view=view, edit=message["edit"], result=message["result"], key=message.get("key"),
                code=message.get("code"), explanation=message.get("message"),
                is_temporary=message.get("temporary", False), previous=previous)
        case "loading":
            return LoadChanged(
                message=message, view=view, load=message.get("load"), phase=message["phase"],
                explanation=message.get("message"))
        case "load":
            return LoadRequested(message=message, view=view, load=message["load"], kind=message["kind"])
    return Event(message=message, view=view)
