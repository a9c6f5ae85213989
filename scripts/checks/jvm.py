"""The client for the JVM: its build, its tests, and its examples. The part `clients` runs its conformance suite."""

import pathlib
import re
import zipfile

import recorded_messages
import swift
from end_to_end import fresh_folder
from processes import COMMAND_SECONDS, Daemon, run

CLIENT = pathlib.Path("clients/jvm")
BUILT = pathlib.Path(".build/jvm")
# The folders of a Debian package with the JDK.
JDKS = "/usr/lib/jvm/java-17-openjdk-*/bin/java"
# By example, what it must print.
EXAMPLES = {
    "FirstPull": ("items",),
    "PullAndLoadMore": ("PULLING", "ELIGIBLE", "REFRESHING", "page 3: now 100 items"),
    "PullList": ("pulling", "eligible", "refreshing", "idle", "items received")}
# What the first and the second run of the example LaterProcess must print.
RUNS = (("now 50 items",), ("resumed with 50 items", "now 100 items"))
# The examples that the page of the client shows.
SHOWN = ("FirstPull", "PullAndLoadMore")
COLUMNS_MAX = 100
# By folder, the maximum number of lines of a file. Generated files have as many lines as their options need.
LINES_MAX = {"src": 400, "conform": 400, "examples": 400, "test": 500}
# The folders that the jar of the client may contain.
PACKAGES = ("META-INF/", "refreshd/")


def build(part):
    """Compiles the client and its driver, unless this run has built them."""
    if build.command is None:
        build.command = "classes"
        part.check("clients/jvm/build classes", run([str(CLIENT / "build"), "classes"], part.log("jvm"), COMMAND_SECONDS))


build.command = None


def run_part(part, pattern):
    """Builds the jars and runs the tests. Then runs the tests that need a daemon, and each example with nothing but the jar,
    against a daemon.
    """
    check_sources(part)
    build.command = "check"
    result = run([str(CLIENT / "build"), "check"], part.log("build"), COMMAND_SECONDS)
    part.count_summary("clients/jvm/build check", result)
    if result.status != 0:
        return
    jar = check_jar(part)
    check_readme(part, jar)
    java = str(next(pathlib.Path("/").glob(JDKS.lstrip("/"))))
    part.count_summary("tests of clients/jvm with a daemon", run(
        [java, "-cp", f"{BUILT / 'test'}:{BUILT / 'client'}", "refreshd.client.Tests", swift.binary("refreshd")],
        part.log("served"), COMMAND_SECONDS))
    journals = fresh_folder(part, "journals")
    arguments = ["--demo", "--journal", str(journals)]
    with Daemon(swift.binary("refreshd"), part.log("refreshd"), arguments) as daemon:
        state = journals.with_name("state.json")
        state.unlink(missing_ok=True)
        runs = [(name, words, []) for name, words in EXAMPLES.items()]
        for name, words, more in [*runs, *(("LaterProcess", words, [str(state)]) for words in RUNS)]:
            if re.search(pattern, name):
                command = [java, "-cp", str(jar), str(CLIENT / f"examples/{name}.java")]
                check_example(part, name, words, run(
                    [*command, f"ws://127.0.0.1:{daemon.port}/v1/session", *more], part.log(name), COMMAND_SECONDS))
    recorded_messages.validate(part, journals, both=True)


def check_sources(part):
    problems = []
    for path in sorted(CLIENT.rglob("*.java")):
        lines = path.read_text().splitlines()
        problems += [f"{path}:{number}: more than {COLUMNS_MAX} columns"
                     for number, line in enumerate(lines, 1) if len(line) > COLUMNS_MAX]
        most = LINES_MAX.get(path.relative_to(CLIENT).parts[0])
        if most is not None and len(lines) > most:
            problems.append(f"{path}: {len(lines)} lines, at most {most}")
    if problems:
        part.failed("no Java file or line is too long", "\n".join(problems))
    else:
        part.passed()


def check_example(part, name, words, result):
    missing = [word for word in words if not re.search(rf"\b{word}\b", result.output)]
    if result.status == 0 and missing:
        part.failed(name, f"it did not print {', '.join(missing)}\n{result.output}")
    else:
        part.check(name, result)


def check_jar(part):
    """Checks that the jar has only classes of the client. Returns its path."""
    jars = sorted(BUILT.glob("refreshd-client-*[0-9].jar"))
    names = [name for jar in jars for name in zipfile.ZipFile(jar).namelist()]
    foreign = [name for name in names if not name.startswith(PACKAGES)]
    if len(jars) != 1 or foreign or "refreshd/client/RefreshClient.class" not in names:
        part.failed("the jar has the classes of the client", f"{jars}: {foreign}")
    else:
        part.passed()
    return jars[0]


def check_readme(part, jar):
    """Checks that the page of the client shows its examples as they are, and names the jar of this version."""
    page = (CLIENT / "README.md").read_text()
    if f"javac -cp {jar.name} " in page:
        part.passed()
    else:
        part.failed("clients/jvm/README.md names the jar", f"the page does not compile with {jar.name}")
    for name in SHOWN:
        if f"```java\n{(CLIENT / f'examples/{name}.java').read_text()}```\n" in page:
            part.passed()
        else:
            part.failed(f"clients/jvm/README.md shows examples/{name}.java", "the block differs from the file")
