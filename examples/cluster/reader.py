#!/usr/bin/env python3
"""A client that shows the list: reader.py ws://127.0.0.1:8080/v1/session

The daemon refreshes the list whenever a change is reported. After a lost connection the client resumes its session. For
this it uses the session of ../../clients/python/pull.py. It prints a line for each event:

    session NAME   a session has begun
    resumed NAME   the session continues on another connection
    packages 45    the first page has arrived, and the list has 45 packages
    failed TEXT    a load has failed
"""
import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
import pull


async def read(url):
    session = pull.Session(views=[pull.LIST | {"top": {"changes": "visible"}}])
    is_back = False
    async for message in pull.messages(url, session):
        kind = message["type"]
        if kind == "welcome":
            is_back = message.get("resumed", False)
            print("resumed" if is_back else "session", message["session"], flush=True)
        elif kind == "attached" and not is_back:
            await session.send({"type": "refresh", "view": "list", "cause": "code"})
        elif kind == "items" and message["mode"] == "replace":
            print("packages", message["total"], flush=True)
        elif kind == "error" or message.get("phase") in ("failed", "timedOut"):
            print("failed", message.get("message", message), flush=True)


try:
    asyncio.run(read(sys.argv[1]))
except pull.Refused as refused:
    sys.exit(str(refused))
