"""Generates the manual pages and the shell completions of both commands, from the built commands.

`scripts/manual` writes them to packaging/. The part `manual` of scripts/test generates them again and compares them with
the files. It also checks the pages with `man`, and the completions with bash, zsh and fish.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import completion
import manual_pages

MAN = pathlib.Path("packaging/man")
# Texts that each page must show.
WANTED_TEXTS = {
    "refreshd.8": ("NAME", "SYNOPSIS", "--listen address:port", "check-config", "SIGHUP", "EXIT STATUS", "78", "FILES"),
    "refreshd.yaml.5": (
        "NAME", "listen:", "sessionsMax: 1 to 1000000", "Default: 20000.", "Kind sqlite", "REFRESHD_LOOPS=2"),
    "refresh-probe.1": ("NAME", "COMMANDS", "plot session", "spinner | indicator", "EXIT STATUS", "141", "NO_COLOR"),
}
TOOLS = ("refreshd", "refresh-probe")
SECONDS = 60


def run(part, pattern):
    """Runs this part of scripts/test."""
    del pattern
    import swift
    binaries = pathlib.Path(swift.binary(TOOLS[0])).parent
    for path, text in wanted_files(binaries):
        if path.is_file() and path.read_text() == text:
            part.passed()
        else:
            part.failed(str(path), "it is outdated: run scripts/manual")
    for name, wanted in WANTED_TEXTS.items():
        for width in (80, 120):
            check_page(part, name, wanted, width)
    for shell in completion.SHELLS:
        if shutil.which(shell):
            completion.run(part, shell, binaries)
        else:
            part.failed(f"completions of {shell}", f"{shell} is missing: scripts/setup installs it")


def check_page(part, name, wanted, width):
    """Checks a page as `man` displays it, and its one-line description for `whatis`."""
    environment = {"MANWIDTH": str(width), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    page = str(MAN / name)
    for tool in ("man", "lexgrog"):
        if not shutil.which(tool):
            part.failed(f"manual page {name}", f"{tool} is missing: scripts/setup installs it")
            return
    shown = subprocess.run(
        ["man", "--warnings=w", "-l", page], capture_output=True, text=True, timeout=SECONDS, env=environment,
        check=False)
    words = " ".join(shown.stdout.split())
    missing = [word for word in wanted if word not in words]
    wide = [line for line in shown.stdout.splitlines() if len(line) > width]
    if shown.returncode == 0 and not shown.stderr and not missing and not wide:
        part.passed()
    else:
        part.failed(
            f"man {name}, {width} columns",
            f"{shown.stderr}\nmissing {missing}\ntoo wide {wide}\n(exit status {shown.returncode})")
    named = subprocess.run(
        ["lexgrog", page], capture_output=True, text=True, timeout=SECONDS, env=environment, check=False)
    if named.returncode == 0 and f'"{name.rpartition(".")[0]} - ' in named.stdout:
        part.passed()
    else:
        part.failed(f"lexgrog {name}", named.stdout + named.stderr)


def wanted_files(binaries):
    """Returns each file with the text that it must have."""
    help_of = {
        tool: json.loads(output_of(binaries, tool, "--experimental-dump-help"))["command"] for tool in TOOLS}
    yield MAN / "refreshd.8", manual_pages.refreshd(help_of["refreshd"])
    schema = json.loads(output_of(binaries, "refreshd", "print-config", "--schema"))
    yield MAN / "refreshd.yaml.5", manual_pages.configuration(schema)
    yield MAN / "refresh-probe.1", manual_pages.refresh_probe(help_of["refresh-probe"])
    for tool in TOOLS:
        for shell in completion.SHELLS:
            text = output_of(binaries, tool, "--generate-completion-script", shell)
            yield completion.script_path(tool, shell), text.rstrip("\n") + "\n"


def output_of(binaries, tool, *arguments):
    return subprocess.run(
        [str(pathlib.Path(binaries, tool)), *arguments], capture_output=True, text=True, timeout=SECONDS,
        check=True).stdout


def main():
    for path, text in wanted_files(sys.argv[1]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)


if __name__ == "__main__":
    main()
