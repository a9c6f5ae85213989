#!/usr/bin/env python3
"""The driver with which `refresh-probe conform --listen` tests the package (docs/conformance.md, "Grading a client").

    refresh-probe conform --listen 127.0.0.1:0 -- python3 clients/python/conform.py

It receives orders as lines of JSON, applies each order to the client, and answers with what the client then displays.
"""
import asyncio
import contextlib
import json
import os
import sys

import refreshd

ABILITIES = [
    "scroll", "overscroll", "pan", "resume", "snapshots", "backend", "views", "reversed", "requests", "features", "queries",
    "anchors", "patches", "live", "edits", "sections", "rows"]
STEP_SECONDS = 0.016
STILL_SECONDS = 1.5  # the interval at which a resting finger repeats its sample
REST_SECONDS = 0.05  # a finger that has not moved for this long has no velocity
SPRING_STEPS = 16  # the number of steps in which a list springs back


class Cannot(Exception):
    """The client cannot execute this order."""


class View(refreshd.View):
    """A list whose items all have the same length. If the length is 0, the client does not lay the items out."""

    item_length = 0

    def rows(self, items):
        """Returns the items with their positions. A placeholder has no name."""
        return [(item and item["id"], index * self.item_length) for index, item in enumerate(items)]

    def rows_in_sight(self, offset, viewport=None):
        """Returns the first and the last row in sight at an offset; None without random access."""
        if not self.item_length or not self.is_random or not self.items:
            return None
        first = max(0, int(offset // self.item_length))
        end = offset + (viewport or self.geometry["viewport"])["height"]
        last = min(len(self.items), int(-(-end // self.item_length))) - 1
        return (first, last) if first <= last else None

    def in_sight(self):
        """Returns the first item in sight, and its position in the viewport; None if there is none."""
        if not self.item_length:
            return None
        return next(({"id": name, "position": position - self.offset} for name, position in self.rows(self.items)
                     if position + self.item_length > self.offset), None)


class Session(refreshd.Session):
    """A session with such views."""

    view_kind = View


class Client:
    """A client and its simulated user. The order `connect` creates them, and the order `reset` ends them."""

    session_kind = Session

    def __init__(self, order):
        self.session = self.session_kind(order["url"], features=order.get("features"))
        self.initial_requests = order.get("first", [])
        self.errors = []
        self.fingers = {}  # by view, the task that repeats the sample of a resting finger
        self.springs = {}  # by view, the task that springs the list back
        self.translations = {}  # by view that the daemon moves, the travel of its finger
        self.strokes = {}  # by such a view, when its finger moved last, and its velocity then in points per second
        self.cues = {}  # by view, the haptic cues so far
        self.is_refused = False
        self.running = asyncio.create_task(self.run(order))

    @property
    def views(self):
        return self.session.views

    async def run(self, order):
        for body in order["views"]:
            options = {name: value for name, value in body.items() if name not in ("view", "profile")}
            view = await self.session.attach(body["view"], body["profile"], **options)
            view.item_length = order.get("itemLength", 0)
        for request in self.initial_requests:
            await self.session.send(dict(request))  # sent after `hello`
        try:
            async for event in self.session:
                await self.handle(event)
        except refreshd.Refused:
            self.is_refused = True

    async def handle(self, event):
        """Does what an app does at an event. The package has applied the event to its view."""
        match event:
            case refreshd.Connected(is_resumed=False, is_first=False):
                for request in self.initial_requests:
                    await self.session.send(dict(request))
            case refreshd.Faulted(code=code):
                self.errors.append(code)
            case refreshd.ViewChanged(view=view, message={"haptic": cues}):
                self.cues.setdefault(view.name, []).extend(cues)
            case refreshd.ItemsReceived(view=view, previous=previous) if view.item_length:
                content = view.geometry["content"] | {"height": len(view.items) * view.item_length}
                await view.lay_out(
                    view.rows(previous), view.rows(view.items), content, visible=view.rows_in_sight(view.offset))

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
                "items": [item and item["id"] for item in view.items],
                "sections": [vars(section) for section in view.sections], "loads": view.loads, "newer": view.is_newer,
                "floor": view.floor, "cues": self.cues.get(name, []), **({"itemInSight": view.in_sight()} if view.in_sight() else {}),
            } for name, view in self.views.items()}}

    # The platform

    async def spring(self, name):
        """Moves a released list back to its resting offset in steps, and sends a sample for each step."""
        view = self.views[name]
        step = SPRING_STEPS
        while view.offset != view.rest():
            await asyncio.sleep(STEP_SECONDS)
            goal = view.rest()  # a room can have opened in the meantime
            await self.sample(
                name, goal if step == 1 else view.offset + (goal - view.offset) / step, "decelerating")
            step = max(1, step - 1)
        await self.sample(name, view.offset, "idle")

    # The user

    async def sample(self, name, offset, phase, **more):
        view = self.views[name]
        await view.scroll(offset, phase, visible=view.rows_in_sight(offset), **more)

    async def hold(self, name):
        while True:
            await asyncio.sleep(STILL_SECONDS)
            await self.sample(name, self.views[name].offset, "dragging")

    async def pan(self, view, by, ms):
        """Moves a finger over a list that the daemon moves."""
        if view not in self.translations:
            self.translations[view] = 0
            await self.views[view].pan(0, "began", offset=self.views[view].offset)
        steps = max(1, round(ms / 1000 / STEP_SECONDS))
        start = self.translations[view]
        for step in range(1, steps + 1):
            await asyncio.sleep(ms / 1000 / steps)
            self.translations[view] = start + by * step / steps
            await self.views[view].pan(self.translations[view], "dragging")
            self.strokes[view] = asyncio.get_running_loop().time(), by * 1000 / ms

    async def drag(self, view="list", by=0, ms=100, way="scroll", **_):
        if way == "pan":
            await self.pan(view, by, ms)
            return
        self.stop_spring(view)
        if view not in self.fingers:
            await self.sample(view, self.views[view].offset, "began")
        else:
            self.fingers[view].cancel()
        steps = max(1, round(ms / 1000 / STEP_SECONDS))
        start = self.views[view].offset
        for step in range(1, steps + 1):
            await asyncio.sleep(ms / 1000 / steps)
            await self.sample(view, start - by * step / steps, "dragging")
        self.fingers[view] = asyncio.create_task(self.hold(view))

    async def lift(self, name, phase):
        if name in self.translations:
            moved_at, velocity = self.strokes.pop(name, (0, 0))
            is_resting = asyncio.get_running_loop().time() - moved_at >= REST_SECONDS
            # The velocity is that of the list, which moves against the finger.
            await self.views[name].pan(
                self.translations.pop(name), phase, velocity=0 if is_resting else -velocity)
            return
        self.fingers.pop(name).cancel()
        await self.sample(name, self.views[name].offset, phase)
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
        await self.sample(view, offset, "decelerating", cause=cause)
        await self.sample(view, offset, "idle", cause=cause)

    async def resize(self, view="list", content=None, viewport=None, **_):
        sizes = {"content": content, "viewport": viewport}
        visible = self.views[view].rows_in_sight(self.views[view].offset, viewport)
        await self.views[view].resize(visible=visible, **{name: size for name, size in sizes.items() if size})

    async def ask(self, view="list", **order):
        more = {name: order[name] for name in ("edge", "cause", "open") if name in order}
        await self.session.send({"type": order["for"], "view": view} | more)

    async def query(self, view="list", parameters=None, **options):
        await self.views[view].query(
            parameters, debounce_ms=options.get("debounceMs"), shown=options.get("shown"))

    async def edit(self, view="list", operation=None, **order):
        await self.views[view].edit(operation, delay_ms=order.get("delayMs"))

    async def undo(self, view="list", **_):
        """Undoes the edit that was made last."""
        await self.views[view].undo(self.views[view].pending_edits[-1])

    async def disappear(self, view="list", **_):
        await self.views[view].disappear()

    async def appear(self, view="list", **_):
        await self.views[view].appear()

    async def detach(self, view="list", **_):
        self.stop_spring(view)
        if view in self.fingers:
            self.fingers.pop(view).cancel()
        await self.views[view].detach()

    async def finish(self, view="list", load="", result="success", count=0, **order):
        await self.views[view].finish_load(
            load, result, count=count, more=order.get("more"), cursor=order.get("cursor"))

    # The network and the system

    async def drop(self, **_):
        self.session.socket.abort()

    async def bye(self, **_):
        await self.session.close()

    async def report(self, **_):
        pass

    async def end(self):
        for task in [self.running, *self.fingers.values(), *self.springs.values()]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        await self.session.stop()
        if self.session.opening:
            self.session.opening.abort()


ORDERS = (
    "drag", "release", "takeAway", "scrollTo", "resize", "ask", "query", "edit", "undo", "disappear", "appear", "detach", "finish",
    "drop", "bye", "report")


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
