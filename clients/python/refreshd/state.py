"""What a session keeps when its connection ends: its credentials, and the messages sent and received.

This module does no input or output. docs/protocol.md, Coming back, specifies the rules.
"""

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .bounds import BODY_DEPTH, check_bounds
from .checking import checked_features
from .edits import PendingEdits
from .errors import OutboxFull, SessionClosed
from .protocol import LIMITS, PROTOCOL, FramesMode, FrameOptions
from .view import View

Message = dict[str, Any]

OUTBOX_MAX = 10_000
"""The most messages that can wait for an acknowledgement. The samples of one movement count three times at most."""

MOVING = ("dragging", "decelerating")
"""The phases of the samples between `began`, `ended` and `idle`."""

RESTORED_GAP = 1000
"""How far the numbers of a restored session are beyond the saved number: the other process may have sent more since."""

STATE_VERSION = 1
"""The version of the text that `saved_state` returns."""

SETTINGS = ("appear", "configure", "disappear", "enable", "geometry")
"""The messages that set a value. In a fresh session, a later one must follow an earlier one that `hello` repeats."""

HEARTBEAT_SECONDS = LIMITS["heartbeatMs"] / 1000
FEATURE_MESSAGES = {"reveal": "unread", "read": "unread"}


def encoded(value: Any) -> str:
    """Returns a frame as JSON. Raises ValueError for a number that JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def decoded(text: str) -> list[Message]:
    """Returns the messages of a frame. Raises ValueError if the frame is not JSON. What is no message is left out."""
    received = json.loads(text)
    found = received if isinstance(received, list) else [received]
    return [one for one in found if isinstance(one, dict) and isinstance(one.get("type"), str)]


def is_sample(message: Message) -> bool:
    """Whether a later sample of the same movement supersedes this message."""
    return message["type"] in ("scroll", "pan") and message.get("phase") in MOVING


def supersedes(later: Message, earlier: Message) -> bool:
    """Whether both are samples of one movement, so that the daemon needs only the later one."""
    return (is_sample(earlier) and is_sample(later) and later.get("view") == earlier.get("view")
            and later.get("cause") == earlier.get("cause"))


def thinned(kept: Sequence[Message]) -> list[Message]:
    """Returns the messages without the samples that the next message supersedes."""
    return [one for one, behind in zip(kept, [*kept[1:], None])
            if behind is None or not supersedes(behind, one)]


class SessionState:
    """The state of a session, from its first `hello` to its end."""

    def __init__(
        self, *, token: str | None = None, client: str = "refreshd-python", features: Iterable[str] | None = None,
        frames: FramesMode | FrameOptions | None = None, headers: dict[str, str] | None = None,
        diagnostics: bool = False, snapshots: bool = True, state: str | None = None,
    ) -> None:
        self.token = token
        self.client = client
        self.features = checked_features(features)
        self.frame_options = frames
        self.headers = headers
        self.diagnostics = diagnostics
        self.snapshots = snapshots
        self.views: dict[str, View] = {}
        self.served: list[str] | None = None  # the features in the last `welcome`
        self.covered: set[str] = set()  # the views that are not in sight
        self.hidden: set[str] = set()  # of these, the views that disappeared with the app
        # By name, the kinds of the views of the restored session that were not attached yet; None: it is not known.
        self.restored: dict[str, Any] = {}
        self.restored_edits: dict[str, Any] = {}  # by name, the edits of these views
        self.is_alone = False  # whether the next `hello` repeats no messages, because the last such frame was refused
        self.repeated: set[int] = set()  # the numbers in the frame of the last `hello`
        self.dropped: list[Message] = []  # the messages of this frame, until they are reported
        self.doubtful: dict[str, Message] = {}  # by view, its last query that was dropped since the last `welcome`
        self.seq = 0
        self.was_welcomed = False
        self.is_back = False  # whether the last `welcome` resumed the session
        self.is_closed = False  # whether the client has ended the session
        self.heartbeat = HEARTBEAT_SECONDS
        self.ping_sent_at: float | None = None  # when the unanswered `ping` was sent
        self.limits: dict[str, int] = dict(LIMITS)  # the defaults, until the first `welcome`
        self.profiles: list[str] = []
        self.feeds: list[str] = []
        self.reset()
        self.is_restored = state is not None  # and no `welcome` has arrived since
        if state is not None:
            self.restore(state)

    def check_open(self) -> None:
        """Raises SessionClosed if the session was closed."""
        if self.is_closed:
            raise SessionClosed("the session is closed; make a new one with refreshd.connect")

    def reset(self) -> None:
        """Resets the state for a fresh session. The numbers go on."""
        self.resume: Message | None = None  # session and token
        self.ack = 0
        self.received: dict[str, str] = {}  # by view, the last load whose items were received
        self.returning: set[str] = set()  # views whose state has not arrived yet after a resumption
        self.snapshot: Message | None = None
        self.outbox: list[Message] = []  # messages that are not acknowledged, sent or not
        self.queries: dict[str, list[tuple[int, Any]]] = {}  # by view, queries by `seq` with the parameters before them
        # By name, the `seq` of the last `detach`, until the daemon has handled it; None: the `detach` was not sent.
        # A view of this name cannot be in a `hello` that resumes, because it would continue the detached view.
        self.gone: dict[str, int | None] = {}
        self.detached_seqs: dict[str, int] = {}  # by name, the `seq` after which no snapshot has the detached view
        self.greeted: dict[str, View] = {}  # the views that the last `hello` has described
        self.unanswered: set[str] = set()  # the views whose attachment the daemon has not answered
        self.refused: set[str] = set()  # the views whose attachment it has refused

    # What a program stores between two processes

    def saved_state(self) -> str:
        """Returns what another process needs to continue this session: a text that is to be stored unread.

        `connect(…, state=…)` takes it. It contains the token of the session, so it is a secret. It is of use until
        the session connects again or is closed by `bye`: take it after `background`, which closes the connection
        without a `bye`. The edits without an answer are in it. The items, the offset and the options of the views are not.
        """
        kept = [one for one in self.outbox if one["type"] not in ("scroll", "pan")]
        return encoded({
            "version": STATE_VERSION, "resume": self.resume, "ack": self.ack, "received": self.received, "seq": self.seq,
            "snapshot": self.snapshot_without(self.detached_seqs), "covered": sorted(self.covered - self.hidden), "hidden": sorted(self.hidden),
            "views": self.restored | {name: view.kind for name, view in self.views.items() if name not in self.refused}, "gone": sorted(self.gone), "served": self.served,
            "edits": self.restored_edits | {
                name: view.listing.edits.saved() for name, view in self.views.items() if view.listing.edits.pending},
            "limits": {name: most for name, most in self.limits.items() if most != LIMITS.get(name)}, "outbox": kept})

    def restore(self, text: str) -> None:
        """Continues the session of `saved_state`. Raises ValueError if the text does not come from there."""
        try:
            state = json.loads(text)
            if state["version"] != STATE_VERSION:
                raise ValueError(f"version {state['version']} instead of {STATE_VERSION}")
            self.resume, self.snapshot = state["resume"], state["snapshot"]
            self.ack, self.seq = int(state["ack"]), int(state["seq"]) + RESTORED_GAP
            self.received = dict(state["received"])
            self.hidden = set(state.get("hidden", ()))  # texts of earlier versions do not have this and the next four
            self.covered = self.hidden | set(state["covered"])
            self.restored = dict(state.get("views", dict.fromkeys(self.received)))
            self.gone = dict.fromkeys(state.get("gone", ()))
            self.restored_edits = dict(state.get("edits", {}))
            for saved in self.restored_edits.values():
                PendingEdits().restore(saved)
            self.served = state.get("served")
            self.limits |= {name: int(most) for name, most in state.get("limits", {}).items()}
            self.outbox = list(state["outbox"])
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"this is not the state of a session, as saved_state returns it: {error!r}") from error
        self.was_welcomed = self.is_restored = self.resume is not None

    # What the client sends

    def hello(self) -> list[Message]:
        """Returns the first frame of a connection: `hello`, and the unacknowledged messages that fit into the frame."""
        described = self.described()
        hello = self.greeting(described)
        self.greeted = described
        for view in described.values():
            view.attach_seq = 0
        repeated = [] if self.is_alone else [kept for kept in self.outbox if kept.get("view") in described]
        frame = next(self.frames([hello, *thinned(repeated)]))
        self.repeated = {message["seq"] for message in frame[1:]}
        return frame

    def described(self) -> dict[str, View]:
        """Returns the views that `hello` describes. The others are attached after `welcome`."""
        return {name: view for name, view in self.views.items() if not (self.resume and name in self.gone)}

    def greeting(self, views: dict[str, View]) -> Message:
        """Returns `hello` with these views."""
        hello: Message = {"type": "hello", "protocol": PROTOCOL, "client": self.client}
        for name, value in (
                ("token", self.token), ("frames", self.frame_options), ("headers", self.headers),
                ("features", self.features)):
            if value is not None:
                hello[name] = value
        hello["views"] = [view.body() for view in views.values()]
        if self.snapshots:
            hello["snapshots"] = True
        if self.diagnostics:
            hello["diagnostics"] = True
        if self.resume:
            hello["resume"] = self.resume | {"ack": self.ack, "received": [
                self.received[name] for name in views if name in self.received]}
            if snapshot := self.snapshot_without(views):
                hello["resume"]["snapshot"] = snapshot["sealed"]
        return hello

    def snapshot_without(self, names: Iterable[str]) -> Message | None:
        """Returns the snapshot, unless it may have an earlier, detached view with one of these names."""
        if self.snapshot and all(self.snapshot["ack"] >= self.detached_seqs.get(name, 0) for name in names):
            return self.snapshot
        return None

    def frames(self, messages: Iterable[Message]) -> Iterator[list[Message]]:
        """Yields frames that contain the messages in order and respect the limits of the daemon."""
        frame: list[Message] = []
        size = 2
        for message in messages:
            length = len(encoded(message).encode()) + 1  # with the separator
            is_full = len(frame) >= self.limits["batchMessagesMax"] or size + length > self.limits["frameBytesMax"]
            if frame and is_full:
                yield frame
                frame, size = [], 2
            frame.append(message)
            size += length
        if frame:
            yield frame

    def check(self, *messages: Message) -> None:
        """Raises ValueError for a message that the daemon would refuse with its whole frame: it is too large, or has a
        string or number beyond the limits or a number that JSON does not have. Raises OutboxFull if too many messages
        wait.
        """
        for message in messages:
            check_bounds(message, self.limits)
        is_replaced = bool(self.outbox and messages and supersedes(messages[0], self.outbox[-1]))
        if len(self.outbox) - is_replaced + len(messages) > OUTBOX_MAX:
            raise OutboxFull(f"{OUTBOX_MAX} messages wait for the daemon")

    def check_body(self, view: View, body: dict[str, Any]) -> None:
        """Raises ValueError if the daemon would refuse `hello` with this body of a view, because of its limits."""
        check_bounds(body, self.limits, BODY_DEPTH)
        others = [one.body() for name, one in self.views.items() if name != view.name]
        size = len(encoded([self.greeting({}) | {"views": [*others, body]}]).encode())
        if size > self.limits["frameBytesMax"]:
            raise ValueError(
                f"hello with all views has {size} bytes, and the daemon accepts {self.limits['frameBytesMax']}")

    def keep(self, message: Message) -> Message:
        """Checks, numbers and stores a message, and returns what is to be sent. It is sent after the next `welcome` at
        the latest. Raises the errors of `check`.
        """
        self.check(message)
        return self.store(message)

    def store(self, message: Message) -> Message:
        """Numbers and stores a copy of a message, and returns it."""
        if self.outbox and supersedes(message, self.outbox[-1]):
            self.outbox.pop()  # only the newest sample between the first and the last one is repeated
        self.seq += 1
        kept = copy.deepcopy(message) | {"seq": self.seq}
        self.outbox.append(kept)
        return kept

    def forget(self, name: str) -> None:
        """Forgets what belongs to a view that was removed."""
        self.outbox = [kept for kept in self.outbox if kept.get("view") != name]
        self.received.pop(name, None)
        for names in (self.returning, self.unanswered, self.refused):
            names.discard(name)
        self.covered.discard(name)
        self.hidden.discard(name)
        self.restored.pop(name, None)
        self.restored_edits.pop(name, None)
        self.queries.pop(name, None)

    def refuse_frame(self, frame: list[Message]) -> None:
        """Drops the repeated messages in the frame of a `hello` that was refused, but for those that have nothing
        that the daemon could refuse. The next `hello` is alone.
        """
        self.dropped = [message for message in frame[1:] if message["type"] not in ("appear", "disappear")]
        for message in self.dropped:
            self.refuse_query(message)
        self.doubtful |= {message["view"]: message for message in self.dropped if "parameters" in message}
        numbers = {message["seq"] for message in self.dropped}
        self.outbox = [kept for kept in self.outbox if kept["seq"] not in numbers]
        self.is_alone = True

    # What the client receives

    def handle(self, message: Message) -> None:
        """Updates the state with a received message, for a later resumption."""
        kind = message["type"]
        if kind == "welcome":
            self.welcome(message)
        elif kind == "snapshot":
            self.snapshot = message if message["sealed"] else None
        elif kind == "pong":
            self.ping_sent_at = None
        elif kind == "items" and message["view"] in self.views and self.views[message["view"]].is_attached:
            self.received[message["view"]] = message["load"]
        elif kind == "update" and message["view"] in self.returning:
            self.returning.discard(message["view"])
            if "list" not in message:
                self.received.pop(message["view"], None)  # the daemon handled a reset, but its answer was lost
        elif kind == "attached" and message["view"] in self.unanswered and self.views[message["view"]].concerns(message):
            self.unanswered.discard(message["view"])
        elif kind == "error":
            self.refuse_query(message)
            self.refuse_view(message)
        self.ack = max(self.ack, message.get("ack", 0))
        confirmed = self.snapshot["ack"] if self.snapshot else self.ack
        self.outbox = [sent for sent in self.outbox if sent["seq"] > confirmed]
        self.gone = {name: seq for name, seq in self.gone.items() if seq is None or seq > self.ack}
        self.detached_seqs = {name: seq for name, seq in self.detached_seqs.items() if seq > confirmed}

    def welcome(self, message: Message) -> None:
        self.limits |= message.get("limits", {})
        self.profiles = message.get("profiles", [])
        self.feeds = message.get("feeds", [])
        self.served = message.get("features")
        self.is_back = message.get("resumed", False)
        if self.was_welcomed and not self.is_back:
            self.renew()
        self.heartbeat = message.get("heartbeat", LIMITS["heartbeatMs"]) / 1000
        self.resume = {key: message[key] for key in ("session", "token")} if "token" in message else None
        self.ack = message.get("ack", 0)
        self.returning = self.views.keys() - self.gone.keys() if self.is_back else set()
        self.outbox = [kept for kept in self.outbox if self.is_known(kept)]
        self.is_alone = False
        self.seq = max(self.seq, self.ack)
        if self.is_back:  # the daemon has detached what `hello` left out
            # A snapshot with the same `ack` may be older than `hello`.
            self.detached_seqs |= {name: self.ack + 1 for name in self.gone if name not in self.greeted}
            self.gone = {name: seq for name, seq in self.gone.items() if name in self.greeted}
            self.request_views(sorted(self.refused))
            self.confirm_doubtful()
        else:
            self.gone = {}
            self.begin()
        self.unanswered = {name for name, view in self.greeted.items() if self.views.get(name) is view}
        self.refused = set()
        self.doubtful = {}
        self.was_welcomed = True
        self.is_restored = False
        for name in {*self.restored, *self.restored_edits, *self.covered, *self.received} - self.views.keys():
            self.forget(name)  # a view of a saved session, which `hello` did not describe

    def renew(self) -> None:
        """Resets the state for a fresh session, except the settings that must follow those in the frame of `hello`."""
        later = [kept for kept in self.outbox if kept["seq"] not in self.repeated and kept["type"] in SETTINGS]
        numbers = self.repeated | {kept["seq"] for kept in later}
        queries = {name: [one for one in found if one[0] in numbers] for name, found in self.queries.items()}
        self.reset()
        self.outbox, self.queries = later, queries

    def begin(self) -> None:
        """Keeps the messages that the views need in a fresh session, in which each view counts as in sight."""
        if self.was_welcomed:
            for view in self.views.values():
                view.begin()
        self.request_views(self.views)

    def request_views(self, names: Iterable[str]) -> None:
        """Keeps the messages that views need which the daemon attaches anew: each counts as in sight, without items."""
        for name in names:
            if self.has_features and name in self.covered:
                self.store({"type": "disappear", "view": name})
        for name in names:
            if self.was_welcomed and self.views[name].requests_items:
                for message in self.views[name].sight_message():
                    self.store(message)
                self.store({"type": "refresh", "view": name, "cause": "code"})

    def refuse_view(self, message: Message) -> None:
        """Drops the messages about a view if an error refuses its attachment, because the session does not have it."""
        name = message.get("view")
        if name in self.unanswered and message.get("seq", 0) == self.views[name].attach_seq:
            self.unanswered.discard(name)
            self.refused.add(name)
            self.outbox = [kept for kept in self.outbox if kept["view"] != name]

    def refuse_query(self, message: Message) -> None:
        """Describes a view with its earlier parameters again if the daemon has refused one of its queries."""
        name, seq = message.get("view", ""), message.get("seq")
        queries = self.queries.get(name, [])
        for index, (number, before) in enumerate(queries):
            if number == seq and name in self.views:
                view = self.views[name]
                view.listing.give_back(number)
                del queries[index]
                if index == len(queries):
                    view.parameters = before
                    return
                queries[index] = queries[index][0], before  # the next query follows the parameters before this one
                following = queries[index + 1][1] if index + 1 < len(queries) else view.parameters
                if (following or {}) == (before or {}):  # and it changes nothing, so that nothing answers it
                    view.listing.give_back(queries[index][0])
                return

    def confirm_doubtful(self) -> None:
        """If the daemon had handled a dropped query on an earlier connection, the next query of the view follows it."""
        for name, message in self.doubtful.items():
            queries, seq = self.queries.get(name, []), message["seq"]
            later = next((index for index, (number, _) in enumerate(queries) if number > seq), None)
            if seq <= self.ack and later is not None:
                queries[later] = queries[later][0], message["parameters"]

    # Features

    @property
    def has_features(self) -> bool:
        """Whether the daemon treats this client as a client with features."""
        return self.features is not None and self.served is not None

    def uses(self, feature: str) -> bool:
        """Whether a feature is in use: both the client and the daemon have named it."""
        return self.has_features and feature in (self.features or ()) and feature in (self.served or ())

    def is_known(self, message: Message) -> bool:
        """Whether the daemon knows a message that was stored while there was no connection."""
        kind = message["type"]
        if message.get("view") not in self.views:  # of a saved session, whose view was not attached again
            return False
        if kind == "disappear":
            return self.has_features
        if kind in FEATURE_MESSAGES:
            return self.uses(FEATURE_MESSAGES[kind])
        return kind != "configure" or "parameters" not in message or self.uses("query")
