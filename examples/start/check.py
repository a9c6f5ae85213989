#!/usr/bin/env python3
"""Checks docs/start.md against a daemon: check.py URL. Plays its frames, compares its program with pull.py, and uses it.
The frames of docs/recipes.md are played too. There, each block is a session of its own.

In a frame of the daemon, `,…` stands for any further members or items, and `{…}` or `[…]` for any content.
"""
import asyncio
import json
import pathlib
import re
import sys

import websockets

FOLDER = pathlib.Path(__file__).resolve().parent
PAGE = FOLDER.parents[1] / "docs/start.md"
RECIPES = FOLDER.parents[1] / "docs/recipes.md"
RECIPES_MIN = 4
WORDS_MAX = 2500
# Of each program: its lines without the blank ones (of pull.html, those of the script), and the columns of a line.
LINES_MAX = {"pull.py": 60, "pull.html": 40}
COLUMNS_MAX = 100
# The daemon answers at once, or after the 0.3 s of the feed and the durations of its animations.
ANSWER_SECONDS = 60
ANY = "…"


def blocks(page):
    """The blocks of a page that have frames."""
    return re.findall(r"<!-- frames -->\n```\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def frames(block):
    """The frames of a block, in their order: who sends it, and the message."""
    for line in block.splitlines():
        text = line[2:].replace(",…}", ',"…":0}').replace("{…}", '{"…":0}').replace(",…]", ',"…"]').replace("[…]", '["…"]')
        yield line[0], json.loads(text)


def matches(value, pattern):
    """Whether a received value is as the page shows it."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and (ANY in pattern or value.keys() == pattern.keys()) and all(
            key in value and matches(value[key], inner) for key, inner in pattern.items() if key != ANY)
    if isinstance(pattern, list):
        shown = [inner for inner in pattern if inner != ANY]
        return isinstance(value, list) and (len(value) > len(shown) if ANY in pattern else len(value) == len(shown)) \
            and all(map(matches, value, shown))
    return value == pattern and isinstance(value, bool) == isinstance(pattern, bool)


async def play(url, page, block):
    """Sends the frames of the client, and expects exactly the messages of the daemon between them."""
    received = []
    count = 0
    async with websockets.connect(url, subprotocols=["refresh.v1"]) as socket:
        for sender, message in frames(block):
            count += 1
            if sender == ">":
                if received:
                    sys.exit(f"{page.name} does not show the message {json.dumps(received[0])}.")
                await socket.send(json.dumps(message))
                continue
            if not received:
                answer = json.loads(await asyncio.wait_for(socket.recv(), ANSWER_SECONDS))
                received = answer if isinstance(answer, list) else [answer]
            first = received.pop(0)
            if not matches(first, message):
                sys.exit(f"{page.name} shows\n  {json.dumps(message)}\nand the daemon sent\n  {json.dumps(first)}")
    return count


async def play_pages(url):
    """Plays the session of docs/start.md, and those of docs/recipes.md."""
    count = await play(url, PAGE, "".join(blocks(PAGE)))
    if count < 12:
        sys.exit(f"{PAGE.name} has {count} frames.")
    print(f"{count} frames of docs/start.md are as on the page")
    recipes = blocks(RECIPES)
    if len(recipes) < RECIPES_MIN:
        sys.exit(f"{RECIPES.name} has {len(recipes)} blocks with frames.")
    count = 0
    for block in recipes:
        count += await play(url, RECIPES, block)
    print(f"{count} frames of docs/recipes.md are as on the page")


class Program:
    """The running pull.py."""

    def __init__(self, process):
        self.process = process

    async def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def wait_for(self, text):
        """Waits for a line of the program."""
        while line := await asyncio.wait_for(self.process.stdout.readline(), ANSWER_SECONDS):
            if line.decode().strip() == text:
                return
        sys.exit(f"pull.py did not print {text!r}.")


async def use(url):
    """Pulls, and loads two further pages, as a user of pull.py does."""
    program = Program(await asyncio.create_subprocess_exec(
        sys.executable, str(FOLDER / "pull.py"), url,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE))
    await program.wait_for("20 items, the last is Item 20")
    await program.wait_for("top idle bottom idle")
    await program.type("x")  # It is ignored.
    await program.type("p")
    await program.wait_for("top eligible bottom idle")
    await program.wait_for("20 items, the last is Item 20")
    await program.wait_for("top idle bottom idle")
    for count in 40, 60:
        await program.type("m")
        await program.wait_for(f"{count} items, the last is Item {count}")
    await program.type("q")
    if await asyncio.wait_for(program.process.wait(), ANSWER_SECONDS) != 0:
        sys.exit("pull.py failed.")
    print("pull.py pulled, and loaded three pages")


async def refuse():
    """Closes each connection of pull.py: with a code after which it connects again, then with a final one."""
    codes = [1013, 4100, 4001]

    async def handle(socket, *_):
        await socket.close(codes.pop(0))

    async with websockets.serve(handle, "127.0.0.1", 0, subprotocols=["refresh.v1"]) as server:
        port = server.sockets[0].getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(FOLDER / "pull.py"), f"ws://127.0.0.1:{port}",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        program = Program(process)
        await program.type("p")  # There is no list yet.
        await program.wait_for("stopped by the close code 4001")
        if codes:
            sys.exit("pull.py did not connect again.")
        process.stdin.close()
        if await asyncio.wait_for(process.wait(), ANSWER_SECONDS) != 0:
            sys.exit("pull.py failed.")
    print("pull.py connects again after 1013 and 4100, and stops after 4001")


def compare():
    """The page must be short, and must show the program as it is."""
    page = PAGE.read_text(encoding="utf-8")
    program = (FOLDER / "pull.py").read_text(encoding="utf-8")
    if f"```python\n{program}```" not in page:
        sys.exit("docs/start.md does not show examples/start/pull.py as it is.")
    feeds = (FOLDER / "refreshd.yaml").read_text(encoding="utf-8").split("feeds:")[1]
    if f"feeds:{feeds}```" not in page:
        sys.exit("docs/start.md does not show the feed of examples/start/refreshd.yaml as it is.")
    if (count := len(page.split())) > WORDS_MAX:
        sys.exit(f"docs/start.md has {count} words, at most {WORDS_MAX}.")


def measure():
    """The programs must be as short as the page states. Of pull.html, the script counts."""
    page = PAGE.read_text(encoding="utf-8")
    for name, lines_max in LINES_MAX.items():
        text = (FOLDER / name).read_text(encoding="utf-8")
        if name.endswith(".html"):
            text = re.search(r"<script[^>]*>(.*)</script>", text, re.DOTALL)[1]
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > lines_max:
            sys.exit(f"{name} has {len(lines)} lines, at most {lines_max}.")
        if long := [line for line in lines if len(line) > COLUMNS_MAX]:
            sys.exit(f"{name} has a line of more than {COLUMNS_MAX} columns: {long[0]}")
        if not re.search(rf"\b{len(lines)}\s+lines\b", page):
            sys.exit(f"docs/start.md does not state that {name} has {len(lines)} lines.")


compare()
measure()
asyncio.run(play_pages(sys.argv[1]))
asyncio.run(use(sys.argv[1]))
asyncio.run(refuse())
