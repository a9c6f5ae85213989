"""The examples, each run by its own script."""

import os
import pathlib
import re

import processes
import swift

EXAMPLE_SECONDS = 90


def run(part, pattern):
    """`examples/*/run` finds the binaries in REFRESHD and REFRESH_PROBE."""
    scripts = sorted(
        path for path in pathlib.Path("examples").glob("*/run") if re.search(pattern, str(path)))
    if not scripts and not pattern:
        part.failed("examples", "there are no examples/*/run")
    environment = dict(
        os.environ,
        REFRESHD=os.path.abspath(swift.binary("refreshd")),
        REFRESH_PROBE=os.path.abspath(swift.binary("refresh-probe")))
    for path in scripts:
        part.check(str(path), processes.run(
            [str(path)], part.log(path.parent.name), EXAMPLE_SECONDS, env=environment))
