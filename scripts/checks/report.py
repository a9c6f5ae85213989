"""What passed and what failed, told part by part."""

import contextlib
import re
import time
import traceback

# How much of a failing command's output is shown; all of it is in the log.
SHOWN_LINES = 60
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, \d+ skipped)?$", re.MULTILINE)


class CheckFailed(Exception):
    """A check came out wrong, and its text says all there is to say."""


class Part:
    """One part of the run: counts, and the names of what failed."""

    def __init__(self, name, logs):
        self.name = name
        self.logs = logs
        self.passes = 0
        self.failures = 0
        self.skips = 0
        self.failed_names = []

    def log(self, name):
        """The file that the output of `name` goes to."""
        safe = "".join(c if c.isalnum() or c in "-._" else "-" for c in name)
        return self.logs / f"{self.name}-{safe}.log"

    def passed(self, count=1):
        self.passes += count

    def skipped(self, name, why):
        """Says that a check could not be done here; it counts as neither."""
        self.skips += 1
        print(f"  SKIPPED {name}: {why}")

    def failed(self, name, output="", count=1):
        """Counts failures and shows the end of what the check had to say."""
        self.failures += count
        self.failed_names.append(f"{self.name}: {name}")
        print(f"  FAILED {name}")
        lines = output.rstrip().splitlines()
        if len(lines) > SHOWN_LINES:
            print(f"    ... {len(lines) - SHOWN_LINES} lines before these")
        for line in lines[-SHOWN_LINES:]:
            print(f"    {line}")

    def check(self, name, result):
        """Counts one finished command by its exit status."""
        if result.status == 0:
            self.passed()
        else:
            self.failed(name, f"{result.output}\n(exit status {result.status})")

    def take_over(self, name, result):
        """Counts a finished command that counts for itself, by the last summary that it printed."""
        summaries = SUMMARY.findall(result.output)
        passed, failed = map(int, summaries[-1]) if summaries else (0, 0)
        self.passed(passed)
        if failed or result.status != 0 or passed == 0:
            self.failed(name, f"{result.output}\n(exit status {result.status})", max(failed, 1))


class Report:
    """All parts of a run."""

    def __init__(self, logs):
        self.logs = logs
        self.parts = []

    @contextlib.contextmanager
    def part(self, name):
        part = Part(name, self.logs)
        self.parts.append(part)
        print(f"== {name}", flush=True)
        began = time.monotonic()
        try:
            yield part
        except CheckFailed as failure:
            part.failed(name, str(failure))
        except Exception:  # a check that breaks is a failure like any other, not the end of the run
            part.failed(name, traceback.format_exc())
        seconds = time.monotonic() - began
        print(f"   {part.passes} passed, {part.failures} failed in {seconds:.1f} s", flush=True)

    @property
    def passes(self):
        return sum(part.passes for part in self.parts)

    @property
    def skips(self):
        return sum(part.skips for part in self.parts)

    @property
    def failures(self):
        return sum(part.failures for part in self.parts)

    def failed_names(self):
        return [name for part in self.parts for name in part.failed_names]
