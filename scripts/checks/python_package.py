"""Checks clients/python as its users get it: the types, the wheel, and the examples with an installed package.

The wheel is built without the network, and installed in a fresh environment that has Debian's Python and Debian's
python3-websockets. So the package is also checked with the oldest version of that library that it supports.
"""

import pathlib
import re
import shutil
import sys

import catalogue
import swift
from processes import COMMAND_SECONDS, Daemon, run

SOURCE = pathlib.Path("clients/python")
SYSTEM_PYTHON = "/usr/bin/python3"
# For each example, what it prints.
EXAMPLES = {
    "first_pull": r"^\d+ items, the first is \{'.*\}$",
    "own_backend": r"^40 items, and no more$",
    "pull_list": r"(?s)pulling.*eligible.*refreshing.*idle.*100 items",
    "search": r"(?s)'q': 'a'} 10 items.*'q': 'b'} 10 items.*'q': 'banana 1'} 2 items",
}


def check(part):
    check_types(part)
    check_wrong_types(part)
    python = installed(part)
    if python is not None:
        check_installed(part, python)


def check_types(part):
    part.check("types of clients/python (mypy --strict)", run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(part.log("mypy-cache").with_suffix("").absolute()),
         "refreshd", "pull.py", *(f"examples/{name}.py" for name in EXAMPLES)],
        part.log("mypy").absolute(), COMMAND_SECONDS, cwd=SOURCE))


def check_wrong_types(part):
    """The type checker must report exactly the lines that are marked as wrong."""
    path = pathlib.Path("Tests/PythonClient/wrong_types.py").absolute()
    marked = {number for number, line in enumerate(path.read_text().splitlines(), 1) if "# wrong:" in line}
    result = run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir",
         str(part.log("mypy-cache").with_suffix("").absolute()), str(path)],
        part.log("mypy-wrong").absolute(), COMMAND_SECONDS, cwd=SOURCE)
    reported = {int(line) for line in re.findall(r"wrong_types\.py:(\d+): error", result.output)}
    if marked and reported == marked:
        part.passed()
    else:
        part.failed("wrong types are reported", f"expected errors in the lines {sorted(marked)}\n{result.output}")


def installed(part):
    """Builds the wheel, and installs it in a fresh environment. Returns the Python of the environment; None if a step
    has failed.
    """
    folder = part.log("package").with_suffix("").absolute()
    shutil.rmtree(folder, ignore_errors=True)
    # The build writes files next to its source.
    shutil.copytree(SOURCE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    python = folder / "environment/bin/python"
    steps = [
        ("the wheel is built", [
            *pip, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder),
            str(folder / "source")]),
        ("a fresh environment", [
            SYSTEM_PYTHON, "-m", "venv", "--without-pip", "--system-site-packages", str(folder / "environment")]),
        ("the wheel is installed", [
            *pip, "--python", str(python), "install", "--no-index", "--find-links", str(folder), "refreshd"]),
    ]
    for name, command in steps:
        result = run(command, part.log(name.replace(" ", "-")), COMMAND_SECONDS)
        part.check(f"clients/python: {name}", result)
        if result.status != 0:
            return None
    return str(python)


def check_installed(part, python):
    """The installed package has the version of the daemon, and its command and its examples work with the daemon."""
    folder = part.log("package").with_suffix("").absolute()
    version = run(["scripts/version"], part.log("version"), COMMAND_SECONDS)
    part.check("clients/python: the wheel contains its licence", run([
        python, "-c", "import importlib.metadata, sys; found = importlib.metadata.distribution('refreshd'); "
        "sys.exit(not any(file.name == 'LICENSE' for file in found.files) or found.metadata['License'] != 'MIT')"],
        part.log("package-licence"), COMMAND_SECONDS, cwd=folder))
    part.check("clients/python: the package has the version of the daemon", run([
        python, "-c", "import importlib.metadata, refreshd, sys; found = importlib.metadata.version('refreshd'); "
        f"sys.exit(f'{{found}}, {{refreshd.__version__}}' if {{found, refreshd.__version__}} != "
        f"{{'{version.output.strip()}'}} else 0)"], part.log("package-version"), COMMAND_SECONDS, cwd=folder))
    with Daemon(swift.binary("refreshd"), part.log("refreshd-package"), ["--demo"]) as daemon:
        url = f"ws://127.0.0.1:{daemon.port}/v1/session"
        result = run([python, "-m", "refreshd", "pull", url], part.log("command"), COMMAND_SECONDS, cwd=folder)
        expect(part, "python -m refreshd pull", result, r"(?s)pulling.*refreshing.*50 items received")
        for name in ("first_pull", "pull_list", "own_backend"):
            run_example(part, python, name, url)
    configuration = part.log("package-feeds").with_suffix(".yaml")
    configuration.write_text(catalogue.configuration())
    with Daemon(swift.binary("refreshd"), part.log("refreshd-feeds"), ["--config", str(configuration)]) as daemon:
        run_example(part, python, "search", f"ws://127.0.0.1:{daemon.port}/v1/session", "catalogue")


def run_example(part, python, name, *arguments):
    # In the folder of the package's source, `import refreshd` would find the source instead of the installed package.
    path = (SOURCE / "examples" / f"{name}.py").absolute()
    result = run([python, "-B", str(path), *arguments], part.log(f"example-{name}"), COMMAND_SECONDS)
    expect(part, f"clients/python/examples/{name}.py", result, EXAMPLES[name])


def expect(part, name, result, pattern):
    if result.status == 0 and not re.search(pattern, result.output, re.M):
        part.failed(name, f"it did not print {pattern}\n{result.output}")
    else:
        part.check(name, result)
