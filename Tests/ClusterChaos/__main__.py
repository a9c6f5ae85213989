"""Runs a cluster of three nodes under faults, and states whether its invariants were kept.

The first process starts the second one in namespaces of its own. The second one starts all other processes. They end
with it, in whatever way it ends, and it ends with the first one.
"""

import argparse
import asyncio
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback

import network
import world
from faults import KINDS
from verdicts import INVARIANTS

# The exit status of a run that this kernel does not permit.
SKIPPED = 77
NAMESPACES = ["--net", "--mount"]
# With a process namespace, the kernel ends all processes with the first one. libdispatch needs the /proc of the process
# namespace, which an ordinary user cannot mount in a clean root. There, each process ends with its parent
# (`network.mortal`).
PROCESS_NAMESPACE = ["--pid", "--fork", "--kill-child", "--mount-proc"]


def parse():
    parser = argparse.ArgumentParser(
        prog="scripts/cluster-chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="faults:\n" + "".join(f"  {name:<13} {kind[0]}\n" for name, kind in KINDS.items())
        + "\ninvariants:\n" + "".join(f"  {name:<13} {text}\n" for name, text in INVARIANTS.items()))
    parser.add_argument("minutes", type=float, help="the minutes with faults; a fraction is possible")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="it determines the faults (default 1)")
    for name in ("refreshd", "refresh-probe", "nats-server", "nginx", "faketime"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--old-refreshd", metavar="PATH", help="node 1 runs this build until the first rolling restart")
    parser.add_argument("--connections", type=int, default=60, help="clients of refresh-probe load (default 60)")
    parser.add_argument("--tls", action="store_true", help="the nodes connect to the bus with TLS")
    parser.add_argument("--only", metavar="FAULTS", help="only these faults, separated by commas")
    parser.add_argument("--break", dest="broken", choices=INVARIANTS, help="violate this invariant on purpose")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS",
                        help="the longest time from a healing until everything is current (default 60)")
    parser.add_argument("--log", type=pathlib.Path, help="the file for the steps, one line each")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for logs of all processes, which is kept")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.kinds = options.only.split(",") if options.only else None
    for kind in options.kinds or []:
        if kind not in KINDS:
            parser.error(f"unknown fault {kind}; the faults are {', '.join(KINDS)}")
    return options


def isolation():
    """Returns the options of unshare(1) that this kernel permits, or the reason why it permits none."""
    as_root = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    for arguments in ([*as_root, *NAMESPACES, *PROCESS_NAMESPACE], [*as_root, *NAMESPACES]):
        probe = subprocess.run(["unshare", *arguments, "true"], capture_output=True, text=True, check=False)
        if probe.returncode == 0:
            return arguments, None
    return None, probe.stderr.strip()


def outer(options):
    """Starts this program again in namespaces of its own, and waits for it."""
    arguments, refusal = isolation()
    if refusal:
        print(f"cluster-chaos: skipped: this kernel refuses a network namespace: {refusal}")
        return SKIPPED
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="cluster-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    # The inner process ends when this pipe is closed, that is, when this process ends.
    child = subprocess.Popen(
        ["unshare", *arguments, sys.executable, "-B", *sys.argv, "--inside", str(folder)], stdin=subprocess.PIPE)
    ended_by = []

    def leave(number, _):
        ended_by.append(number)
        child.kill()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)
    status = child.wait()
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    if ended_by:
        print(f"cluster-chaos: ended by signal {ended_by[0]}, with all its processes; the seed was {options.seed}")
        return 128 + ended_by[0]
    if status not in (0, 1):
        print(f"cluster-chaos: it ended unexpectedly with status {status}; the seed was {options.seed}")
        return 1
    return status


def end_with_parent():
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def inner(options):
    """Runs in the namespaces."""
    # The outer process handles the signals of a terminal, and ends this one.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    threading.Thread(target=end_with_parent, daemon=True).start()
    with open(options.log or os.devnull, "w") as log:
        network.build()
        run = world.World(options, options.inside, log)
        repeat = f"scripts/cluster-chaos {options.minutes:g} {options.seed}{' --tls' if options.tls else ''}"
        run.say(f"begins: {repeat}")
        reason = None
        try:
            asyncio.run(run.run())
        except world.Failed as failure:
            reason = str(failure)
        except Exception:  # a fault of this script ends the run with a word, like any other
            reason = traceback.format_exc()
        for line in (*run.summary(), *run.verdicts.sentences()):
            run.say(line)
        is_passed = reason is None and run.verdicts.are_kept(must_check_all=not run.options.kinds)
        if reason is not None:
            run.say(f"the run did not end: {reason}")
        verdict = "all invariants were kept" if is_passed else "FAILED"
        run.say(f"verdict: {verdict}; seed {options.seed}, repeat with {repeat}")
        return 0 if is_passed else 1


options = parse()
status = inner(options) if options.inside else outer(options)
sys.stdout.flush()
# Threads may still wait for input or processes.
os._exit(status)
