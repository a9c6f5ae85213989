"""Tests the package with random sequences of what an app, a network and a daemon do, against the rules of the protocol.

    test_random.py               plays sequences with a random first seed, which it prints
    test_random.py SEED [COUNT]  plays COUNT sequences (1) from this seed on
"""

import asyncio
import random
import sys

from rule_checker import Daemon
from simulated import Clock, settle

import refreshd

COUNT = 100
STEPS = 60
NAMES = ("a", "b", "c")
CODES = (1000, 1001, 1006, 1011, 4100, 4105, 4200)
ENDS_SECONDS = 120  # enough for the longest wait between attempts, and for a `hello` that is not answered


class Play:
    """One sequence. `expected` has the marks of the requests that the daemon must have handled at its end, by view."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.daemon = Daemon(self.random)
        self.clock = Clock()
        self.expected = {}
        self.edits = {}  # the names of the edits that must be performed, with their views
        self.tasks = set()
        self.failure = None
        self.steps = []
        self.make(None)

    # The app

    def make(self, state):
        self.session = refreshd.Session(
            "ws://test", connector=self.daemon, clock=self.clock, state=state, features=["query", "patch", "live", "edits"],
            backoff=refreshd.Backoff(lambda least, most: self.random.uniform(least, most)))
        self.session.is_fresh_restore = False
        self.running = None

    def iterate(self):
        if self.running is None or self.running.done():
            self.running = asyncio.create_task(self.events())

    async def events(self):
        try:
            async for event in self.session:
                match event:
                    case refreshd.Connected(is_resumed=False, is_first=is_first):
                        if not is_first or self.session.is_fresh_restore:
                            self.expected.clear()
                        self.session.is_fresh_restore = False
                    case refreshd.Connected():
                        self.session.is_fresh_restore = False
                    case refreshd.Faulted(dropped=dropped):
                        self.forget(message["mark"][1] for message in dropped if "mark" in message)
                for _ in range(self.random.choice((0, 0, 0, 0, 5, 40))):
                    await asyncio.sleep(0)
        except Exception as error:
            self.failure = self.failure or repr(error)

    def forget(self, marks):
        gone = set(marks)
        self.expected = {mark: name for mark, name in self.expected.items() if mark not in gone}

    def view(self):
        return self.random.choice(list(self.session.views.values())) if self.session.views else None

    async def attach(self):
        free = [name for name in NAMES if name not in self.session.views]
        if free:
            name = self.random.choice(free)
            self.forget([mark for mark, one in self.expected.items() if one == name])
            await self.session.attach(name, feed=f"{name}{self.daemon.number()}", parameters={"q": "first"})

    async def detach(self):
        if view := self.view():
            self.forget([mark for mark, name in self.expected.items() if name == view.name])
            self.drop_edits(view.name)
            await view.detach()

    async def request(self):
        if view := self.view():
            mark = self.daemon.number()
            self.expected[mark] = view.name
            message = {
                "type": "retry", "view": view.name, "mark": [view.options["feed"], mark],
                "padding": "x" * self.random.choice((0, 0, 900))}
            await self.session.send(message)

    async def query(self):
        if view := self.view():
            text = self.random.choice(("good", "good 2", "bad", "bad 2"))
            await view.query({"q": text}, shown=self.random.choice(("keep", "clear")))

    async def edit(self):
        if view := self.view():
            key = self.daemon.number()
            name = f"edit-{key:08}"
            self.edits[name] = view.name
            await view.edit({"insert": {"id": key, "feed": view.options["feed"]}, "at": "start"}, edit=name)

    def drop_edits(self, view):
        """A view is detached: its edits are performed if the daemon has received them."""
        self.edits = {name: one for name, one in self.edits.items() if one != view}

    async def resize(self):
        if view := self.view():
            await view.resize(content={"width": 390, "height": self.daemon.number()})

    async def move(self):
        if view := self.view():
            for phase in ("began", "dragging", "dragging", "dragging", "ended", "idle"):
                await view.scroll(self.daemon.number(), phase)

    async def send_too_much(self):
        if view := self.view():
            call = self.random.choice((
                lambda: view.query({"q": "x" * 1025}), lambda: view.resize(offset=float("nan")),
                lambda: view.configure(edges={"top": {"indicator": "é" * 513}})))
            try:
                await call()
            except ValueError:
                return
            if self.session.uses("query"):
                self.failure = "a message beyond the limits is kept"

    async def disappear(self):
        if view := self.view():
            await view.disappear()

    async def appear(self):
        if view := self.view():
            await view.appear()

    async def background(self):
        await self.session.background()

    async def foreground(self):
        await self.session.foreground()

    async def reconnect(self):
        await self.session.reconnect()

    async def change_items(self):
        if (view := self.view()) and view.items:
            view.items.pop()

    async def cancelled_request(self):
        """A task of the app is cancelled while it sends a request."""
        sending = asyncio.create_task(self.request())
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)
        sending.cancel()
        await asyncio.wait((sending,))

    # The network and the daemon

    async def lose(self):
        if self.daemon.wire:
            self.daemon.wire.end(self.random.choice(CODES))

    async def damage(self):
        if self.daemon.wire:
            self.daemon.wire.to_client.append(self.random.choice(("{", '{"type":"items"}', '{"type":"update","view":7}')))

    async def crash(self):
        self.daemon.crash()

    async def load(self):
        self.daemon.load()

    async def refuse_connections(self):
        self.daemon.refuses_connections = True

    async def refuse_frame(self):
        self.daemon.refuses_frames = True

    async def be_silent(self):
        self.daemon.is_silent = True

    async def mend(self):
        self.daemon.refuses_connections = self.daemon.is_silent = False

    async def wait(self):
        await self.clock.advance(self.random.choice((0.1, 1, 3, 12)))

    def carry(self, steps):
        """Lets some frames arrive, in any order of the two directions."""
        for _ in range(steps):
            wire = self.daemon.wire
            if wire is None:
                return
            if wire.to_daemon and (not wire.to_client or self.random.random() < 0.5):
                self.daemon.receive(wire)
            elif wire.to_client:
                wire.incoming.put_nowait(wire.to_client.popleft())

    # The sequence

    async def restart(self):
        """The process of the app ends, and another one continues the session with some of its views."""
        going = asyncio.create_task(self.session.background())
        for _ in range(self.random.randrange(60)):
            self.carry(1)
            await asyncio.sleep(0)
        await self.clock.advance(2)
        await going
        await self.finish_tasks()
        state, views = self.session.saved_state(), list(self.session.views.values())
        is_restored = self.session.resume is not None
        self.running.cancel()
        await asyncio.wait((self.running,))
        if self.daemon.wire:
            self.daemon.wire.end(1006)
        self.make(state)
        self.session.is_fresh_restore = is_restored
        self.random.shuffle(views)
        for view in views:
            if self.random.random() < 0.15:
                self.forget([mark for mark, name in self.expected.items() if name == view.name])
                self.drop_edits(view.name)
                continue
            parameters = view.parameters if "bad" not in view.parameters["q"] else {"q": "first"}
            new = await self.session.attach(view.name, feed=view.options["feed"], parameters=parameters, geometry=view.geometry)
            new.items = list(view.listing.received)
        self.iterate()

    async def finish_tasks(self):
        while self.tasks:
            done, self.tasks = await asyncio.wait(self.tasks, timeout=0)
            for task in done:
                if not task.cancelled() and task.exception():
                    self.failure = self.failure or repr(task.exception())
            self.carry(1)
            await self.clock.advance(0.1)

    async def run(self):
        ways = (
            [self.request] * 8 + [self.edit] * 4 + [self.resize, self.move] * 2 + [self.attach] * 3 + [self.load] * 4 + [self.query] * 3 + [self.wait] * 3 + [self.mend] * 3
            + [self.lose] * 3 + [self.detach] * 2 + [self.disappear, self.appear, self.background, self.foreground] * 2
            + [self.cancelled_request, self.reconnect, self.damage, self.crash, self.refuse_connections,
               self.refuse_frame, self.be_silent, self.send_too_much, self.change_items, self.restart])
        self.iterate()
        for _ in range(STEPS):
            way = self.random.choice(ways)
            self.steps.append(way.__name__)
            if way in (self.restart, self.wait):
                await way()
            else:
                self.tasks.add(asyncio.create_task(way()))
            for _ in range(self.random.choice((0, 0, 1, 3, 20, 60))):
                await asyncio.sleep(0)
                self.carry(self.random.choice((0, 1)))
            if self.daemon.mistakes or self.failure:
                return
        await self.end()

    async def end(self):
        """Mends everything, and compares what the client and the daemon have."""
        await self.finish_tasks()
        self.daemon.refuses_connections = self.daemon.refuses_frames = self.daemon.is_silent = False
        await self.session.foreground()
        for _ in range(ENDS_SECONDS):
            await self.clock.advance(1)
            for _ in range(50):
                self.carry(9)
                await asyncio.sleep(0)
            await settle()
        wire = self.daemon.wire
        served = wire.session if wire else None
        if self.failure or served is None or not self.session.socket:
            self.failure = self.failure or "there is no connection at the end"
            return
        self.compare(served)

    def compare(self, served):
        views = self.session.views
        self.expect({name: view.options["feed"] for name, view in views.items()},
                    {name: view.feed for name, view in served.views.items()}, "views")
        lost = {mark for mark in self.expected if mark not in served.handled}
        self.expect(lost, set(), "requests that were lost")
        self.expect({name for name in self.edits if name not in self.daemon.performed}, set(), "edits that were lost")
        for name, view in views.items():
            self.expect(view.pending_edits, [], f"edits of {name} without an answer")
            one = served.views.get(name)
            if one is None:
                continue
            self.expect(view.length("content") or None, one.height, f"size of {name}")
            self.expect(name not in self.session.covered, one.is_in_sight, f"sight of {name}")
            if one.parameters and "bad" not in view.parameters["q"]:  # the answer to a bad query may be lost
                self.expect(view.parameters, one.parameters, f"parameters of {name}")
            if one.is_known:  # otherwise the next page replaces the list
                self.expect(view.listing.received, one.items, f"items of {name}")

    def expect(self, found, wanted, what):
        if found != wanted:
            self.failure = self.failure or f"{what}: {found} instead of {wanted}"


async def play(seed):
    """Plays one sequence. Returns what went wrong; None if nothing did."""
    one = Play(seed)
    try:
        await one.run()
    finally:
        for task in (*one.tasks, one.running):
            task.cancel()
        await asyncio.wait((*one.tasks, one.running))
    if not one.daemon.mistakes and not one.failure:
        return None
    frames = "\n".join(f"  {side}: {text}" for side, text in one.daemon.log[-40:])
    return f"seed {seed}: {one.failure} {one.daemon.mistakes[:3]}\nsteps: {' '.join(one.steps)}\n{frames}"


def main(arguments):
    first = int(arguments[0]) if arguments else random.SystemRandom().randrange(10**9)
    count = int(arguments[1]) if len(arguments) > 1 else 1 if arguments else COUNT
    print(f"{count} sequences from the seed {first} on", flush=True)
    for seed in range(first, first + count):
        if found := asyncio.run(play(seed)):
            sys.exit(found)


if __name__ == "__main__":
    main(sys.argv[1:])
