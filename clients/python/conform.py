#!/usr/bin/env python3
"""The driver with which `refresh-probe conform --listen` tests pull.py (docs/conformance.md, "Grading a client").

    refresh-probe conform --listen 127.0.0.1:0 -- python3 clients/python/conform.py

It receives orders as lines of JSON, applies each order to the client, and answers with what the client then displays.
"""
import asyncio
import contextlib
import json
import os
import sys

import features
import pull

ABILITIES = [
    "scroll", "overscroll", "resume", "snapshots", "backend", "views", "reversed", "requests", "features", "queries",
    "anchors"]
STEP_SECONDS = 0.016
STILL_SECONDS = 1.5  # the interval at which a resting finger repeats its sample
SPRING_STEPS = 16  # the number of steps in which a list springs back


class Cannot(Exception):
    """The client cannot execute this order."""


class Client:
    """A client and its simulated user. The order `connect` creates them, and the order `reset` ends them."""

    session_kind = features.Session
    view_kind = features.View

    def __init__(self, order):
        bodies = order["views"]
        self.session = self.session_kind(bodies, features=order.get("features"))
        self.session.describe = self.describe
        self.views = {body["view"]: self.view_kind(body.get("offset", 0)) for body in bodies}
        for view in self.views.values():
            view.item_length = order.get("itemLength", 0)
        self.sizes = {body["view"]: body["geometry"] for body in bodies}
        self.initial_requests = order.get("first", [])
        self.errors = []
        self.fingers = {}  # by view, the task that repeats the sample of a resting finger
        self.springs = {}  # by view, the task that springs the list back
        self.is_refused = False
        self.running = asyncio.create_task(self.run(order["url"]))

    async def run(self, url):
        for request in self.initial_requests:
            await self.session.send(dict(request))  # sent after `hello`
        is_first, is_back = True, False
        try:
            async for message in pull.messages(url, self.session):
                if message["type"] == "welcome":
                    is_back = message.get("resumed", False)
                    if not is_back and not is_first:
                        for view in self.views.values():
                            view.begin()
                        for request in self.initial_requests:
                            await self.session.send(dict(request))
                    is_first = False
                elif message["type"] == "error":
                    self.errors.append(message["code"])
                elif message.get("view") in self.views:
                    await self.handle(message, is_back)
        except pull.Refused:
            self.is_refused = True

    async def handle(self, message, is_back):
        """Handles a message about a view. If new items are laid out, reports the new length of the content."""
        name = message["view"]
        view = self.views[name]
        rows, index = view.rows(), view.in_sight()
        view.handle(message, is_back)
        if message["type"] == "items" and view.item_length:
            sizes = self.sizes[name]
            changes = features.laid_out(view, name, rows, index, sizes["content"]["width"])
            self.sizes[name] = sizes | {"content": changes[-1]["content"]}
            await self.session.send_together(*changes)

    @property
    def status(self):
        if self.session.is_closed:
            return "closed"
        if self.is_refused:
            return "refused"
        if self.session.socket:
            return "open"
        return "lost" if self.session.was_welcomed else "connecting"

    def shown(self):
        if self.running.done() and not self.running.cancelled():
            self.running.result()  # raises the error if the task failed
        return {"status": self.status, "errors": self.errors, "views": {
            name: {
                "attached": view.is_attached, "offset": view.offset, "insets": view.inset,
                "edges": {
                    edge: {key: state[key] for key in ("state", "progress", "indicator") if key in state}
                    for edge, state in view.edges.items()},
                "items": [item["id"] for item in view.items], "loads": view.loads, "newer": view.is_newer,
                "floor": view.floor, **self.item_in_sight(view),
            } for name, view in self.views.items()}}

    @staticmethod
    def item_in_sight(view):
        index = view.in_sight()
        if index is None:
            return {}
        name, position = view.rows()[index]
        return {"itemInSight": {"id": name, "position": position - view.offset}}

    def describe(self, body):
        """Returns the view's member of the next `hello`, with the current sizes and offset."""
        name = body["view"]
        return body | {"geometry": self.sizes[name], "offset": self.views[name].offset}

    # The platform

    def rest(self, name):
        """The offset at which the list comes to rest, within the content and the open rooms."""
        view, sizes = self.views[name], self.sizes[name]
        end = max(0, sizes["content"]["height"] - sizes["viewport"]["height"]) + view.inset["bottom"]
        return min(max(view.offset, -view.inset["top"]), end)

    async def spring(self, name):
        """Moves a released list back to its resting offset in steps, and sends a sample for each step."""
        view = self.views[name]
        step = SPRING_STEPS
        while view.offset != self.rest(name):
            await asyncio.sleep(STEP_SECONDS)
            goal = self.rest(name)  # a room can have opened in the meantime
            view.offset = goal if step == 1 else view.offset + (goal - view.offset) / step
            step = max(1, step - 1)
            await self.sample(name, "decelerating")
        await self.sample(name, "idle")

    # The user

    async def sample(self, name, phase, **more):
        view = self.views[name]
        # The steps of a list that springs back have no cause. They continue the movement of the finger.
        if phase == "began" or (phase == "decelerating" and "cause" in more):
            view.began = self.session.seq + 1
        await self.session.send(
            {"type": "scroll", "view": name, "offset": view.offset, "phase": phase} | more)

    async def hold(self, name):
        while True:
            await asyncio.sleep(STILL_SECONDS)
            await self.sample(name, "dragging")

    async def drag(self, view="list", by=0, ms=100, way="scroll", **_):
        if way != "scroll":
            raise Cannot("the client moves its lists itself")
        self.stop_spring(view)
        if view not in self.fingers:
            await self.sample(view, "began")
        else:
            self.fingers[view].cancel()
        steps = max(1, round(ms / 1000 / STEP_SECONDS))
        start = self.views[view].offset
        for step in range(1, steps + 1):
            await asyncio.sleep(ms / 1000 / steps)
            self.views[view].offset = start - by * step / steps
            await self.sample(view, "dragging")
        self.fingers[view] = asyncio.create_task(self.hold(view))

    async def lift(self, name, phase):
        self.fingers.pop(name).cancel()
        await self.sample(name, phase)
        self.springs[name] = asyncio.create_task(self.spring(name))

    def stop_spring(self, name):
        """Ends the motion of a list that springs back."""
        if name in self.springs:
            self.springs.pop(name).cancel()

    async def release(self, view="list", **_):
        await self.lift(view, "ended")

    async def takeAway(self, view="list", **_):  # noqa: N802: the order's name
        await self.lift(view, "cancelled")

    async def scrollTo(self, view="list", offset=0, cause="code", **_):  # noqa: N802
        self.stop_spring(view)
        self.views[view].offset = offset
        await self.sample(view, "decelerating", cause=cause)
        await self.sample(view, "idle", cause=cause)

    async def resize(self, view="list", content=None, viewport=None, **_):
        sizes = {"content": content, "viewport": viewport}
        changed = {name: size for name, size in sizes.items() if size}
        self.sizes[view] = self.sizes[view] | changed
        await self.session.send({"type": "geometry", "view": view} | changed)

    async def ask(self, view="list", **order):
        more = {name: order[name] for name in ("edge", "cause", "open") if name in order}
        await self.session.send({"type": order["for"], "view": view} | more)

    async def query(self, view="list", parameters=None, **options):
        options = {name: options[name] for name in ("debounceMs", "shown") if name in options}
        if await self.session.query(view, parameters, **options) and options.get("shown") == "clear":
            self.views[view].items = []

    async def disappear(self, view="list", **_):
        await self.session.disappear(view)

    async def appear(self, view="list", **_):
        await self.session.appear(view)

    async def detach(self, view="list", **_):
        self.stop_spring(view)
        if view in self.fingers:
            self.fingers.pop(view).cancel()
        del self.views[view]
        await self.session.detach(view)

    async def finish(self, view="list", load="", result="success", count=0, **order):
        self.views[view].end(load)
        more = {name: order[name] for name in ("more", "cursor") if name in order}
        await self.session.send(
            {"type": "loadFinished", "view": view, "load": load, "result": result, "count": count} | more)

    # The network and the system

    async def drop(self, **_):
        self.session.socket.transport.abort()

    async def bye(self, **_):
        await self.session.close()

    async def report(self, **_):
        pass

    async def end(self):
        for task in [self.running, *self.fingers.values(), *self.springs.values()]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        if self.session.socket:
            self.session.socket.transport.abort()


ORDERS = (
    "drag", "release", "takeAway", "scrollTo", "resize", "ask", "query", "disappear", "appear", "detach", "finish", "drop",
    "bye", "report")


async def drive(address, kind=Client, name="python/1.0"):
    """Executes orders until the connection ends."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    writer.write(json.dumps({"driver": 1, "client": name, "can": ABILITIES}).encode() + b"\n")
    client = None
    while line := await reader.readline():
        order = json.loads(line)
        number, action = order.pop("order"), order.pop("do")
        answer = {"order": number}
        try:
            if action in ("connect", "reset"):
                if client:
                    await client.end()
                client = kind(order) if action == "connect" else None
            elif action in ORDERS:
                await getattr(client, action)(**order)
            else:
                raise Cannot(f"unknown order: {action}")
            answer["shown"] = client.shown() if client else {}
        except Cannot as reason:
            answer["cannot"] = str(reason)
        except Exception as error:  # any error is reported to the probe
            answer["error"] = repr(error)
        writer.write(json.dumps(answer).encode() + b"\n")
    if client:
        await client.end()


if __name__ == "__main__":
    asyncio.run(drive(sys.argv[1] if len(sys.argv) > 1 else os.environ["REFRESH_DRIVER"]))
