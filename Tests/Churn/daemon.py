"""A refreshd process with the configuration for the churn."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import threading

import churn


class Daemon:
    """Runs the binary until `stop`. Its output on standard error is kept."""

    def __init__(self, binary, environment=None, configuration=churn.CONFIGURATION, counting=None):
        """`counting` is the library built from live.c. `allocated` needs it."""
        self.folder = tempfile.TemporaryDirectory()
        self.live = pathlib.Path(self.folder.name) / "live"
        if counting:
            # The threads' allocation caches are disabled, because they vary by some hundred KiB.
            environment = {
                **(environment or {}), "LD_PRELOAD": str(counting), "LIVE_BYTES": str(self.live),
                "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        path = pathlib.Path(self.folder.name) / "refreshd.yaml"
        path.write_text(configuration)
        self.errors = []
        self.process = subprocess.Popen(
            [str(binary), "--listen", "127.0.0.1:0", "--loops", "2", "--config", str(path)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline()
        if not line.startswith("{"):
            self.process.kill()
            raise churn.Unexpected(f"the daemon did not start: {line}{''.join(self.errors)}")
        self.port = json.loads(line)["port"]

    def read(self):
        for line in self.process.stderr:
            self.errors.append(line)
            del self.errors[:-100_000]

    def is_running(self):
        return self.process.poll() is None

    def resident(self):
        """Returns the resident memory in KiB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise churn.Unexpected("the daemon has ended")

    def allocated(self):
        """Returns the number of allocated bytes. The value is at most a tenth of a second old."""
        return int(self.live.read_text())

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self, seconds=60):
        """Drains the daemon. Returns how it ended."""
        if self.is_running():
            self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        if self.is_running():
            self.process.kill()
            self.process.wait()
            raise churn.Unexpected(f"the daemon did not stop within {seconds} s")
        self.reader.join(5)
        self.folder.cleanup()
        return self.process.returncode
