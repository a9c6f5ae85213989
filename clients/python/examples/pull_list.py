"""Pulls a list, and loads one more page: pull_list.py URL [FEED]. This is the second example of README.md."""
import asyncio
import sys

import refreshd

ROW = 44  # the height of an item, in points
SIZES: refreshd.protocol.Geometry = {
    "viewport": {"width": 390, "height": 800}, "content": {"width": 390, "height": 0}}


async def pull(view: refreshd.View) -> None:
    """Does what a finger and the platform do: drags the list down, lifts the finger, and springs back."""
    await view.scroll(0, "began")
    while view.state("top") in ("idle", "pulling") and view.offset > -600:
        await view.scroll(view.offset - 4, "dragging")
        await asyncio.sleep(1 / 60)
    await view.scroll(view.offset, "ended")
    for step in range(15, -1, -1):
        rest = view.rest()  # asked at each step: the room of the indicator may open or close on the way
        await view.scroll(rest + (view.offset - rest) * step / (step + 1), "decelerating" if step else "idle")
        await asyncio.sleep(1 / 60)


async def main(url: str, feed: str = "packages") -> None:
    shown, finger, is_refreshed = None, None, False
    async with refreshd.connect(url, diagnostics=True) as session:
        view = await session.attach("list", feed=feed, geometry=SIZES)
        async for event in session:
            if view.state("top") != shown:
                shown = view.state("top")
                print(shown)
            match event:
                case refreshd.ViewChanged(message={"type": "attached"}) if finger is None:
                    finger = asyncio.create_task(pull(view))  # a task, so that events arrive meanwhile
                case refreshd.ItemsReceived():
                    print(len(view.items), "items")
                    await view.resize(content={"width": 390, "height": ROW * len(view.items)})
                    if is_refreshed:
                        break
                case refreshd.Faulted(explanation=why) | refreshd.LoadChanged(explanation=str(why)):
                    sys.exit(why)
                case refreshd.Ignored(explanation=why):
                    print(why, file=sys.stderr)
            if view.items and shown == "idle" and finger and not is_refreshed:  # the refresh has ended
                is_refreshed = True
                await finger
                await view.load_more()

if len(sys.argv) not in (2, 3):
    sys.exit("usage: pull_list.py URL [FEED]")
asyncio.run(main(*sys.argv[1:]))
