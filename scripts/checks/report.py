"""The results of a run: what passed, failed and was skipped in each part."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time
import traceback

# If a command fails, this number of lines of its output are printed. The log contains the whole output.
SHOWN_LINES = 60
# The only checks that a run may skip, each with the reason that is acceptable. Any other skip is a failure.
SKIPS_ALLOWED = {
    "autobahn": "Autobahn's suite requires Python 2.7, which Debian no longer has",
    "unit: In the child process, all loads end while the name queries hang":
        "it runs in a process that another test starts",
    "unit: In the child process, the threads and descriptors are counted":
        "it runs in a process that another test starts",
    "unit: On request, snapshots of the current format are written into the corpora":
        "it rewrites files of the tree, and runs only with REGENERATE_CORPORA=1",
    "chaos": "the kernel refuses network namespaces to this user",
    "conform: handshake-28": "without a configuration the timeout is an hour; the next check uses two seconds",
}
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


# A disk with less free space than this is full, which may be the cause of a failure.
FREE_MEBIBYTES = 50


def full_disks(folder):
    """Checks the disk of `folder` and the disk of temporary files. Returns a sentence for each of them that is full."""
    full = {}
    for place in (folder, pathlib.Path(os.environ.get("TMPDIR") or "/tmp")):
        if place.is_dir() and shutil.disk_usage(place).free < FREE_MEBIBYTES << 20:
            full.setdefault(place.stat().st_dev, place)
    return [f"the disk that holds {place} is full: free some space and run this again" for place in full.values()]


class CheckFailed(Exception):
    """A check has failed. The text of this exception explains the failure completely."""


class Part:
    """One part of a run, with its counts and the names of its failures."""

    def __init__(self, name, logs):
        self.name = name
        self.logs = logs
        self.passes = 0
        self.failures = 0
        self.skips = []
        self.failed_names = []
        self.seconds = 0.0
        self.budget = None

    def time(self):
        """Returns the duration of the part, with its budget."""
        if self.budget is None:
            return f"{self.seconds:.1f} s"
        return f"{self.seconds:.1f} s of {self.budget} s{' (over budget)' if self.seconds > self.budget else ''}"

    def log(self, name):
        """Returns the file for the output of `name`."""
        safe = "".join(c if c.isalnum() or c in "-._" else "-" for c in name)
        return self.logs / f"{self.name}-{safe}.log"

    def passed(self, count=1):
        self.passes += count

    def skipped(self, name, why):
        """Records a check that cannot run here. A skip that is not in SKIPS_ALLOWED is a failure."""
        label = name if name == self.name else f"{self.name}: {name}"
        if label not in SKIPS_ALLOWED:
            self.failed(name, f"skipped, which is not allowed here: {why}")
            return
        self.skips.append(f"{label}: {why}")
        print(f"  SKIPPED {name}: {why}")

    def failed(self, name, output="", count=1):
        """Counts failures, and shows the end of the check's output."""
        self.failures += count
        self.failed_names.append(f"{self.name}: {name}")
        print(f"  FAILED {name}")
        lines = output.rstrip().splitlines()
        if len(lines) > SHOWN_LINES:
            print(f"    ... {len(lines) - SHOWN_LINES} lines before these")
        for line in lines[-SHOWN_LINES:]:
            print(f"    {line}")

    def check(self, name, result):
        """Counts a finished command by its exit status."""
        if result.status == 0:
            self.passed()
        else:
            self.failed(name, f"{result.output}\n(exit status {result.status})")

    def count_summary(self, name, result):
        """Counts a finished command by the last summary that it has printed."""
        summaries = SUMMARY.findall(result.output)
        passed, failed, skipped = (int(count or 0) for count in summaries[-1]) if summaries else (0, 0, 0)
        self.passed(passed)
        if skipped:
            self.skipped(f"{name}, {skipped} checks", "its output names them")
        if failed or result.status != 0 or passed == 0:
            self.failed(name, f"{result.output}\n(exit status {result.status})", max(failed, 1))


class Report:
    """All parts of a run."""

    def __init__(self, logs):
        self.logs = logs
        self.parts = []

    @contextlib.contextmanager
    def part(self, name, budget=None):
        """Runs one part. `budget` is its maximum duration in seconds, which is shown and does not affect the result.
        """
        part = Part(name, self.logs)
        self.parts.append(part)
        print(f"== {name}", flush=True)
        began = time.monotonic()
        try:
            yield part
        except CheckFailed as failure:
            part.failed(name, str(failure))
        except Exception:  # an exception in a check is a failure like any other, and does not end the run
            part.failed(name, traceback.format_exc())
        part.seconds = time.monotonic() - began
        part.budget = budget
        counts = f"{part.passes} passed, {part.failures} failed"
        if part.skips:
            counts += f", {len(part.skips)} skipped"
        print(f"   {counts} in {part.time()}", flush=True)

    @property
    def passes(self):
        return sum(part.passes for part in self.parts)

    @property
    def skips(self):
        return [skip for part in self.parts for skip in part.skips]

    @property
    def failures(self):
        return sum(part.failures for part in self.parts)

    def failed_names(self):
        return [name for part in self.parts for name in part.failed_names]

    def close(self, seconds, budget, chosen):
        """Prints the last lines: the time of each part, every skip with its reason, every failure, and the counts."""
        print("\n== times")
        for part in self.parts:
            print(f"   {part.name:<12} {part.time()}")
        minutes, rest = divmod(int(seconds), 60)
        over = f" of {budget} s" + (" (over budget)" if seconds > budget else "") if budget else ""
        print(f"{minutes} min {rest} s{over}; logs in {self.logs.parent.name}/{self.logs.name}")
        if chosen.long:
            self.print_rows()
        for line in self.skips:
            print(f"skipped: {line}")
        for line in self.failed_names():
            print(f"failed: {line}")
        if self.failures:
            for line in full_disks(self.logs):
                print(line)
        if chosen.note:
            print(chosen.note)
        print(f"{self.passes} passed, {self.failures} failed", flush=True)

    def print_rows(self):
        """Prints the rows of the table of long parts in docs/testing.md."""
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
        for part in self.parts:
            print(
                f"| `{part.name}` | {time.strftime('%Y-%m-%d')} | `{commit}` | {part.passes} passed, "
                f"{part.failures} failed | {part.seconds / 60:.0f} min |")
