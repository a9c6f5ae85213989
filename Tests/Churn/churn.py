"""Concurrent sessions that begin and end in every possible way."""

import json
import random
import socket
import struct
import sys
import pathlib
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks" / "measure"))
from client import Client  # noqa: E402

PATH = "/v1/session"
VIEW = {
    "view": "list", "profile": "default", "feed": "packages",
    "geometry": {
        "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 4000}},
}
# The resume window is short, so that it ends many sessions during a run. All connections come from one address.
CONFIGURATION = """\
demo: true
limits:
  resumeWindowMs: 2000
  framesPerSecondMax: 1000000
  receivedBytesPerSecondMax: 1073741824
  connectionsPerAddressMax: 25000
  handshakesPerAddressMax: 10000
drain: { delayMs: 0, spreadMs: 200 }
log: { level: error }
"""


class Unexpected(Exception):
    """The daemon has violated a rule."""


class Talk:
    """One session of a client, with the state that it has received."""

    def __init__(self, port, random):
        self.port = port
        self.random = random
        self.seq = 0
        self.time = 0
        self.welcome = {}
        self.received = []
        self.sealed = None
        self.client = None

    def open(self, resume=None):
        self.client = Client(self.port, PATH)
        hello = {
            "type": "hello", "protocol": 1, "snapshots": True,
            "frames": self.random.choice(["plain", "stream", "local"]), "views": [VIEW]}
        if resume:
            hello["resume"] = resume
        self.client.send(json.dumps(hello))
        self.welcome = self.await_message("welcome")
        self.seq = max(self.seq, self.welcome.get("ack", 0))

    def messages(self):
        value = json.loads(self.client.receive())
        messages = value if isinstance(value, list) else [value]
        for message in messages:
            if message["type"] == "items":
                self.received = [message["load"]]
            if message["type"] == "snapshot" and message.get("sealed"):
                self.sealed = message["sealed"]
        return messages

    def await_message(self, kind):
        while True:
            for message in self.messages():
                if message["type"] == kind:
                    return message

    def say(self, kind, **fields):
        self.seq += 1
        self.client.send(json.dumps({"type": kind, "view": "list", "seq": self.seq, **fields}))

    def scroll(self, offset, phase, **fields):
        self.time += 16
        self.say("scroll", t=self.time, offset=offset, phase=phase, **fields)

    def gesture(self):
        """Performs a random action of a user."""
        deed = self.random.choice(["pull", "fling", "ask", "more", "reset"])
        if deed == "pull":
            self.scroll(0, "began")
            for step in range(1, 9):
                self.scroll(-12 * step, "dragging")
            self.scroll(-96, "ended", velocity=0)
        elif deed == "fling":
            self.scroll(0, "began")
            for step in range(1, 6):
                self.scroll(160 * step, "dragging")
            self.scroll(800, "ended", velocity=2000)
            for step in range(6, 12):
                self.scroll(200 * step, "decelerating")
            self.scroll(2400, "idle")
        elif deed == "ask":
            self.say("refresh")
        elif deed == "more":
            self.say("loadMore")
        else:
            self.say("reset")

    def settle(self):
        """Waits until all sent messages are answered."""
        self.client.send('{"type":"ping","t":1}')
        self.await_message("pong")

    def resume(self):
        """Resumes with the snapshot, because items may have been in transit when the connection was cut."""
        resume = {
            "session": self.welcome["session"], "token": self.welcome["token"],
            "ack": self.seq, "received": self.received}
        return resume | ({"snapshot": self.sealed} if self.sealed else {})

    def cut(self):
        """Cuts the connection with a TCP reset."""
        self.client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.client.socket.close()

    def bye(self):
        self.client.send('{"type":"bye"}')
        try:
            while True:
                self.client.receive()
        except (RuntimeError, OSError):
            self.client.socket.close()


def ended_by_bye(talk):
    talk.open()
    for _ in range(talk.random.randrange(1, 4)):
        talk.gesture()
    talk.settle()
    talk.bye()


def cut_off(talk):
    talk.open()
    talk.gesture()
    talk.settle()
    talk.cut()


def load_under_way(talk):
    talk.open()
    talk.say("refresh")
    if talk.random.random() < 0.5:
        talk.cut()
    else:
        talk.bye()


def resumed(talk):
    talk.open()
    talk.say("refresh")
    talk.await_message("items")
    for _ in range(talk.random.randrange(1, 3)):
        talk.gesture()
        talk.settle()
        resume = talk.resume()
        talk.cut()
        talk.open(resume)
        if talk.welcome.get("resumed") is not True:
            raise Unexpected(f"a session did not go on: {talk.welcome.get('reason')}")
    talk.bye()


def rebuilt(talk):
    """Resumes with a snapshot after the session itself has ended."""
    talk.open()
    talk.say("refresh")
    talk.await_message("items")
    talk.client.send('{"type":"snapshot"}')
    talk.await_message("snapshot")
    resume = talk.resume()
    talk.bye()
    talk.open(resume)
    if talk.welcome.get("resumed") is not True:
        raise Unexpected(f"a snapshot was not taken: {talk.welcome.get('reason')}")
    talk.cut()


def wrong_token(talk):
    talk.open()
    resume = talk.resume() | {"token": "A" * 22}
    talk.cut()
    talk.open(resume)
    if talk.welcome.get("resumed") is not False:
        raise Unexpected("a wrong token was taken")
    talk.bye()


def refused_hello(talk):
    client = Client(talk.port, PATH)
    client.send(talk.random.choice([
        '{"type":"hello","protocol":99}', '{"type":"hel', '{"type":"refresh","view":"list","seq":1}']))
    try:
        for _ in range(50):
            client.receive()
            client.send('{"type":"hello","protocol":98}')
    except (RuntimeError, OSError):
        pass
    client.socket.close()


def half_upgrade(talk):
    with socket.create_connection(("127.0.0.1", talk.port)) as line:
        line.sendall(b"GET /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgra")


# How many of twenty sessions end in each way.
ENDINGS = {
    ended_by_bye: 5, cut_off: 4, load_under_way: 3, resumed: 3, rebuilt: 2, wrong_token: 1,
    refused_hello: 1, half_upgrade: 1,
}


class Churn:
    """Runs clients concurrently. `run` limits the number of their sessions, or the time in which sessions begin."""

    def __init__(self, port, seed, clients=16):
        self.port = port
        self.seed = seed
        self.clients = clients
        self.lock = threading.Lock()
        self.left = 0
        self.until = None
        self.runs = 0
        self.counts = {}
        self.troubles = []

    def take(self):
        with self.lock:
            if self.troubles or self.left <= 0 or (self.until and time.monotonic() >= self.until):
                return False
            self.left -= 1
            return True

    def work(self, number):
        source = random.Random(f"{self.seed} {self.runs} {number}")
        endings, weights = zip(*ENDINGS.items())
        while self.take():
            ending = source.choices(endings, weights)[0]
            try:
                ending(Talk(self.port, source))
            except (Unexpected, RuntimeError, OSError, KeyError, AttributeError) as error:
                with self.lock:
                    self.troubles.append(f"{ending.__name__}: {error!r}")
                return
            with self.lock:
                self.counts[ending.__name__] = self.counts.get(ending.__name__, 0) + 1

    def run(self, sessions=sys.maxsize, seconds=None):
        """Returns the number of ended sessions. Raises the violations that clients have met."""
        before = sum(self.counts.values())
        self.runs += 1
        self.left = sessions
        self.until = None if seconds is None else time.monotonic() + seconds
        workers = [threading.Thread(target=self.work, args=(n,)) for n in range(self.clients)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if self.troubles:
            raise Unexpected(f"seed {self.seed}: " + "; ".join(self.troubles[:3]))
        return sum(self.counts.values()) - before
