"""The manual pages and the shell completions of both commands, made from the commands themselves.

`scripts/manual` writes them into packaging/; the part `manual` of scripts/test holds them to the built commands, the
pages to what `man` has to complain of, and the completions to what bash, zsh and fish offer with them.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import completion
import pages

MAN = pathlib.Path("packaging/man")
# What each page must have, as a reader sees it.
READ = {
    "refreshd.8": ("NAME", "SYNOPSIS", "--listen address:port", "check-config", "SIGHUP", "EXIT STATUS", "78", "FILES"),
    "refreshd.yaml.5": (
        "NAME", "listen:", "sessionsMax: 1 to 1000000", "Default: 20000.", "Kind sqlite", "REFRESHD_LOOPS=2"),
    "refresh-probe.1": ("NAME", "COMMANDS", "plot session", "spinner | indicator", "EXIT STATUS", "141", "NO_COLOR"),
}
TOOLS = ("refreshd", "refresh-probe")
SECONDS = 60


def run(part, pattern):
    """The part of scripts/test."""
    del pattern
    import swift
    binaries = pathlib.Path(swift.binary(TOOLS[0])).parent
    for path, text in made(binaries):
        if path.is_file() and path.read_text() == text:
            part.passed()
        else:
            part.failed(str(path), "it is outdated: run scripts/manual")
    for name, wanted in READ.items():
        for width in (80, 120):
            read(part, name, wanted, width)
    for shell in completion.SHELLS:
        if shutil.which(shell):
            completion.run(part, shell, binaries)
        else:
            part.failed(shell, "it is not here: scripts/setup installs it")


def read(part, name, wanted, width):
    """A page as `man` shows it, and what `whatis` would say of it."""
    environment = {"MANWIDTH": str(width), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    page = str(MAN / name)
    for tool in ("man", "lexgrog"):
        if not shutil.which(tool):
            part.failed(tool, "it is not here: scripts/setup installs it")
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


def made(binaries):
    """Each file and what it must hold."""
    help_of = {
        tool: json.loads(asked(binaries, tool, "--experimental-dump-help"))["command"] for tool in TOOLS}
    yield MAN / "refreshd.8", pages.refreshd(help_of["refreshd"])
    schema = json.loads(asked(binaries, "refreshd", "print-config", "--schema"))
    yield MAN / "refreshd.yaml.5", pages.configuration(schema)
    yield MAN / "refresh-probe.1", pages.refresh_probe(help_of["refresh-probe"])
    for tool in TOOLS:
        for shell in completion.SHELLS:
            text = asked(binaries, tool, "--generate-completion-script", shell)
            yield completion.script(tool, shell), text.rstrip("\n") + "\n"


def asked(binaries, tool, *arguments):
    return subprocess.run(
        [str(pathlib.Path(binaries, tool)), *arguments], capture_output=True, text=True, timeout=SECONDS,
        check=True).stdout


def main():
    for path, text in made(sys.argv[1]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)


if __name__ == "__main__":
    main()
