"""A daemon in a simulated network that checks each frame of a client against docs/protocol.md and docs/coming-back.md.

A test decides when a frame arrives, and when a connection breaks. What does not follow the rules is in `mistakes`.
"""

import asyncio
import collections
import copy
import json

from simulated import refreshd

BATCH_MESSAGES_MAX = 5
FRAME_BYTES_MAX = 4000
LIMITS = {"batchMessagesMax": BATCH_MESSAGES_MAX, "frameBytesMax": FRAME_BYTES_MAX}


def is_bad(body):
    """Whether the daemon refuses the parameters."""
    return "bad" in body["parameters"]["q"]


def height(body):
    return body.get("geometry", {}).get("content", {}).get("height")


class ServedView:
    """A view as the daemon has it. The feed is the name of the view's `attach`, which no other one has."""

    def __init__(self, body):
        self.feed = body["feed"]
        self.parameters = None if is_bad(body) else body["parameters"]  # None: the app must attach the view again
        self.height = height(body)  # of the content
        self.is_in_sight = True
        self.items = []
        self.load = None  # the last load whose items were sent
        self.is_known = False  # whether the client has the whole list, so that a patch may be sent
        self.edits = []  # the names of the edits that have arrived since the view was attached


class ServedSession:
    """A session as the daemon has it. `handled` has the marks of the requests that it has handled."""

    def __init__(self, name):
        self.name = name
        self.seq = 0
        self.views = {}
        self.handled = set()


class Wire:
    """One connection. Frames wait in both directions until the test lets them arrive."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.to_daemon, self.to_client = collections.deque(), collections.deque()
        self.incoming = asyncio.Queue()
        self.session = None
        self.seq = 0
        self.is_ended = False
        self.has_welcomed = False  # whether the client has received `welcome`
        self.order = asyncio.Lock()

    # The interface of a transport

    async def send(self, text):
        async with self.order:
            for _ in range(self.daemon.random.choice((0, 0, 0, 1, 4))):
                await asyncio.sleep(0)
            if self.is_ended:
                raise refreshd.ConnectionLost(1006)
            if self.to_daemon and not self.has_welcomed or self.session and not self.has_welcomed:
                self.daemon.mistake("a frame between hello and welcome", text)
            self.to_daemon.append(text)

    async def receive(self):
        received = await self.incoming.get()
        if isinstance(received, Exception):
            raise received
        self.has_welcomed = self.has_welcomed or '"welcome"' in received
        return received

    async def close(self):
        while self.to_daemon:  # the close frame arrives after all others
            self.daemon.receive(self)
        while self.to_client:
            self.incoming.put_nowait(self.to_client.popleft())
        self.end(1000)

    def abort(self):
        self.end(1006)

    def end(self, code):
        if not self.is_ended:
            self.is_ended = True
            self.to_daemon.clear()
            self.to_client.clear()
            self.incoming.put_nowait(refreshd.ConnectionLost(code))


class Daemon:
    def __init__(self, random):
        self.random = random
        self.wires = []
        self.sessions = {}
        self.sealed = {}
        self.mistakes = []
        self.log = []
        self.numbers = 0
        self.performed = []  # the edits that the backend has performed, each once by its name
        self.refuses_connections = self.refuses_frames = self.is_silent = False

    async def __call__(self, url):
        for _ in range(self.random.randrange(3)):
            await asyncio.sleep(0)
        if self.refuses_connections:
            raise refreshd.ConnectFailed("no route")
        self.wires.append(Wire(self))
        return self.wires[-1]

    @property
    def wire(self):
        """The connection in use; None if there is none."""
        return self.wires[-1] if self.wires and not self.wires[-1].is_ended else None

    def mistake(self, what, *about):
        self.mistakes.append((what, *about))

    def number(self):
        self.numbers += 1
        return self.numbers

    def crash(self):
        """Ends all connections, and loses all sessions. Their clients have the snapshots."""
        self.sessions = {}
        for wire in self.wires:
            wire.end(1006)

    def seal(self, session):
        name = f"v2.{self.number()}"
        self.sealed[name] = copy.deepcopy(session)
        return {"type": "snapshot", "ack": session.seq, "expires": 3600000, "sealed": name}

    # Frames of the client

    def receive(self, wire):
        """Handles the next frame of a connection, and answers it in one frame."""
        text = wire.to_daemon.popleft()
        self.log.append(("client", text))
        frame = json.loads(text)
        messages = frame if isinstance(frame, list) else [frame]
        is_large = len(messages) > BATCH_MESSAGES_MAX or len(text.encode()) > FRAME_BYTES_MAX
        if is_large and any(one.has_welcomed for one in self.wires):  # before, the client does not know these limits
            self.mistake("a frame beyond the limits", text)
        answers = []
        if wire.session is None:
            if self.is_silent:
                return
            if messages[0]["type"] != "hello":
                self.mistake("no hello", text)
            elif self.refuses_frames and len(messages) > 1:
                self.refuses_frames = False
                answers = [{"type": "error", "code": "stringTooLong", "message": "Too long.", "temporary": False}]
            else:
                answers = self.greet(wire, messages[0], messages[1:])
        else:
            for message in messages:
                answers += self.handle(wire, message)
        self.answer(wire, answers)

    def answer(self, wire, answers):
        if answers and not wire.is_ended:
            self.log.append(("daemon", json.dumps(answers)))
            wire.to_client.append(json.dumps(answers if len(answers) > 1 else answers[0]))

    def greet(self, wire, hello, repeated):
        resume = hello.get("resume")
        session = self.resumed(hello, resume) if resume else None
        is_back = session is not None
        if not is_back:
            session = ServedSession(f"s{self.number()}")
        self.sessions[session.name] = session
        for other in self.wires:
            if other.session is not None and other.session.name == session.name:
                other.end(4005)
        wire.session = session
        bodies = {body["view"]: body for body in hello["views"]}
        session.views = {name: view for name, view in session.views.items() if name in bodies}
        answers = [{"type": "welcome", "session": session.name, "token": f"t{self.number()}", "resumed": is_back,
                    "ack": session.seq, "features": hello["features"], "heartbeat": 25000, "limits": LIMITS}]
        for name, body in bodies.items():
            answers += self.attach(session, body)
        ack = session.seq
        for message in repeated:
            if message["view"] not in bodies:
                self.mistake("a repeated message of a view that hello does not describe", message)
            elif message["seq"] > ack:
                answers += self.handle(wire, message)
            wire.seq = message["seq"]
        for name, body in bodies.items():
            if name in session.views and not is_bad(body):
                self.query(session.views[name], body["parameters"])
        return answers + ([self.seal(session)] if is_back else [])

    def resumed(self, hello, resume):
        """Returns the session that continues: the one that was kept, or the one in the snapshot; None if neither fits
        the items that the client has.
        """
        names = {body["view"] for body in hello["views"]}
        kept, sealed = self.sessions.get(resume["session"]), self.sealed.get(resume.get("snapshot"))
        if kept and all(view.load in (None, *resume["received"])
                        for name, view in kept.views.items() if name in names):
            return kept
        if not sealed or sealed.name != resume["session"]:
            return None
        session = copy.deepcopy(sealed)
        loads = {view.load for view in session.views.values()}
        if not names & set(session.views) or any(load not in loads for load in resume["received"]):
            return None
        for name, view in list(session.views.items()):
            view.is_known = False
            if view.load not in (None, *resume["received"]):
                del session.views[name]  # the client has attached it again since the snapshot
        return session

    def attach(self, session, body):
        """Attaches a view of a `hello`, or continues it."""
        name = body["view"]
        view = session.views.get(name)
        if view and view.feed != body["feed"]:
            self.mistake("a new view continues an earlier one", body, view.feed)
        found = {"type": "attached", "view": name, "ack": session.seq, "generation": self.number(), "itemKey": "/id",
                 "edits": ["insert"], "top": {"role": "refresh", "state": "idle"}}
        if not view:
            session.views[name] = ServedView(body)
            return [found]
        view.height, view.edits = height(body), []
        update = {"type": "update", "view": name, "ack": session.seq, "top": {"state": "idle"}}
        return [found, update | ({"list": {"count": len(view.items), "more": True}} if view.load else {})]

    def handle(self, wire, message):
        session, kind = wire.session, message["type"]
        if kind in ("ping", "bye"):
            return [{"type": "pong", "time": 0, "ack": session.seq}] if kind == "ping" else []
        if kind == "snapshot":
            return [self.seal(session)]
        if message["seq"] <= max(session.seq, wire.seq):
            self.mistake("staleSequence", message, session.seq)
        session.seq = wire.seq = message["seq"]
        name = message["view"]
        if kind == "attach":
            if name in session.views:
                self.mistake("viewExists", message)
            if is_bad(message):
                self.mistake("invalidParameter", message)
            return self.attach(session, message)
        if name not in session.views:
            self.mistake("unknownView", message)
            return []
        return self.request(session, session.views[name], message)

    def request(self, session, view, message):
        name, kind = message["view"], message["type"]
        if kind == "detach":
            del session.views[name]
            return []
        if kind == "edit":
            return self.edit(session, view, message)
        if "mark" in message:
            feed, mark = message["mark"]
            if feed != view.feed or mark in session.handled:
                self.mistake("a request is handled twice, or for another view", message, view.feed)
            session.handled.add(mark)
        elif kind in ("appear", "disappear"):
            view.is_in_sight = kind == "appear"
        elif kind == "geometry":
            view.height = message["content"]["height"]
        elif kind == "configure":
            parameters = message["parameters"]
            if is_bad(message):
                return [{"type": "error", "code": "invalidParameter", "message": "Bad.", "temporary": False,
                         "view": name, "seq": message["seq"]}]
            if self.query(view, parameters) and message.get("shown") == "clear":
                view.items = []
                return [{"type": "update", "view": name, "ack": session.seq, "list": {"count": 0, "more": True}}]
        elif kind != "scroll":
            self.mistake("the client sends what the app has not requested", message)
        is_answered = self.random.random() < 0.6
        return [{"type": "update", "view": name, "ack": session.seq, "newer": False}] if is_answered else []

    def edit(self, session, view, message):
        """Performs an edit, and answers it in the same frame as the change of the list."""
        name, item = message["edit"], message["operation"]["insert"]
        if name in view.edits:
            self.mistake("an edit is sent twice to an attached view", message)
        if item["feed"] != view.feed:
            self.mistake("an edit is sent for another view", message, view.feed)
        view.edits.append(name)
        if name not in self.performed:
            self.performed.append(name)
        answer = [{"type": "edited", "view": message["view"], "edit": name, "result": "confirmed"}]
        if not view.is_known or any(one["id"] == item["id"] for one in view.items):
            return answer
        view.items = [item, *view.items]
        view.load = f"{view.feed}.{self.number()}"
        return [
            {"type": "update", "view": message["view"], "ack": session.seq, "list": {"count": len(view.items), "more": True}},
            {"type": "items", "view": message["view"], "load": view.load, "more": True, "mode": "patch",
             "operations": [{"insert": item, "at": "start"}], "count": len(view.items)}, *answer, self.seal(session)]

    def query(self, view, parameters):
        """Begins a new list, unless the parameters are those of the newest query. Returns whether it does."""
        if parameters == view.parameters:
            return False
        view.parameters = parameters
        view.is_known = False
        return True

    def load(self):
        """Sends a page of items, or a patch, to a view, with a snapshot."""
        wire = self.wire
        if not wire or not wire.session or not wire.session.views:
            return
        session = wire.session
        name = self.random.choice(sorted(session.views))
        view = session.views[name]
        message = {"type": "items", "view": name, "load": f"{view.feed}.{self.number()}", "more": True}
        new = [{"id": self.number()} for _ in range(self.random.randrange(1, 4))]
        way = self.random.choice(("replace", "append", "patch", "operate"))
        if way == "patch" and view.is_known and view.items:
            start = self.random.randrange(len(view.items))
            count = self.random.randrange(1, len(view.items) - start + 1)
            runs = [{"items": new}, {"from": view.items[start]["id"], "count": count}]
            view.items = new + view.items[start:start + count]
            message |= {"mode": "patch", "runs": runs}
        elif way == "operate" and view.is_known and view.items:
            moved = self.random.choice(view.items)
            view.items = new[:1] + [item for item in view.items if item is not moved] + [moved]
            message |= {"mode": "patch", "operations": [
                {"insert": new[0], "at": "start"}, {"move": moved["id"], "at": "end"}]}
        elif way == "append" and view.is_known:
            view.items = view.items + new
            message |= {"mode": "append", "items": new}
        else:
            view.items, view.is_known = new, True
            message |= {"mode": "replace", "items": new}
        view.load = message["load"]
        update = {"type": "update", "view": name, "ack": session.seq, "list": {"count": len(view.items), "more": True}}
        self.answer(wire, [update, message | {"count": len(view.items)}, self.seal(session)])
