"""The load generator, an external program that runs on its own core."""

import json
import pathlib
import subprocess

import servers
import traffic
from client import SUBPROTOCOL


class Generator:
    """Passes the options to the generator, and parses its JSON output."""

    def __init__(self, binary, folder):
        self.binary = str(binary)
        self.hello = pathlib.Path(folder) / "hello.txt"
        self.messages = pathlib.Path(folder) / "messages.txt"
        self.hello.write_text(traffic.hello() + "\n")
        self.messages.write_text(traffic.template())

    def run(self, server, connections, *options):
        command = [
            "taskset", "-c", str(servers.GENERATOR_CORE), self.binary,
            "--port", str(server.port), "--path", server.path, "--subprotocol", SUBPROTOCOL,
            "--conns", str(connections), "--pid", str(server.pid),
            "--messages", str(self.messages), *options]
        if server.hello:
            command += ["--hello", str(self.hello)]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{ended.stdout}{ended.stderr}")
        return json.loads(ended.stdout)

    def open_loop(self, server, connections, active, rate, seconds):
        """Every active connection sends `rate` messages per second on a fixed schedule."""
        return self.run(
            server, connections, "--active", str(active), "--rate", str(rate),
            "--seconds", str(seconds))

    def idle(self, server, connections, seconds):
        """The connections are opened, send `hello`, and stay idle."""
        return self.run(server, connections, "--idle", "--seconds", str(seconds))
