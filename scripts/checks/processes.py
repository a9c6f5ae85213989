"""Commands with a time limit, and daemons that are always ended."""

import contextlib
import dataclasses
import json
import os
import select
import signal
import subprocess
import time

from report import CheckFailed

# The time limits end commands that hang. A working command needs only a small part of its limit,
# even on a slow and busy machine.
COMMAND_SECONDS = 600
SUITE_SECONDS = 1800
START_SECONDS = 120

@dataclasses.dataclass
class Result:
    """The result of a command. A negative status is the number of the signal that ended the command."""

    status: int
    output: str


def end_group(process, timeout=10):
    """Ends a process, which was started as the leader of a process group, and all remaining processes of the group.
    """
    for kind in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
            break
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def run(command, log, seconds, **more):
    """Runs a command to its end. Its output goes to `log`."""
    with open(log, "wb") as sink:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,
                start_new_session=True, **more)
        except OSError as error:
            return Result(127, str(error))
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = 124
            sink.write(f"\n(ended after {seconds} s)\n".encode())
        finally:
            end_group(process)
    return Result(status, log.read_text(errors="replace"))


class DaemonFailed(CheckFailed):
    """refreshd did not start, or ended before it was stopped."""


class Daemon:
    """A refreshd process on a port that it has chosen."""

    def __init__(self, binary, log, arguments=()):
        self.log = log
        self.sink = open(log, "wb")
        self.process = subprocess.Popen(
            [binary, "--listen", "127.0.0.1:0", *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.sink, start_new_session=True)
        try:
            first = json.loads(self.first_line(START_SECONDS))
            self.port = first["port"]
        except (ValueError, KeyError, TypeError) as error:
            raise self.failure(f"its first line is not a JSON object with a port: {error}") from error

    def first_line(self, seconds):
        deadline = time.monotonic() + seconds
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise self.failure(f"it printed nothing within {seconds} s")
            piece = os.read(self.process.stdout.fileno(), 4096)
            if not piece:
                raise self.failure("it ended before it printed a line")
            line += piece
        return line.splitlines()[0]

    def failure(self, why):
        end_group(self.process)
        self.sink.close()
        status = self.process.returncode
        return DaemonFailed(
            f"refreshd: {why} (status {status})\n{self.log.read_text(errors='replace')}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        died = self.process.poll()
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(START_SECONDS)
        status = self.process.poll()
        end_group(self.process)
        self.process.stdout.close()
        self.sink.close()
        if kind is not None:
            return
        if died is not None:
            raise self.failure("it ended before it was stopped")
        if status != 0:
            raise self.failure("it did not end cleanly on SIGTERM")
