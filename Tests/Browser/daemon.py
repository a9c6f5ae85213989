"""A refreshd process for a test, and the dpkg status file that it reads."""

import hashlib
import json
import os
import pathlib
import select
import subprocess
import urllib.request

PACKAGES = pathlib.Path(__file__).parents[2] / "clients/web/packages.json"
START_SECONDS = 120
TOKEN = "0123456789abcdef0123456789abcdef"
# A token of the configuration. A system that has it may report changes, as `report_change` does.
TOKENS = f"""
tokens: [{{name: test, sha256: "{hashlib.sha256(TOKEN.encode()).hexdigest()}", may: [change]}}]
"""


class PackageList:
    """A dpkg status file with a part of the bundled packages. Versions can be changed while the daemon runs."""

    def __init__(self, path, count):
        self.path = path
        self.upgrades = 0
        self.items = json.loads(PACKAGES.read_text(encoding="utf-8"))[:count]
        self.write()

    def upgrade(self, index=0):
        """Gives one package a new version, and returns that version."""
        item = self.items[index]
        self.upgrades += 1
        item["version"] = f"{item['version'].split('+upgrade')[0]}+upgrade{self.upgrades}"
        self.write()
        return item["version"]

    def write(self):
        """Replaces the file atomically, as dpkg does."""
        draft = self.path.with_suffix(".new")
        draft.write_text("".join(map(paragraph, self.items)), encoding="utf-8")
        os.replace(draft, self.path)


def paragraph(item):
    return (
        f"Package: {item['name']}\n"
        "Status: install ok installed\n"
        "Priority: optional\n"
        f"Section: {item['section']}\n"
        f"Installed-Size: {item['installedKiB']}\n"
        "Maintainer: Nobody <nobody@example.org>\n"
        "Architecture: all\n"
        f"Version: {item['version']}\n"
        f"Description: {item['description']}\n"
        " The long description, which the list does not show.\n\n"
    )


class Daemon:
    """One daemon process. If it is killed and started again, it keeps its port."""

    def __init__(self, executable, status_file, log_path, config=None, journals=None):
        self.executable = executable
        self.sources = ["--config", str(config)] if config else ["--demo", "--dpkg-status", str(status_file)]
        if journals:
            self.sources += ["--journal", str(journals)]
        self.log_path = log_path
        self.port = 0
        self.process = None

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [self.executable, "--listen", f"127.0.0.1:{self.port}", *self.sources],
                stdout=subprocess.PIPE, stderr=log)
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline() if ready else b""
        if not line:
            self.kill()
            raise RuntimeError(
                f"the daemon did not start:\n{pathlib.Path(self.log_path).read_text(errors='replace')}")
        self.port = json.loads(line)["port"]

    def report_change(self, feed, change=None):
        """Reports a change of a feed. `change` states what has changed. The configuration must have `TOKENS`."""
        request = urllib.request.Request(
            f"{self.url}v1/feeds/{feed}/changed", method="POST", data=b"" if change is None else json.dumps(change).encode(),
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            assert answer.status == 204, answer.status

    def kill(self):
        """SIGKILL: the connections end without a close frame."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """SIGTERM: the daemon drains. `ended` waits for its end."""
        self.process.terminate()

    def ended(self):
        self.process.wait(START_SECONDS)
        self.process.stdout.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"
