"""Checks without a build: formatting, syntax, and the rules of CONTRIBUTING.md."""

import ast
import json
import pathlib
import re
import subprocess

import processes

# Files that `swift format` is given at once; an ordinary user may have 1,024 open, and `make format` counts alike.
FORMAT_BATCH = 200
COLUMNS_MAX = 100
FUNCTION_LINES_MAX = 60
FUNCTION = re.compile(r"(\s*)(?:[@\w()] ?)*\b(?:func|init)\b")
LINES_MAX = {"Sources": 400, "Tests": 500}
PURE = ("RefreshProtocol", "RefreshEngine", "RefreshIndicator")
IMPURE_IMPORT = re.compile(
    r"^\s*(?:\w+ )?import (Foundation|Dispatch|Logging|Glibc|CLWS|CCurl|Synchronization)\b", re.M)
CLWS_IMPORT = re.compile(r"^\s*(?:\w+ )?import CLWS\b", re.M)
OPENSSL_IMPORT = re.compile(r"^\s*(?:\w+ )?import COpenSSL\b", re.M)
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")
FORCED = re.compile(r"\btry!|\bas!")
# The parts of the names are apart, so that this file passes. The format of copyright files is named by an address.
ARCHIVE = re.compile(
    ("https?://[a-z0-9.-]*(?:debian" + r"\.org|ubuntu" + r"\.com|pypi" + r"\.org|pythonhosted" + r"\.org|npm" + r"js\.|crates"
     + r"\.io)(?!/doc/packaging-manuals/)").encode())


def tracked():
    """The files of the project, as git knows them."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    return [path for path in map(pathlib.Path, names.split("\0")) if path.is_file()]


def first_line(path):
    with open(path, "rb") as file:
        return file.readline()


def run_format(part, files):
    """In batches: `swift format` opens all that it is given before it reads the first."""
    names = [str(path) for path in files if path.suffix == ".swift"]
    for number, start in enumerate(range(0, len(names), FORMAT_BATCH), 1):
        part.check(f"swift format lint, batch {number}", processes.run(
            ["swift", "format", "lint", "--strict", "--parallel", *names[start:start + FORMAT_BATCH]],
            part.log(f"swift-format-{number}"), processes.COMMAND_SECONDS))


def run_shellcheck(part, files):
    scripts = [
        str(path) for path in files
        # argument-parser generates the completions.
        if pathlib.Path("packaging/completions") not in path.parents
        and (path.suffix == ".sh" or re.match(rb"#!.*\b(ba)?sh\b", first_line(path)))]
    part.check("shellcheck", processes.run(
        ["shellcheck", *scripts], part.log("shellcheck"), processes.COMMAND_SECONDS))


def check_python(part, files):
    problems = []
    for path in files:
        if path.suffix == ".py" or re.match(rb"#!.*\bpython3?\b", first_line(path)):
            try:
                ast.parse(path.read_text(), str(path))
            except SyntaxError as error:
                problems.append(f"{path}:{error.lineno}: {error.msg}")
    report(part, "Python syntax", problems)


def check_rules(part, files):
    sizes, long, wide, impure, library, cryptography, unfinished, forced = [], [], [], [], [], [], [], []
    for path in files:
        if path.suffix != ".swift" or path.parts[0] not in LINES_MAX:
            continue
        text = path.read_text()
        lines = text.count("\n")
        if lines > LINES_MAX[path.parts[0]]:
            sizes.append(f"{path}: {lines} lines, at most {LINES_MAX[path.parts[0]]}")
        long += [
            f"{path}:{number}: a function of {count} lines, at most {FUNCTION_LINES_MAX}"
            for number, count in functions(text.splitlines()) if count > FUNCTION_LINES_MAX]
        # `swift format` keeps code to its columns, and leaves comments alone.
        wide += [
            f"{path}:{number}: a comment of {len(line)} columns, at most {COLUMNS_MAX}"
            for number, line in enumerate(text.splitlines(), 1)
            if len(line) > COLUMNS_MAX and line.lstrip().startswith("//")]
        module = path.parts[1]
        if path.parts[0] == "Sources" and module in PURE:
            impure += [f"{path}: imports {name}" for name in IMPURE_IMPORT.findall(text)]
        if path.parts[0] == "Sources" and module != "WebSocketTransport" and CLWS_IMPORT.search(text):
            library.append(f"{path}: imports CLWS")
        if module != "Cryptography" and OPENSSL_IMPORT.search(text):
            cryptography.append(f"{path}: imports COpenSSL")
        unfinished += [f"{path}: {word}" for word in UNFINISHED.findall(text)]
        forced += [f"{path}: {word}" for word in FORCED.findall(text)]
    report(part, "no file has too many lines", sizes)
    report(part, "no function has too many lines", long)
    report(part, "no comment line is too long", wide)
    report(part, "the pure modules import nothing impure", impure)
    report(part, "libwebsockets stays in WebSocketTransport", library)
    report(part, "OpenSSL's functions stay in Cryptography", cryptography)
    report(part, "no unfinished code", unfinished)
    report(part, "no forced unwrapping or casts", forced)


def check_addresses(part, files):
    """The machine's own settings say where packages come from, so no file names an archive or a registry."""
    report(part, "no address of a package archive or registry", [
        f"{path}: {found.decode()}" for path in files if path.is_file()
        for found in ARCHIVE.findall(path.read_bytes())])


def check_versions(part):
    """Each package that was resolved stands in the manifest with exactly that version."""
    state = pathlib.Path(".build/workspace-state.json")
    if not state.exists():
        return
    manifest = pathlib.Path("Package.swift").read_text()
    named = {
        url.rsplit("/", 1)[-1].removesuffix(".git").lower(): version
        for url, version in re.findall(r'url: "([^"]+)", exact: "([^"]+)"', manifest)}
    resolved = {
        entry["packageRef"]["identity"]: entry["state"].get("checkoutState", {}).get("version")
        for entry in json.loads(state.read_text())["object"]["dependencies"]}
    report(part, "each resolved package is in Package.swift with its exact version", [
        f"{name}: {version} was resolved, Package.swift has {named.get(name, 'none')}"
        for name, version in resolved.items() if named.get(name) != version])


def functions(lines):
    """The first line of each function and how many it has; in the form that `swift format` gives them."""
    for start, line in enumerate(lines):
        head = FUNCTION.match(line)
        if not head or line.lstrip().startswith("//"):
            continue
        indent = head.group(1)
        for end in range(start + 1, len(lines)):
            if lines[end] == indent + "}":
                yield start + 1, end - start + 1
                break
            # A declaration without a body, or on one line: what follows is no part of it.
            if re.match(indent + r"[^\s)}]", lines[end]) and not lines[end].startswith(indent + "where"):
                break


def check_links(part, files):
    """Links from one document of the tree to another file of it."""
    lost = []
    for path in files:
        if path.suffix != ".md":
            continue
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", path.read_text()):
            if not re.match(r"\w+:", target) and not (path.parent / target).exists():
                lost.append(f"{path}: {target}")
    report(part, "links between documents have targets", lost)


def check_named_tests(part, files):
    """Tests that a document names, as `ResumeTests`, exist: one that is renamed must be renamed there too."""
    known = set(re.findall(r'name: "(\w+Tests)"', pathlib.Path("Package.swift").read_text()))
    for path in files:
        if path.suffix == ".swift" and path.parts[0] == "Tests":
            known |= set(re.findall(r"\b(?:struct|class|enum|actor) (\w+Tests)\b", path.read_text()))
    lost = [
        f"{path}: {name}"
        for path in files if path.suffix == ".md"
        for name in re.findall(r"`([A-Z]\w+Tests)`", path.read_text()) if name not in known]
    report(part, "tests that documents name exist", lost)


def check_behaviour_table(part):
    """Each behaviour in the last table of docs/architecture.md stands where the table says."""
    page = pathlib.Path("docs/architecture.md")
    rows = re.findall(r"^\| .+ \| `(\w+)` \| \[.+\]\((\S+)\) \|$", page.read_text(), re.MULTILINE)
    lost = [
        f"{page}: {name} is not declared in {target}"
        for name, target in rows
        if not (page.parent / target).exists()
        or not re.search(rf"\b(?:struct|class|enum|protocol|extension|func) {name}\b", (page.parent / target).read_text())]
    if len(rows) < 40:
        lost.append(f"{page}: {len(rows)} behaviours, at least 40")
    report(part, "behaviours are in the files that docs/architecture.md names", lost)


def report(part, name, problems):
    if problems:
        part.failed(name, "\n".join(problems))
    else:
        part.passed()


def run(part, _):
    files = tracked()
    run_format(part, files)
    run_shellcheck(part, files)
    check_python(part, files)
    check_rules(part, files)
    check_addresses(part, files)
    check_versions(part)
    check_links(part, files)
    check_named_tests(part, files)
    check_behaviour_table(part)
