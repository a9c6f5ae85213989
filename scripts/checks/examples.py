"""Runs each example with its own script."""

import os
import pathlib
import re

import processes
import recorded_messages
import swift
from message_schema import PYTHON

# An example that runs until it is stopped has an option with which it checks itself and ends.
ARGUMENTS = {"cluster": ["--check"]}


def run(part, pattern):
    """Runs this part of scripts/test. `examples/*/run` finds the executables in REFRESHD and REFRESH_PROBE. The
    messages of the worker are validated."""
    scripts = sorted(
        path for path in pathlib.Path("examples").glob("*/run") if re.search(pattern, str(path)))
    if not scripts and not pattern:
        part.failed("examples", "there are no examples/*/run")
    environment = dict(
        os.environ,
        REFRESHD=os.path.abspath(swift.binary("refreshd")),
        REFRESH_PROBE=os.path.abspath(swift.binary("refresh-probe")))
    frames = part.log("worker-frames").with_suffix(".jsonl").resolve()
    recorder = pathlib.Path(__file__).with_name("frame_recorder.py")
    environment["WORKER"] = f"{PYTHON} -B {recorder} {frames} worker broker worker.py"
    for path in scripts:
        command = [str(path), *ARGUMENTS.get(path.parent.name, [])]
        part.check(str(path), processes.run(
            command, part.log(path.parent.name), processes.COMMAND_SECONDS, env=environment))
        if path.parent.name != "worker":
            continue
        if frames.exists():
            recorded_messages.validate(part, frames=frames)
        else:
            part.failed(str(path), "no messages of the worker were recorded")
