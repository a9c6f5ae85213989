"""The driver of a correct client, with one operator between the client and the probe.

The client and its driver are unchanged processes. The probe's instructions and the driver's reports are forwarded
unchanged, except for the address to which the client connects. The operator changes the text frames of the WebSocket:
in the direction `says` those from the client, and in the direction `hears` those to the client. All other data is
forwarded unchanged: upgrades, close frames and the ends of connections.

    the probe <- lines ----> Relay <- lines ----> the client's driver
              <- frames ---> Wire  <- frames ---> the client
"""
import asyncio
import contextlib
import json
import os
import signal
import sys

from mutant_operators import HOLD

TEXT, FIN, MASKED = 0x1, 0x80, 0x80
NO_MASK = bytes(4)
SWAP_SECONDS = 0.4  # the time for which a message waits to be overtaken


class Way:
    """One direction of a connection. It receives messages and forwards them in order, each at its time."""

    def __init__(self, operator, direction, pass_on):
        self.operator = operator.toward(direction)
        self.renumbering = operator.renumbering(direction)
        self.pass_on = pass_on
        self.held = None  # the message that the next one overtakes
        self.pending = asyncio.Queue()
        self.due = 0.0
        self.passing = asyncio.create_task(self.run())

    def put(self, data, delay=0.0):
        """Forwards bytes after the delay, but not before earlier bytes. `None` is the end of the stream."""
        now = asyncio.get_running_loop().time()
        self.due = max(self.due, now + delay)
        self.pending.put_nowait((self.due, data))

    async def run(self):
        clock = asyncio.get_running_loop().time
        while True:
            due, data = await self.pending.get()
            if due > clock():
                await asyncio.sleep(due - clock())
            await self.pass_on(data)

    def receive(self, text):
        """Handles a received frame."""
        try:
            frame = json.loads(text)
        except ValueError:
            return self.put(frame_of(text))
        messages = frame if isinstance(frame, list) else [frame]
        messages = [self.renumbering.incoming(message) for message in messages]
        if not self.operator:
            return self.send(messages, isinstance(frame, list))
        made, delay = [], 0.0
        for message in messages:
            for other, wait in self.operator.apply(message):
                delay = max(delay, wait)
                if other is HOLD:
                    self.hold(message)
                elif self.held:
                    held, self.held = self.held, None
                    made += swapped(held, other)
                else:
                    made.append(other)
        return self.send(made, isinstance(frame, list) and len(made) > 1, delay)

    def hold(self, message):
        if self.held:
            self.send([self.held], False)
        self.held = message
        asyncio.get_running_loop().call_later(SWAP_SECONDS, self.release, message)

    def release(self, message):
        if self.held is message:
            self.held = None
            self.send([message], False)

    def send(self, messages, is_batch, delay=0.0):
        if messages:
            messages = [self.renumbering.outgoing(message) for message in messages]
            # The frame is as compact as the client's, so that a client within `frameBytesMax` stays within it.
            text = json.dumps(
                messages if is_batch or len(messages) > 1 else messages[0], ensure_ascii=False, separators=(",", ":"))
            self.put(frame_of(text), delay)

    def end(self):
        self.passing.cancel()


def swapped(first, second):
    """Returns the two messages in reverse order. Their sequence numbers stay in order."""
    if "seq" in first and "seq" in second:
        first, second = first | {"seq": second["seq"]}, second | {"seq": first["seq"]}
    return [second, first]


def frame_of(text, code=TEXT):
    return (code | FIN, text.encode() if isinstance(text, str) else text)


def packed(first, payload, is_masked):
    """Encodes a WebSocket frame. The mask consists of zeros, which is valid."""
    size = len(payload)
    mark = MASKED if is_masked else 0
    if size < 126:
        head = bytes([first, mark | size])
    elif size < 65536:
        head = bytes([first, mark | 126]) + size.to_bytes(2, "big")
    else:
        head = bytes([first, mark | 127]) + size.to_bytes(8, "big")
    return head + (NO_MASK if is_masked else b"") + payload


async def unpacked(reader):
    """Reads the next frame. Returns its first byte and its payload."""
    first, second = await reader.readexactly(2)
    size = second & 0x7F
    if size >= 126:
        size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
    mask = await reader.readexactly(4) if second & MASKED else None
    payload = await reader.readexactly(size)
    if mask:
        key = (mask * (size // 4 + 1))[:size]
        payload = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")
    return first, payload


class Wire:
    """The server to which the client connects instead of the probe."""

    def __init__(self, operator):
        self.operator = operator
        self.upstream = None  # host and port

    async def open(self):
        server = await asyncio.start_server(self.connect, "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]

    async def connect(self, reader, writer):
        try:
            there = await asyncio.open_connection(*self.upstream)
        except OSError:
            return writer.transport.abort()
        upward = asyncio.create_task(self.carry(reader, there[1], "says"))
        downward = asyncio.create_task(self.carry(there[0], writer, "hears"))
        await asyncio.wait([upward, downward], return_when=asyncio.FIRST_COMPLETED)
        failures = [task.exception() for task in (upward, downward) if task.done() and task.exception()]
        for failure in failures:
            if not isinstance(failure, ConnectionError):
                print(repr(failure), file=sys.stderr)
        for task in (upward, downward):
            task.cancel()
        for one in (writer, there[1]):
            one.transport.abort() if failures else one.close()

    async def carry(self, reader, writer, direction):
        with contextlib.suppress(asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.split(b"\r\n")
            # Compressed frames could not be read, so no extension is offered.
            lines = [line for line in lines if not line.lower().startswith(b"sec-websocket-extensions:")]
            writer.write(b"\r\n".join(lines))
            is_upgrade = direction == "says" or lines[0].split()[1] == b"101"
            while not is_upgrade and (data := await reader.read(65536)):
                writer.write(data)
            if is_upgrade:
                await self.carry_frames(reader, writer, direction)

    async def carry_frames(self, reader, writer, direction):
        over = asyncio.Event()

        async def pass_on(frame):
            if frame is None:
                return over.set()
            writer.write(packed(*frame, is_masked=direction == "says"))
            await writer.drain()

        way = Way(self.operator, direction, pass_on)
        try:
            with contextlib.suppress(asyncio.IncompleteReadError):
                while True:
                    first, payload = await unpacked(reader)
                    if first == TEXT | FIN:
                        way.receive(payload.decode())
                    else:
                        way.put((first, payload))
            way.put(None)
            await over.wait()
        finally:
            way.end()


async def drive(address, command, operator):
    """Relays between the probe at `address` and the driver `command`, until the probe or the driver ends."""
    host, _, port = address.rpartition(":")
    probe = await asyncio.open_connection(host.strip("[]"), int(port))
    wire = Wire(operator)
    wire_port = await wire.open()
    accepted = asyncio.get_running_loop().create_future()
    inner = await asyncio.start_server(lambda *streams: accepted.set_result(streams), "127.0.0.1", 0)
    inner_port = inner.sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | {"REFRESH_DRIVER": f"127.0.0.1:{inner_port}"})
    driver = await accepted

    async def orders():
        while line := await probe[0].readline():
            order = json.loads(line)
            if "url" in order:
                scheme, _, rest = order["url"].partition("://")
                authority, slash, path = rest.partition("/")
                wire.upstream = authority.rpartition(":")[0].strip("[]"), int(authority.rpartition(":")[2])
                line = json.dumps(order | {"url": f"{scheme}://127.0.0.1:{wire_port}{slash}{path}"}).encode() + b"\n"
            driver[1].write(line)

    async def answers():
        while line := await driver[0].readline():
            probe[1].write(line)

    await asyncio.wait(
        [asyncio.create_task(orders()), asyncio.create_task(answers())], return_when=asyncio.FIRST_COMPLETED)
    for writer in (driver[1], probe[1]):
        writer.close()
    with contextlib.suppress(asyncio.TimeoutError, ProcessLookupError):
        try:
            await asyncio.wait_for(process.wait(), 2)
        except asyncio.TimeoutError:
            process.send_signal(signal.SIGKILL)
