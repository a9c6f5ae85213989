#!/usr/bin/python3
"""A worker that connects to refreshd. Its items are the ticks of a clock, latest first."""
import asyncio
import json
import os
import sys
import time

import websockets

URL = sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/worker"
TOKEN = os.environ["WORKER_TOKEN"]
BEGAN = int(time.time()) - 100


async def answer(socket, load):
    await asyncio.sleep(0.1)
    await socket.send(json.dumps({"type": "progress", "id": load["id"], "progress": 0.5}))
    await asyncio.sleep(0.1)
    latest = int(load.get("cursor", time.time()))
    ticks = range(latest, max(BEGAN, latest - load["size"]), -1)
    page = {"items": [{"second": tick} for tick in ticks]}
    if latest - load["size"] > BEGAN:
        page["next"] = str(latest - load["size"])
    await socket.send(json.dumps({"type": "page", "id": load["id"], **page}))


async def serve(socket):
    await socket.send(json.dumps(
        {"type": "register", "token": TOKEN, "feeds": ["ticks"], "capacity": 10}))
    running = {}
    async for text in socket:
        message = json.loads(text)
        if message["type"] == "registered":
            print("registered as", message["worker"], flush=True)
        elif message["type"] == "load":
            task = asyncio.create_task(answer(socket, message))
            task.add_done_callback(lambda _, load=message["id"]: running.pop(load, None))
            running[message["id"]] = task
        elif message["type"] == "cancel" and message["id"] in running:
            running[message["id"]].cancel()
            await socket.send(json.dumps({"type": "failed", "id": message["id"]}))


async def main():
    while True:
        try:
            async with websockets.connect(URL, subprotocols=["refresh.worker.v1"]) as socket:
                await serve(socket)
        except (OSError, websockets.WebSocketException) as error:
            print(error, file=sys.stderr, flush=True)
            if 4000 <= getattr(error, "code", 0) < 4100:
                sys.exit("the daemon refused this worker")
        await asyncio.sleep(1)

asyncio.run(main())
