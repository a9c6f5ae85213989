#!/usr/bin/env python3
"""A client that shows the list: reader.py ws://127.0.0.1:8080/v1/session

The daemon refreshes the list whenever a change is reported. After a lost connection the client resumes its session. For
this it uses the package of ../../clients/python. It prints a line for each event:

    session NAME   a session has begun
    resumed NAME   the session continues on another connection
    packages 45    the first page has arrived, and the list has 45 packages
    failed TEXT    a load has failed
"""
import asyncio
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
import refreshd


async def read(url):
    async with refreshd.connect(url, attempts_max=8) as session:
        await session.attach(
            "list", "iqpulltorefresh", feed="packages", top={"changes": "visible"}, requests_items=True,
            geometry={"viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}})
        async for event in session:
            match event:
                case refreshd.Connected(session=name, is_resumed=is_resumed):
                    print("resumed" if is_resumed else "session", name, flush=True)
                case refreshd.ItemsReceived(message={"mode": "replace", "total": total}):
                    print("packages", total, flush=True)
                case refreshd.LoadChanged(phase="failed" | "timedOut", explanation=text) | refreshd.Faulted(
                        explanation=text):
                    print("failed", text, flush=True)


try:
    asyncio.run(read(sys.argv[1]))
except refreshd.Refused as refused:
    sys.exit(str(refused))
