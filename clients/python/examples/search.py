"""Searches as the user types: search.py URL FEED. The feature `query` keeps the view, and replaces its list.

The feed has a parameter `q`, as the feeds of scripts/checks/catalogue.py have.
"""
import asyncio
import sys

import refreshd


async def main(url: str, feed: str) -> None:
    async with refreshd.connect(url, features=["query"]) as session:
        view = await session.attach("results", feed=feed, parameters={"q": "a"}, requests_items=True)
        texts = iter(["b", "ba", "banana 1"])
        async for event in session:
            if isinstance(event, refreshd.ItemsReceived):
                print(view.parameters, len(view.items), "items", flush=True)
                text = next(texts, None)
                if text is None:
                    return
                if not await view.query({"q": text}, debounce_ms=0, shown="keep"):
                    print("this daemon does not serve queries")
                    return
            elif isinstance(event, refreshd.Faulted):
                sys.exit(event.explanation)

asyncio.run(main(*sys.argv[1:]))
