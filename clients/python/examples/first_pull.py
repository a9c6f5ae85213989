"""Shows the first page of a list, and pulls again on request: first_pull.py URL. This is the example of README.md."""
import asyncio
import sys

import refreshd


async def main(url: str) -> None:
    async with refreshd.connect(url) as session:
        view = await session.attach("list", feed="packages", requests_items=True)
        async for event in session:
            if isinstance(event, refreshd.ItemsReceived):
                print(len(view.items), "items, the first is", view.items[0]["name"])
                break

asyncio.run(main(sys.argv[1]))
