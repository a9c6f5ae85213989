"""Runs the commands in README.md as a new user would.

A fenced `sh` block is run if the line before it is one of these comments:

    <!-- run -->      the block must end with status 0
    <!-- serve -->    the block starts the daemon, which runs until the last block has ended

The README uses 127.0.0.1:8080, which is replaced by a free port.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import time
import urllib.request

import processes

ADDRESS = "127.0.0.1:8080"
BLOCK = re.compile(r"^<!-- (run|serve) -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN_SECONDS = 120
# Sufficient for the release build of the first `scripts/run`.
SERVE_SECONDS = 900


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def serving(block, environment, log):
    """Runs a block that does not end by itself."""
    with open(log, "wb") as sink:
        process = subprocess.Popen(
            ["bash", "-e", "-c", block], stdin=subprocess.DEVNULL, stdout=sink,
            stderr=subprocess.STDOUT, start_new_session=True, env=environment)
        try:
            yield process
        finally:
            processes.end_group(process)


def wait_for_page(process, log):
    """Waits until the address is printed, and requests its page. Returns the problem, or an empty text if there is none."""
    deadline = time.monotonic() + SERVE_SECONDS
    while time.monotonic() < deadline:
        printed = re.search(r"^Open (http://\S+)$", log.read_text(errors="replace"), re.MULTILINE)
        if printed:
            with urllib.request.urlopen(printed[1], timeout=10) as answer:
                kind = answer.headers.get_content_type()
                page = answer.read()
            return "" if kind == "text/html" and b"<html" in page else f"{printed[1]} is no HTML page, but {kind}"
        if process.poll() is not None:
            return f"the block ended with status {process.returncode}\n{log.read_text(errors='replace')}"
        time.sleep(0.1)
    return f"no address was printed within {SERVE_SECONDS} s"


def run(part, _):
    blocks = BLOCK.findall(pathlib.Path("README.md").read_text())
    if not any(kind == "serve" for kind, _ in blocks):
        part.failed("README.md", "no block is marked <!-- serve -->")
    address = f"127.0.0.1:{free_port()}"
    environment = dict(os.environ, REFRESHD_LISTEN=address)
    with contextlib.ExitStack() as daemons:
        for number, (kind, block) in enumerate(blocks, 1):
            name, log = f"README.md block {number}", part.log(f"block-{number}")
            typed = block.replace(ADDRESS, address)
            if kind == "serve":
                process = daemons.enter_context(serving(typed, environment, log))
                problem = wait_for_page(process, log)
                if problem:
                    part.failed(name, problem)
                else:
                    part.passed()
            else:
                part.check(name, processes.run(
                    ["bash", "-e", "-o", "pipefail", "-c", typed], log, RUN_SECONDS,
                    env=environment))
