"""Prints the first page of a feed: first_pull.py URL [FEED]. This is the example of README.md."""
import asyncio
import sys

import refreshd


async def main(url: str, feed: str = "packages") -> None:
    async with refreshd.connect(url) as session:
        view = await session.attach("list", feed=feed, requests_items=True)
        async for event in session:
            match event:
                case refreshd.ItemsReceived():
                    print(len(view.items), "items, the first is", view.items[0] if view.items else None)
                    break
                case refreshd.Faulted(explanation=why) | refreshd.LoadChanged(explanation=str(why)):
                    sys.exit(why)

if len(sys.argv) not in (2, 3):
    sys.exit("usage: first_pull.py URL [FEED]")
asyncio.run(main(*sys.argv[1:]))
