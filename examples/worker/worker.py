#!/usr/bin/python3
"""A worker for refreshd. Its items are the ticks of a clock, latest first. Users can put a note on a tick, and remove
ticks. The worker connects to the daemon, or, with --nats, to the bus of a cluster."""
import argparse
import asyncio
import json
import os
import secrets
import sys
import time

FEED = "ticks"
CAPACITY = 10
BEGAN = int(time.time()) - 100
# What users have changed. Only this process knows it: a worker of your own would use a database.
NOTES = {}
REMOVED = set()
# The answers to the last edits, by idempotency key.
PERFORMED = {}
PERFORMED_MAX = 1000


async def answer(load, send):
    """Answers a load. `send` sends a message to the daemon."""
    await asyncio.sleep(0.1)
    send({"type": "progress", "id": load["id"], "progress": 0.5})
    await asyncio.sleep(0.1)
    latest = int(load.get("cursor", time.time()))
    ticks = range(latest, max(BEGAN, latest - load["size"]), -1)
    page = {"items": [tick_item(tick) for tick in ticks if tick not in REMOVED]}
    if latest - load["size"] > BEGAN:
        page["next"] = str(latest - load["size"])
    send({"type": "page", "id": load["id"], **page})


def tick_item(tick):
    return {"second": tick, "note": NOTES[tick]} if tick in NOTES else {"second": tick}


def answer_edit(edit):
    """Returns the answer to an edit. An edit that arrives again, because its answer was lost, is not performed again."""
    if edit["key"] not in PERFORMED:
        PERFORMED[edit["key"]] = perform_edit(edit["operation"])
        if len(PERFORMED) > PERFORMED_MAX:
            del PERFORMED[next(iter(PERFORMED))]
    return {"id": edit["id"], **PERFORMED[edit["key"]]}


def perform_edit(operation):
    if isinstance(operation.get("remove"), int):
        REMOVED.add(operation["remove"])
        return {"type": "edited"}
    item = operation.get("update", {})
    if not isinstance(item.get("second"), int) or not isinstance(item.get("note"), str):
        return {"type": "failed", "message": "Only the note of a tick can be changed."}
    NOTES[item["second"]] = item["note"].strip()
    return {"type": "edited", "item": tick_item(item["second"])}


class Loads:
    """The loads that the worker performs."""

    def __init__(self, changed=lambda: None):
        self.running = {}
        # Called when the number of loads has changed.
        self.changed = changed

    def start(self, load, work):
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: self.end(load["id"]))
        self.running[load["id"]] = task
        self.changed()

    def end(self, load):
        self.running.pop(load, None)
        self.changed()

    def cancel(self, load):
        """Returns whether the load was still running."""
        return load in self.running and self.running[load].cancel()


async def serve_daemon(url):
    """Connects to the daemon."""
    import websockets

    while True:
        try:
            async with websockets.connect(url, subprotocols=["refresh.worker.v1"]) as socket:
                await serve_socket(socket)
        except (OSError, websockets.WebSocketException) as error:
            print(error, file=sys.stderr, flush=True)
            if 4000 <= getattr(error, "code", 0) < 4100:
                sys.exit("the daemon refused this worker")
        await asyncio.sleep(1)


async def serve_socket(socket):
    queue = asyncio.Queue()

    async def write():
        while True:
            await socket.send(json.dumps(await queue.get()))

    writer = asyncio.create_task(write())
    loads = Loads()
    queue.put_nowait({
        "type": "register", "token": os.environ["WORKER_TOKEN"], "feeds": [FEED], "capacity": CAPACITY,
        "edits": True})
    try:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "registered":
                print("registered as", message["worker"], flush=True)
            elif message["type"] == "load":
                loads.start(message, answer(message, queue.put_nowait))
            elif message["type"] == "edit":
                queue.put_nowait(answer_edit(message))
            elif message["type"] == "cancel" and loads.cancel(message["id"]):
                queue.put_nowait({"type": "failed", "id": message["id"]})
    finally:
        writer.cancel()


async def serve_bus(url, cluster):
    """Connects to a NATS server of the cluster."""
    import nats_connection

    own = f"refreshd.{cluster}.worker.{secrets.token_hex(8)}"
    work = f"refreshd.{cluster}.work." + FEED.replace(".", "%2E")

    while True:
        try:
            async with nats_connection.Connection(url) as nats:
                await serve_nats(nats, own, work)
        except (OSError, EOFError) as error:
            print(error, file=sys.stderr, flush=True)
        await asyncio.sleep(1)


def parse(payload):
    """Returns a message about a load or an edit; None if it is none. Anyone with a user at the bus may send garbage."""
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict) and isinstance(message.get("id"), str):
        return message
    print("a message is not understood", file=sys.stderr, flush=True)
    return None


async def serve_nats(nats, own, work):
    subscription = None

    def update():
        # A worker that can take no more loads is not in the queue group.
        nonlocal subscription
        if len(loads.running) < CAPACITY and subscription is None:
            subscription = nats.subscribe(work, receive_load, group="workers")
        elif len(loads.running) >= CAPACITY and subscription is not None:
            nats.unsubscribe(subscription)
            subscription = None

    def receive_load(payload, reply):
        load = parse(payload)
        if load is not None and reply:
            loads.start(load, perform(load, reply))

    def receive_edit(payload, reply):
        edit = parse(payload)
        if edit is not None and reply:
            nats.publish(reply, json.dumps(answer_edit(edit)).encode(), reply=own)

    async def perform(load, reply):
        last = {"type": "progress", "id": load["id"], "progress": 0}

        def send(message):
            nonlocal last
            last = message
            nats.publish(reply, json.dumps(message).encode(), reply=own)

        async def repeat():
            # A worker that sends nothing for 3.5 s counts as lost.
            while True:
                send(last)
                await asyncio.sleep(1)

        repeating = asyncio.create_task(repeat())
        try:
            await answer(load, send)
        except Exception as error:
            print("a load failed:", repr(error), file=sys.stderr, flush=True)
            send({"type": "failed", "id": load["id"]})
        finally:
            repeating.cancel()

    def receive_cancel(payload, _):
        cancel = parse(payload)
        if cancel is not None:
            loads.cancel(cancel["id"])

    loads = Loads(update)
    nats.subscribe(own, receive_cancel)
    nats.subscribe(work + ".edits", receive_edit, group="workers")
    update()
    print("serving", work, "as", own, flush=True)
    await nats.receive()


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("url", nargs="?", default="ws://127.0.0.1:8080/v1/worker", help="the daemon")
parser.add_argument("--nats", metavar="URL", help="a NATS server, such as nats://USER:PASSWORD@127.0.0.1:4222")
parser.add_argument("--cluster", metavar="NAME", help="the name of the cluster")
arguments = parser.parse_args()
if arguments.nats and not arguments.cluster:
    parser.error("--nats needs --cluster")
asyncio.run(
    serve_bus(arguments.nats, arguments.cluster) if arguments.nats else serve_daemon(arguments.url))
