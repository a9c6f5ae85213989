"""The measured servers. Each runs on its own core, and is always ended by its own process id."""

import contextlib
import json
import os
import pathlib
import subprocess

from client import Client
import traffic

SERVER_CORE = 0
GENERATOR_CORE = 1


class Server:
    """A running server: the process that is measured, its address, and the first message of its clients, if any."""

    def __init__(self, process, port, path, hello):
        self.process = process
        self.port = port
        self.path = path
        self.hello = hello

    @property
    def pid(self):
        return self.process.pid

    def client(self):
        """Opens a connection and sends `hello`."""
        client = Client(self.port, self.path)
        if self.hello:
            client.send(self.hello)
            answer = json.loads(client.receive())
            kinds = [message["type"] for message in answer] if isinstance(answer, list) else []
            if kinds[:2] != ["welcome", "attached"]:
                raise RuntimeError(f"hello was answered by {answer}")
        return client


@contextlib.contextmanager
def started(command, path, hello=None, wrapper=(), environment=None):
    """Runs a server whose first line contains its port."""
    process = subprocess.Popen(
        ["taskset", "-c", str(SERVER_CORE), *wrapper, *command],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})})
    try:
        line = process.stdout.readline()
        if not line.startswith(b"{"):
            process.kill()
            raise RuntimeError(
                f"{command[0]} did not start: {line.decode()}{process.stderr.read().decode()}")
        # The later output of the server is read too, because a full pipe would block the server.
        with contextlib.ExitStack() as drains:
            drains.enter_context(drained(process.stderr))
            yield Server(process, json.loads(line)["port"], path, hello)
            ended_early = process.poll()
            process.terminate()
            process.wait(30)
        if ended_early is not None:
            raise RuntimeError(f"{command[0]} ended with {ended_early} while it was measured")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


@contextlib.contextmanager
def drained(stream):
    drain = subprocess.Popen(["cat"], stdin=stream, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        drain.terminate()
        drain.wait()


class Servers:
    """The commands that start the servers."""

    def __init__(self, refreshd, echo, folder):
        self.refreshd = str(pathlib.Path(refreshd).resolve())
        self.echo = str(pathlib.Path(echo).resolve())
        # Debian's valgrind cannot read Swift's debug information. The code is the same without it.
        self.stripped = str(pathlib.Path(folder).resolve() / "refreshd")
        subprocess.run(["objcopy", "--strip-debug", self.refreshd, self.stripped], check=True)
        # Limits are raised, because a client sends more messages here than a real gesture causes, and all clients have
        # the same address.
        rates = pathlib.Path(folder).resolve() / "rates.yaml"
        rates.write_text(
            "limits: { framesPerSecondMax: 1000000, receivedBytesPerSecondMax: 1073741824, "
            "connectionsPerAddressMax: 25000, handshakesPerAddressMax: 10000 }\n")
        self.unhurried = str(rates)

    def daemon(self, wrapper=(), hello=None, config=None):
        """refreshd with one loop. Its clients send `hello`, by default the one of `traffic`."""
        binary = self.stripped if wrapper else self.refreshd
        command = [
            binary, "--listen", "127.0.0.1:0", "--loops", "1", "--config", config or self.unhurried]
        return started(command, "/v1/session", hello=hello or traffic.hello(), wrapper=wrapper)

    def bare(self, reply_bytes, wrapper=(), *, to_all=False):
        """Bare libwebsockets. If `to_all` is true, it sends each answer to all clients."""
        command = [self.echo, "--reply-bytes", str(reply_bytes), "--all", str(int(to_all))]
        return started(command, "/", wrapper=wrapper)

    def node(self):
        """The Node server, whose client sends it every frame of a gesture."""
        script = pathlib.Path(__file__).resolve().parent / "node.js"
        # The folder of Debian's libraries for Node.
        return started(
            ["node", str(script)], "/", environment={"NODE_PATH": "/usr/share/nodejs"})
