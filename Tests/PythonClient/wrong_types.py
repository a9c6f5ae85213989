"""A program with mistakes that the type checker finds. scripts/checks/python_package.py compares its report."""

import refreshd


async def attach(session: refreshd.Session) -> refreshd.View:
    await session.attach("a", fed="packages")  # wrong: an unknown option of a view
    await session.attach("b", axis="diagonal")  # wrong: an unknown axis
    await session.attach("c", top={"triger": "reach"})  # wrong: an unknown option of an edge
    await session.attach("d", top={"trigger": "never"})  # wrong: an unknown trigger
    return await session.attach("e", feed="packages", top={"trigger": "reach", "length": 80}, bottom=None)


async def use(view: refreshd.View) -> None:
    await view.resize(content={"widht": 390})  # wrong: an unknown member of a size
    await view.resize(content={"width": 390, "height": 0})
    await view.scroll(0, "drag")  # wrong: an unknown phase
    await view.scroll(-30, "dragging", cause="finger")
    if view.state("top") == "refreshin":  # wrong: a state that no edge has
        await view.cancel("top")


def describe(event: refreshd.Event) -> str:
    match event:
        case refreshd.LoadChanged(phase=phase):
            return "ended" if phase == "finished" else phase  # wrong: a phase that no load has
        case refreshd.Faulted(code=code):
            return "later" if code == "draining" else code
    return ""
