"""The operators that add a mistake to a correct client, and the parts of messages to which each is applied.

A mutant is named by its client, direction, operator and target, such as
`web:hears:ignore-offset:update.offset.duration`. The direction `says` changes messages from the client, and `hears`
changes messages to the client. An operator acts only on messages, so it is the same for each client.
"""
import copy

DELAY_SECONDS = 4.0
HOLD = object()  # stands for a message that is forwarded after the next message

# The member that distinguishes messages of the same type.
MARKS = {"scroll": "phase", "pan": "phase", "loading": "phase", "items": "mode"}
SENT = [
    "hello", "attach", "detach", "geometry", *(f"scroll.{phase}" for phase in (
        "began", "dragging", "ended", "cancelled", "decelerating", "idle")),
    *(f"pan.{phase}" for phase in ("began", "dragging", "ended", "cancelled")),
    "refresh", "loadMore", "retry", "cancel", "reset", "floor", "configure", "appear", "disappear", "loadFinished", "ping",
    "bye"]
RECEIVED = [
    "welcome", "attached", "update", "items.replace", "items.append", "items.prepend", "load", *(
        f"loading.{phase}" for phase in ("began", "progress", "retrying", "failed", "cancelled", "timedOut", "joined")),
    "error", "pong", "snapshot", "draining"]
EDGES = ("top", "bottom")
STATES = [
    "pulling", "eligible", "triggered", "refreshing", "idle", "approaching", "loading", "failed", "noMore", "disabled"]
FLOORS = ["pulling", "eligible", "opening", "open", "closing", "closed"]

# The parts of messages to which an operator is applied: the type, then the names of members. `*` stands for each
# element of an array.
STATE_MEMBERS = [
    *(f"update.{edge}.{member}" for edge in EDGES for member in ("state", "progress", "indicator", "frame", "programme")),
    *(f"attached.{edge}.{member}" for edge in EDGES for member in ("state", "frame", "programme")),
    "update.floor.progress", "update.newer", "update.list", "update.haptic", "update.announce"]
INSET_MEMBERS = [
    "update.inset", "update.inset.top", "update.inset.bottom", "update.inset.duration", "update.inset.start",
    "update.inset.curve", "attached.inset", "attached.inset.top", "attached.inset.bottom"]
OFFSET_MEMBERS = [
    "update.offset", "update.offset.duration", "update.offset.start", "update.offset.curve", "update.offset.path",
    "update.ack"]
RECEIVED_OPTIONS = [
    *(f"welcome.{member}" for member in (
        "session", "token", "resumed", "ack", "time", "heartbeat", "limits", "limits.batchMessagesMax",
        "limits.frameBytesMax", "limits.gestureSilenceMs", "profiles", "feeds", "features", "server", "reason")),
    *(f"attached.{member}" for member in (
        "ack", "generation", "profile", "axis", "reversed", "attention", "haptics", "paging", "pan", "law",
        "law.interest", "law.rest", "law.resistance", "law.top", "law.bottom", "top.length", "top.trigger", "top.enabled",
        "top.indicator", "bottom.preload")),
    "items.count", "items.more", "items.load", "items.page", "items.pages", "load.pages", "loading.pages", "loading.cause",
    "loading.code", "loading.temporary", "loading.progress", "error.view",
    "snapshot.sealed", "snapshot.expires", "snapshot.ack", "pong.t", "pong.time", "pong.ack"]
SENT_OPTIONS = [
    *(f"hello.{member}" for member in (
        "client", "frames", "features", "snapshots", "views", "resume", "resume.ack", "resume.received", "resume.snapshot",
        "resume.token", "views.*.profile", "views.*.feed", "views.*.geometry", "views.*.offset", "views.*.pan",
        "views.*.geometry.insets", "views.*.geometry.scale", "views.*.parameters", "views.*.initial", "views.*.top")),
    *(f"scroll.{member}" for member in ("t", "cause", "velocity", "offset")),
    *(f"pan.{member}" for member in ("t", "velocity", "offset", "predicted", "translation", "from")),
    *(f"geometry.{member}" for member in ("viewport", "content", "scale", "anchor")),
    *(f"configure.{member}" for member in ("parameters", "debounceMs", "shown")),
    *(f"loadFinished.{member}" for member in ("load", "count", "result", "more")),
    "retry.edge", "floor.open", "ping.t"]
# The factors of wrong units: seconds for milliseconds, pixels for points, percent for fractions.
RECEIVED_UNITS = {
    **dict.fromkeys(["update.inset.duration", "update.offset.duration", "update.offset.path.*.0", "welcome.heartbeat"], 1000),
    **dict.fromkeys(["update.inset.start", "update.offset.start", "welcome.time", "pong.time"], 0.001),
    **dict.fromkeys(["update.inset.top", "update.inset.bottom", "update.offset.to", "update.offset.path.*.1"], 2),
    **dict.fromkeys(["update.top.progress", "update.floor.progress"], 100)}
SENT_UNITS = {
    **dict.fromkeys([
        "scroll.offset", "pan.translation", "pan.offset", "hello.views.*.offset", "geometry.anchor.position"], 2),
    "configure.debounceMs": 0.001,
    **dict.fromkeys(["scroll.velocity", "pan.velocity", "scroll.t", "pan.t", "ping.t"], 0.001),
    **dict.fromkeys([f"{body}.{size}.{side}" for body in ("geometry", "hello.views.*.geometry")
                     for size in ("viewport", "content") for side in ("width", "height")], 2)}
RECEIVED_SIGNS = [
    "update.inset.top", "update.inset.bottom", "update.offset.to", "update.offset.path.*.1", "update.top.progress",
    "update.top.frame", "update.inset.start", "update.offset.start"]
SENT_SIGNS = ["scroll.offset", "scroll.velocity", "pan.translation", "pan.velocity", "pan.offset", "hello.views.*.offset",
    "geometry.anchor.position"]


def kind(message):
    """Returns the kind of a message: its type, and the value of the member that distinguishes its messages."""
    type_ = message.get("type", "")
    mark = message.get(MARKS.get(type_))
    return f"{type_}.{mark}" if mark else type_


def changed(message, path, change):
    """Returns the message with a changed value at the path. Without a value there, the message is unchanged.

    `change` returns an empty list to remove the value, or a list with the new value.
    """
    type_, *names = path.split(".")
    if message.get("type") != type_:
        return message
    other = copy.deepcopy(message)
    return other if at(other, names, change) else message


def at(value, names, change):
    name, *rest = names
    keys = range(len(value)) if name == "*" and isinstance(value, list) else [
        int(name) if isinstance(value, list) and name.isdigit() else name]
    is_changed = False
    for key in list(keys):
        if isinstance(value, dict) and key not in value or isinstance(value, list) and not key < len(value):
            continue
        if not isinstance(value, (dict, list)):
            continue
        if rest:
            is_changed |= at(value[key], rest, change)
            continue
        new = change(value[key])
        if new == [value[key]]:
            continue
        is_changed = True
        if new:
            value[key] = new[0]
        else:
            del value[key]
    return is_changed


def negated(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return -value
    if isinstance(value, dict):
        return {name: negated(one) for name, one in value.items()}
    return value


def without_state(message, edge, state):
    """Returns the message without this state of an edge, and without the members that belong to the state."""
    change = message.get(edge)
    if message.get("type") not in ("update", "attached"):
        return message
    if not isinstance(change, dict) or change.get("state") != state:
        return message
    rest = {name: one for name, one in change.items() if name not in ("state", "progress", "cause", "result")}
    return message | {edge: rest} if rest else {name: one for name, one in message.items() if name != edge}


def other_edge(message, of):
    """Returns the message with the values of its two edges exchanged."""
    ends = dict(zip(EDGES, reversed(EDGES)))

    def turned(value):
        return {ends.get(name, name): one for name, one in value.items()}
    type_, *names = of.split(".")
    if message.get("type") != type_:
        return message
    if of == "items.mode":
        turn = {"append": "prepend", "prepend": "append"}
        return message | {"mode": turn.get(message["mode"], message["mode"])}
    if of == "retry.edge":
        return message | {"edge": ends.get(message["edge"], message["edge"])} if "edge" in message else message
    if not names:
        return turned(message)
    return changed(message, of, lambda value: [turned(value)])


class Numbers:
    """Does not change sequence numbers."""

    def incoming(self, message):
        return message

    outgoing = incoming


class Doubled(Numbers):
    """Renumbers the messages of a client that sends a message twice. It doubles each sequence number, so that the next
    number is free for the second copy.
    """

    def __init__(self, direction, acks):
        self.direction = direction
        self.acks = acks  # Maps each number that the client received to the number that the server sent.

    def incoming(self, message):
        if self.direction == "says":
            message = copy.deepcopy(message)
            if "seq" in message:
                message["seq"] *= 2
            if "ack" in message.get("resume", {}):
                message["resume"]["ack"] = self.acks.get(message["resume"]["ack"], 2 * message["resume"]["ack"])
            return message
        halved = {name: message[name] // 2 for name in ("ack", "seq") if isinstance(message.get(name), int)}
        if "ack" in halved:
            self.acks[halved["ack"]] = message["ack"]
        return message | halved


class Operator:
    """One mistake of a client. `on_mistake` is called each time when the mistake is made."""

    def __init__(self, name, on_mistake=lambda: None):
        self.name = name
        self.client, self.direction, self.how, self.what = name.split(":", 3)
        self.on_mistake = on_mistake
        self.acks = {}

    def toward(self, direction):
        """Returns this operator if it acts in this direction, otherwise `None`."""
        return self if direction == self.direction else None

    def renumbering(self, direction):
        is_doubled = self.how == "duplicate" and self.direction == "says"
        return Doubled(direction, self.acks) if is_doubled else Numbers()

    def apply(self, message):
        """Returns the messages that are forwarded instead of a message, each with its delay. `HOLD` means that
        `message` is forwarded after the next message.
        """
        if self.how in ("drop", "duplicate", "delay", "reorder"):
            if kind(message) != self.what:
                return [(message, 0.0)]
            self.on_mistake()
            again = message | {"seq": message["seq"] + 1} if "seq" in message else dict(message)
            return {
                "drop": [], "duplicate": [(message, 0.0), (again, 0.0)], "delay": [(message, DELAY_SECONDS)],
                "reorder": [(HOLD, 0.0)]}[self.how]
        other = self.changed(message)
        if other is not message:
            self.on_mistake()
        return [(other, 0.0)]

    def changed(self, message):
        if self.how == "ignore-state" and "=" in self.what:
            where, state = self.what.split("=")
            if where == "floor":
                is_so = message.get("type") == "update" and message.get("floor", {}).get("state") == state
                return {name: one for name, one in message.items() if name != "floor"} if is_so else message
            return without_state(message, where, state)
        if self.how.startswith("ignore-"):
            return changed(message, self.what, lambda value: [])
        if self.how == "wrong-unit":
            factor = {"says": SENT_UNITS, "hears": RECEIVED_UNITS}[self.direction][self.what]
            return changed(message, self.what, lambda value: [value * factor])
        if self.how == "wrong-sign":
            return changed(message, self.what, lambda value: [negated(value)])
        other = other_edge(message, self.what)
        return message if other == message else other


def universe():
    """Returns all mistakes by operator, without the name of a client."""
    whole = {how: [f"says:{how}:{what}" for what in SENT] + [f"hears:{how}:{what}" for what in RECEIVED]
             for how in ("drop", "duplicate", "delay", "reorder")}
    whole["ignore-state"] = [
        *(f"hears:ignore-state:{edge}={state}" for edge in EDGES for state in STATES),
        *(f"hears:ignore-state:floor={state}" for state in FLOORS),
        *(f"hears:ignore-state:{member}" for member in STATE_MEMBERS)]
    whole["ignore-inset"] = [f"hears:ignore-inset:{member}" for member in INSET_MEMBERS]
    whole["ignore-offset"] = [f"hears:ignore-offset:{member}" for member in OFFSET_MEMBERS]
    whole["ignore-option"] = [
        *(f"hears:ignore-option:{member}" for member in RECEIVED_OPTIONS),
        *(f"says:ignore-option:{member}" for member in SENT_OPTIONS)]
    whole["wrong-unit"] = [
        *(f"hears:wrong-unit:{member}" for member in RECEIVED_UNITS),
        *(f"says:wrong-unit:{member}" for member in SENT_UNITS)]
    whole["wrong-sign"] = [
        *(f"hears:wrong-sign:{member}" for member in RECEIVED_SIGNS),
        *(f"says:wrong-sign:{member}" for member in SENT_SIGNS)]
    whole["wrong-edge"] = [
        "hears:wrong-edge:update", "hears:wrong-edge:attached", "hears:wrong-edge:update.inset", "hears:wrong-edge:items.mode",
        "hears:wrong-edge:attached.law", "says:wrong-edge:retry.edge", "says:wrong-edge:geometry.insets",
        "says:wrong-edge:hello.views.*.geometry.insets"]
    return whole


class Survey:
    """Makes no mistake. Records which mistakes the messages of a run would allow."""

    def __init__(self, client, on_mistake):
        self.operators = [
            Operator(f"{client}:{name}", lambda name=name: on_mistake(name))
            for names in universe().values() for name in names]

    def toward(self, direction):
        side = Survey.__new__(Survey)
        side.operators = [operator for operator in self.operators if operator.direction == direction]
        return side

    def renumbering(self, _):
        return Numbers()

    def apply(self, message):
        for operator in self.operators:
            operator.apply(message)
        return [(message, 0.0)]
