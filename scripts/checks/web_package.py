"""The checks of the web client that need no browser: its types, the size of what a page loads, and its tests in Node."""

import gzip
import json
import pathlib
import re
import shutil
import subprocess

import end_to_end
from processes import COMMAND_SECONDS, run

WEB = pathlib.Path("clients/web")
COMPILER = "/usr/bin/tsc"
BUNDLER = "/usr/bin/esbuild"
# The agreed maximum for the core, the adapter of the DOM and the `local` client, minified and compressed.
BYTES_MAX = 30 * 1024
EMBEDDED = pathlib.Path("Sources/WebClientFiles/WebClientFiles.c")
# The pages that the daemon serves, by the names of their scripts.
PAGES = {
    "page.js": "index.html", "uploads.js": "uploads.html", "chat.js": "chat.html", "examples/board.js": "board.html",
    "element.js": "log.html", "gallery.js": "gallery.html"}
IMPORT = re.compile(r"""\b(?:from|import) "\.\.?/([\w-]+\.js)";$""", re.MULTILINE)
ENTRY_POINTS = ("core.js", "dom.js", "element.js", "react.js")


def size(entry):
    """Returns the size in bytes of an entry point with its modules, minified and compressed by gzip."""
    bundle = subprocess.run(
        [BUNDLER, str(WEB / entry), "--bundle", "--minify", "--format=esm", "--target=es2022", "--external:react"],
        check=True, capture_output=True, timeout=COMMAND_SECONDS).stdout
    return len(gzip.compress(bundle, compresslevel=9, mtime=0))


def check_sizes(part):
    sizes = {entry: size(entry) for entry in ENTRY_POINTS}
    print("  minified and compressed: " + ", ".join(f"{entry} {count / 1024:.1f} KiB" for entry, count in sizes.items()))
    if 0 < sizes["dom.js"] <= BYTES_MAX:
        part.passed()
    else:
        part.failed("the size of dom.js", f"{sizes['dom.js']} bytes, at most {BYTES_MAX}")
    # Each of these entry points contains the one before it.
    if sizes["core.js"] < sizes["dom.js"] < sizes["element.js"]:
        part.passed()
    else:
        part.failed("the sizes of the entry points", json.dumps(sizes))


def modules(script):
    """Returns a script and all modules that it imports."""
    found, left = set(), [script]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += IMPORT.findall((WEB / name).read_text(encoding="utf-8"))
    return found


def check_embedded(part):
    """The daemon must embed exactly the modules of its pages. A page that preloads modules must preload all of them."""
    embedded = {name for name in re.findall(r'\{"([\w.-]+)", ', EMBEDDED.read_text()) if name.endswith(".js")}
    needed = {pathlib.Path(name).name for name in set().union(*map(modules, PAGES))}
    problems = [f"{name} is missing in {EMBEDDED}" for name in sorted(needed - embedded)]
    problems += [f"{name} is in {EMBEDDED}, but no page of the daemon imports it" for name in sorted(embedded - needed)]
    for script, page in PAGES.items():
        preloaded = set(re.findall(r'rel="modulepreload" href="/([\w.-]+)"', (WEB / page).read_text()))
        if preloaded and preloaded != modules(script) - {script}:
            problems.append(f"{page} preloads other modules: {sorted(preloaded ^ (modules(script) - {script}))}")
    if problems:
        part.failed("the modules that the daemon embeds", "\n".join(problems))
    else:
        part.passed()


def run_part(part, pattern):
    """Runs this part of scripts/test."""
    end_to_end.web_client(part, pattern)
    check_embedded(part)
    missing = [tool for tool in (COMPILER, BUNDLER) if not shutil.which(tool)]
    if missing:
        part.failed("the types and the size of the web client", f"{', '.join(missing)} is missing: run scripts/setup")
        return
    part.check("tsc --checkJs", run([COMPILER, "-p", str(WEB)], part.log("tsc"), COMMAND_SECONDS))
    check_sizes(part)
