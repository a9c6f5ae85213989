"""A client that loads its items itself, and lets the daemon decide when: own_backend.py URL.

The view has no feed. The daemon sends `load`, and the client answers. Here, the second page ends the list.
"""
import asyncio
import sys

import refreshd

PAGE_SIZE = 20


async def load(view: refreshd.View, load: str, page: int) -> None:
    """Loads a page, as a program would do it over HTTP, and reports the result."""
    await asyncio.sleep(0.01)
    view.items = [] if page == 1 else view.items
    view.items = view.items + [f"item {page}.{number}" for number in range(1, PAGE_SIZE + 1)]
    await view.finish_load(load, count=PAGE_SIZE, more=page < 2)
    await view.resize(content={"width": 390, "height": 44 * len(view.items)})


async def main(url: str) -> None:
    async with refreshd.connect(url) as session:
        view = await session.attach(
            "list", requests_items=True, paging={"style": "page", "first": 1, "size": PAGE_SIZE},
            geometry={"viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}})
        async for event in session:
            match event:
                case refreshd.LoadRequested(message={"page": page}, load=name):
                    await load(view, name, page)
                    if page == 1:
                        await view.load_more()
                case refreshd.ViewChanged() if view.state("bottom") == "noMore":
                    print(len(view.items), "items, and no more")
                    return
                case refreshd.Faulted(explanation=why):
                    sys.exit(why)

asyncio.run(main(sys.argv[1]))
