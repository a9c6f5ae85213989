"""Tests the error messages of the project's shell scripts. A script that fails must print one sentence with advice, and
must never end silently.

Each trial runs a script in a copy of scripts/. The programs on its PATH are those of the system, but the trial replaces
or removes some of them.
"""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile

import lint

SECONDS = 60
SWIFT = 'echo "Swift version {} (swift-{}-RELEASE)"'
TARGET = """case $1 in -print-target-info) echo '  "runtimeResourcePath": "{}"' ;; *) exit 1 ;; esac"""
ORDINARY = "echo 1000"
DEBIAN = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'
TRIXIE = 'ID=debian\nVERSION_ID="13"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n'
# A dpkg-query that reports no installed packages.
BARE = "true"


class Machine:
    """A simulated machine for a script: its programs, its release and its folder."""

    def __init__(self, folder, system, caller="setup"):
        self.caller = caller
        self.folder = pathlib.Path(folder)
        self.tree = self.folder / "tree"
        shutil.copytree("scripts", self.tree / "scripts")
        shutil.copytree(".ci", self.tree / ".ci")
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        self.system = system
        self.release(DEBIAN)
        self.program("swift", SWIFT.format("6.3.1", "6.3.1"))

    def release(self, text):
        (self.folder / "os-release").write_text(text)
        setup = self.tree / "scripts/setup"
        setup.write_text(setup.read_text().replace("/etc/os-release", str(self.folder / "os-release")))

    def program(self, name, script):
        """Replaces a program of the system."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def toolchain(self, place):
        """Creates the folder of a toolchain, with its compiler and its libraries. The program swift on PATH reports it.
        """
        for part in ("lib/swift", "bin"):
            (self.folder / place / "usr" / part).mkdir(parents=True)
        compiler = self.folder / place / "usr/bin/swift"
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
        (self.programs / "swift").unlink()
        self.program("swiftly", TARGET.format(self.folder / place / "usr/lib/swift"))
        (self.programs / "swift").symlink_to("swiftly")

    def root(self):
        """Creates everything that clean-root requires before it builds a root. The build of the root then fails at once."""
        self.program("id", "echo 0")
        self.program("unshare", "true")
        self.program("sleep", "true")
        self.program("apt-get", "echo 'Debian|archive|bookworm|main'")
        self.program("mmdebstrap", f"echo >>{self.folder}/tries; exit 1")
        self.toolchain("home/.local/share/swiftly/toolchains/6.3.1")

    def run(self, script, *options, **variables):
        return subprocess.run(
            [str(self.tree / "scripts" / script), *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=SECONDS, env={"PATH": f"{self.programs}:{self.system}", "HOME": str(self.folder), **variables})

    def set_up(self):
        """Runs scripts/setup, or a script that first runs it."""
        return self.run(self.caller, REFRESHD_LISTEN="127.0.0.1:1")


def system_programs(folder):
    """Creates links to the programs of the system, except sudo and swift. A trial adds these two if it needs them."""
    for place in ("/usr/bin", "/bin"):
        for program in set(os.listdir(place)) - {"sudo", "swift"}:
            with contextlib.suppress(FileExistsError):
                (pathlib.Path(folder) / program).symlink_to(f"{place}/{program}")


def other_release(machine):
    machine.release(TRIXIE)
    return machine.set_up()


def no_swift(machine):
    (machine.programs / "swift").unlink()
    return machine.set_up()


def old_swift(machine):
    machine.program("swift", SWIFT.format("6.1.2", "6.1.2"))
    return machine.set_up()


def no_sudo(machine):
    machine.program("id", ORDINARY)
    machine.program("dpkg-query", BARE)
    return machine.set_up()


def refusing_sudo(machine):
    machine.program("id", ORDINARY)
    machine.program("sudo", "echo 'sudo: a password is required' >&2; exit 1")
    machine.program("dpkg-query", BARE)
    return machine.set_up()


def no_network(machine):
    machine.program("id", "echo 0")
    machine.program("dpkg-query", BARE)
    machine.program("apt-get", "echo 'E: Could not resolve' >&2; exit 100")
    return machine.set_up()


def full_disk(machine):
    machine.program("df", "echo Avail; echo 120M")
    return machine.set_up()


def full_after_interruption(machine):
    """A build was interrupted: its folder exists without its results."""
    for kind in ("debug", "release"):
        (machine.tree / ".build" / kind).mkdir(parents=True)
    return full_disk(machine)


def full_for_tests(machine):
    """The disk of temporary files is full, so the checks fail. A Python module simulates the full disk."""
    setup = machine.tree / "scripts/setup"
    setup.write_text("#!/bin/sh\ntrue\n")
    (machine.folder / "sitecustomize.py").write_text(
        "import shutil\nshutil.disk_usage = lambda folder: shutil._ntuple_diskusage(1, 1, 0)\n")
    (machine.tree / "Sources").mkdir()
    result = machine.run("test", "--only", "web", PYTHONPATH=str(machine.folder))
    *_, summary, count = result.stdout.strip().splitlines()
    result.stderr += summary
    if not re.fullmatch(r"\d+ passed, [1-9]\d* failed", count):
        result.stderr += f"\nthe last line is {count}"
    return result


def full_while_at_work(machine):
    """The disk becomes full during the run, so the script notices it only when a command fails."""
    machine.program("df", f"if [ -e {machine.folder}/failed ]; then echo 0M; else echo 90000M; fi")
    machine.program("dpkg-query", f"touch {machine.folder}/failed; exit 2")
    return machine.set_up()


def port_in_use(machine):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        return machine.run("run", REFRESHD_LISTEN=f"127.0.0.1:{port}")


def listening(listen):
    """Returns a trial of scripts/run with an address. An invalid address must be reported before the build."""
    def trial(machine):
        setup = machine.tree / "scripts/setup"
        setup.write_text("#!/bin/sh\necho setup began >&2\nexit 1\n")
        return machine.run("run", "--listen", listen)
    return trial


def second_run(machine, lock="scripts/run (process 4711)\n"):
    work = machine.tree / ".build"
    work.mkdir()
    (work / "lock").write_text(lock)
    with subprocess.Popen(
            ["flock", str(work / "lock"), "sh", "-c", "echo held; read line"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True) as first:
        first.stdout.readline()
        result = machine.run("run", REFRESHD_LISTEN="127.0.0.1:1")
        first.communicate("\n")
    return result


def second_run_at_once(machine):
    """Another script has acquired the lock, but has not yet written its name."""
    return second_run(machine, "")


def broken_program(machine):
    machine.program("dpkg-query", "exit 2")
    return machine.set_up()


def unbuildable(machine):
    """Everything is installed. The build fails in the same way as without access to the Swift packages."""
    machine.program("swift", f"case $1 in --version) {SWIFT.format('6.3.1', '6.3.1')} ;; *) echo 'error: fetch' >&2; exit 1 ;; esac")
    setup = machine.tree / "scripts/setup"
    setup.write_text("#!/bin/sh\ntrue\n")
    return machine.run("run", REFRESHD_LISTEN="127.0.0.1:1")


def occupied_root(machine):
    """Another program has filled the folder for clean-root's root. The script must refuse the folder, and remove nothing in
    it.
    """
    machine.root()
    occupied = machine.folder / "occupied"
    occupied.mkdir()
    (occupied / "precious").write_text("")
    result = machine.run("clean-root", "--root", str(occupied))
    if not (occupied / "precious").exists():
        result.stderr += "clean-root removed a file that is not its own\n"
    return result


def root_of_the_system(machine):
    machine.root()
    return machine.run("clean-root", "--root", "/etc")


def unreachable_root(machine):
    """The toolchain is in a home folder, as swiftly installs it. The archive is contacted three times."""
    machine.root()
    result = machine.run("clean-root")
    if len((machine.folder / "tries").read_text()) != 3:
        result.stderr += "not three tries\n"
    return result


def packages_of(machine, *names):
    folder = machine.folder / "packages"
    folder.mkdir()
    for name in names:
        (folder / name).write_text(name)
    return folder


def unreachable_image(machine):
    machine.root()
    machine.program("umoci", "true")
    machine.program("dpkg-deb", "echo libc6")
    folder = packages_of(machine, "refreshd_1.0.0_amd64.deb", "refresh-probe_1.0.0_amd64.deb")
    result = machine.run("image", "--packages", str(folder), SOURCE_DATE_EPOCH="1")
    if len((machine.folder / "tries").read_text()) != 3:
        result.stderr += "not three tries\n"
    return result


def new_sums(machine):
    """An image is added to a folder of packages. The checksums must be those of the existing files of this version."""
    there = ["refresh-probe_1.0.0_amd64.deb", "refreshd_1.0.0_amd64.deb", "refreshd_1.0.0.spdx.json", "refreshd_1.0.0_oci.spdx.json",
             "refreshd_1.0.0_oci.tar"]
    folder = packages_of(machine, *there, "refreshd_0.0.9_oci.tar", "SHA256SUMS")
    script = machine.tree / "scripts/sums"
    script.write_text('#!/bin/bash\n. "$(dirname "$0")/common.sh"\nwrite_sums "$1" 1.0.0\nwrite_sums "$1" 2.0.0 </dev/null\n')
    script.chmod(0o755)
    result = machine.run("sums", str(folder))
    sums = (folder / "SHA256SUMS").read_text()
    if [line.split()[1] for line in sums.splitlines()] != there or "SHA256SUMS.new" in os.listdir(folder):
        result.stderr += f"wrong sums: {sums}"
    return result


def spread_toolchain(machine):
    machine.root()
    (machine.folder / "libexec/lib/swift").mkdir(parents=True)
    machine.program("swift", TARGET.format(machine.folder / "libexec/lib/swift"))
    return machine.run("clean-root")


def silent_toolchain(machine):
    machine.root()
    machine.program("swift", "exit 1")
    return machine.run("clean-root")


def no_namespaces(machine):
    machine.program("id", "echo 0")
    machine.program("unshare", "echo 'unshare: unshare failed: Operation not permitted' >&2; exit 1")
    return machine.run("clean-root")


def integration(machine, count):
    """Checks only whether .ci/run runs the tests in a clean root or on this machine. Instead of scripts/test and
    scripts/clean-root, it runs scripts that print their names.
    """
    for script in ("test", "clean-root"):
        (machine.tree / "scripts" / script).write_text(f'#!/bin/sh\necho "$*"\necho ran {script} >&2\necho 5 passed, 0 failed\n')
    result = machine.run("../.ci/run")
    if "ran " in result.stdout:
        result.stderr += re.search("ran .*", result.stdout).group()
        result.returncode = result.returncode or 1
    if not result.stdout.endswith(count + "\n"):
        result.stderr += f"\nthe last line is not {count}\n"
    return result


def integration_without_sudo(machine):
    machine.program("id", ORDINARY)
    return integration(machine, "0 passed, 1 failed")


def integration_refused(machine):
    """A container in which no process can become root. The kernel's message does not mention a namespace."""
    machine.program("id", ORDINARY)
    machine.program("sudo", "echo 'sudo: unable to change to root gid: Operation not permitted' >&2; exit 1")
    return integration(machine, "0 passed, 1 failed")


def integration_broken(machine):
    """Not unshare but another program fails, with the same reason in its message."""
    machine.program("id", "echo 0")
    machine.program("unshare", "echo 'env: unshare: Operation not permitted' >&2; exit 126")
    return integration(machine, "0 passed, 1 failed")


def integration_without_namespaces(machine):
    machine.program("id", "echo 0")
    machine.program("unshare", "[ \"$*\" = '--mount true' ] || exit 1\necho 'unshare: unshare failed: Operation not permitted' >&2; exit 1")
    return integration(machine, "5 passed, 0 failed")


def integration_with_namespaces(machine):
    """The kernel refuses process namespaces. That is not a reason to run the tests outside a clean root."""
    machine.program("id", "echo 0")
    machine.program("unshare", "case \"$*\" in *--pid*) echo 'unshare: unshare failed: Operation not permitted' >&2; exit 1 ;; esac")
    return integration(machine, "5 passed, 0 failed")


def package_elsewhere(machine):
    package = machine.tree / "scripts/package"
    machine.release(TRIXIE)
    package.write_text(package.read_text().replace("/etc/os-release", str(machine.folder / "os-release")))
    return machine.run("package")


def site(*options):
    return lambda machine: machine.run("site", *options)


# Each trial, with the pattern of the last line that the script must print. The line contains the problem and advice.
TRIALS = {
    "another Debian release": (other_release, r"setup: this is Debian GNU/Linux 13 \(trixie\), and only Debian 12 .*: use it"),
    "no Swift": (no_swift, r"setup: Swift 6\.3 or newer is needed: install it from "),
    "a Swift that is too old": (old_swift, r"setup: Swift 6\.3 or newer is needed, and \S+ is 6\.1: install a newer one"),
    "no sudo": (no_sudo, r"setup: installing packages requires root privileges: run this as root, or install sudo\."),
    "a sudo that refuses": (refusing_sudo, r"setup: installing packages requires root privileges, and sudo refused: run "),
    "no network": (no_network, r"setup: the package archive cannot be reached: check the network"),
    "a disk that is almost full": (full_disk, r"setup: (the first build|building the tests) requires \d+ GiB of free disk space, .* free some"),
    "a disk that is almost full after a build that was broken off": (
        full_after_interruption, r"setup: (the first build|building the tests) requires \d+ GiB of free disk space, .* free some"),
    "a disk that is full during the checks": (full_for_tests, r"the disk that holds \S+ is full: free some space and run this again"),
    "a disk that runs full": (full_while_at_work, r"setup: the disk that holds \S+ is full: free some space"),
    "a port in use": (port_in_use, r"run: another program listens on 127\.0\.0\.1:\d+: end it, or choose another port"),
    **{f"listening on '{listen}'": (listening(listen), f"run: {wanted}: write ADDRESS:PORT, for example scripts/run --listen ") for listen, wanted in {
        ":8080": r"':8080' has no address before the port \(0\.0\.0\.0 and \[::\] mean all\)",
        "127.0.0.1": r"the address '127\.0\.0\.1' has no port",
        "[::1]": r"the address '\[::1\]' has no port",
        "": r"the address '' has no port",
        "127.0.0.1:": r"'' of '127\.0\.0\.1:' is not a port \(0 to 65535\)",
        "127.0.0.1:99999": r"'99999' of '\S+' is not a port \(0 to 65535\)",
        "127.0.0.1:184467440737095616": r"'\d+' of '\S+' is not a port \(0 to 65535\)",
        "127.0.0.1:abc": r"'abc' of '\S+' is not a port \(0 to 65535\)",
        "::1:8080": r"'::1' of '::1:8080' is not an IPv4 address, an IPv6 address in brackets or localhost",
    }.items()},
    **{f"listening on '{listen}', which can be": (listening(listen), "setup began") for listen in (
        "127.0.0.1:0", "localhost:1", "[::1]:00001", "0.0.0.0:1")},
    "a second run beside the first": (second_run, r"run: scripts/run \(process 4711\) is running in this folder: wait"),
    "a second run at the same moment": (second_run_at_once, r"run: another script is running in this folder: wait"),
    "a program that fails": (broken_program, r"setup: line \d+ of \S*setup failed with status 2: \S+"),
    "a root in a folder that another program created": (
        occupied_root, r"clean-root: \S+occupied is not empty, and this script did not create it: choose another folder with --root\."),
    "a root in a folder of the system": (
        root_of_the_system, r"clean-root: /etc is a system folder: choose another one with --root\."),
    "a root from an archive that does not answer": (
        unreachable_root, r"clean-root: the clean Debian 12 could not be created: check the network"),
    "an image from an archive that does not answer": (
        unreachable_image, r"image: the Debian 12 root for the libraries could not be created: check the network"),
    "checksums of packages that are not there": (new_sums, r"sums: there are no files of version 2\.0\.0 in \S+packages: build"),
    "a root with a toolchain all over the system": (
        spread_toolchain, r"clean-root: a toolchain in a folder of its own .* is required, .*libexec/lib/swift\): unpack one"),
    "a root with a swift that does not start": (
        silent_toolchain, r"clean-root: swift does not report the folder of its libraries: run 'swift -print-target-info'"),
    "a kernel without mount namespaces": (
        no_namespaces, r"clean-root: this kernel refuses a mount or process namespace, which a root requires: use"),
    "integration without sudo": (integration_without_sudo, r"run: creating a clean root requires root privileges: run this as root, or install sudo\."),
    "integration with a sudo that is refused": (
        integration_refused, r"run: creating a clean root requires root privileges, and sudo refused .*: run 'sudo true'"),
    "integration where unshare does not start": (
        integration_broken, r"run: whether this kernel allows a mount namespace is not known \(env: .*\): see why"),
    "integration without mount namespaces": (integration_without_namespaces, r"ran test$"),
    "integration with mount namespaces": (integration_with_namespaces, r"ran clean-root$"),
    "packages on another Debian release": (package_elsewhere, r"package: packages are built on Debian 12 and this is debian 13: run"),
    "a site without its packages": (site(), r"site: MkDocs Material is missing: run scripts/setup, and this again\."),
    "a site with an unknown option": (site("--fast"), r"site: unknown option --fast; see scripts/site --help"),
    "packages that cannot be fetched": (unbuildable, r"run: refreshd was not built; see the error above\. If .* check the network"),
}

# These scripts run scripts/setup first. In the trials of scripts/setup they must print the same last line.
CALLERS = ("run", "test", "bench")


def trials():
    """Returns each trial with the script that runs it."""
    for name, (trial, wanted) in TRIALS.items():
        yield name, trial, wanted, "setup"
        if wanted.startswith("setup: "):
            for caller in CALLERS:
                yield f"{name}, through scripts/{caller}", trial, wanted, caller


def run(part, pattern):
    """Runs this part of scripts/test."""
    with tempfile.TemporaryDirectory() as system:
        system_programs(system)
        for name, trial, wanted, caller in trials():
            if not re.search(pattern, name):
                continue
            with tempfile.TemporaryDirectory() as folder:
                result = trial(Machine(folder, system, caller))
            last = (result.stderr.strip().splitlines() or [""])[-1]
            if result.returncode > 0 and re.match(wanted, last):
                part.passed()
            else:
                part.failed(name, f"{result.stdout}{result.stderr}\n(exit status {result.returncode}, wanted {wanted})")
    check_sources(part)


def check_sources(part):
    """Every shell script must have the trap that names a failed command. The trap is in scripts/common.sh, or in the
    script itself if it runs outside the tree.
    """
    silent = [
        str(path) for path in lint.tracked()
        if path.suffix != ".bash" and path.parts[:2] != ("packaging", "debian")
        and re.match(rb"#!.*\b(ba)?sh\b", lint.first_line(path))
        and not re.search(r"^\. .*common\.sh|^trap .* ERR$", path.read_text(), re.MULTILINE)]
    lint.report(part, "every script reports where it failed", silent)
