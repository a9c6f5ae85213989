"""The figures of a running daemon, measured as Benchmarks/README.md specifies."""

import pathlib
import re
import statistics
import subprocess
import time

import traffic

INSTRUCTION_MESSAGES = 10_000
STEP_PROFILES = ("default", "iqpulltorefresh", "mrefresh", "uikit")
CPU_CONNECTIONS = 600
CPU_RATE = 60
IDLE_CONNECTIONS = 5_000
ACTIVE_CONNECTIONS = 100
MEMORY_CONNECTIONS = 4_000


def reply_bytes(servers):
    """The mean size of an update over one whole pull. Every answer is checked."""
    sizes = []
    period = len(traffic.offsets())
    with servers.daemon() as server, server.client() as client:
        for seq, text in traffic.samples(2 * period):
            client.send(text)
            answer = client.receive()
            mistake = traffic.mistake(answer, seq)
            if mistake:
                raise RuntimeError(mistake)
            sizes.append(len(answer.encode()))
    return statistics.mean(sizes[period:])


def instructions(servers, folder, reply):
    """User-space instructions per message, of the daemon and of the bare libwebsockets server."""
    return {
        "instructions_per_message": counted(servers.daemon, folder),
        "instructions_bare": counted(lambda wrapper: servers.bare(reply, wrapper), folder),
    }


def engine_steps(program, folder):
    """Instructions of an engine for a scroll event that changes the progress, with the costliest profile."""
    stripped = without_debug_information(program, folder)
    steps = {
        profile: each(stripped, folder, INSTRUCTION_MESSAGES, "steps", profile)
        for profile in STEP_PROFILES}
    return {"engine_instructions_per_event": max(steps.values()), "engine_steps": steps}


def without_debug_information(program, folder):
    """Returns a copy of the program without debug information, because valgrind cannot read Swift's debug information.
    """
    stripped = pathlib.Path(folder) / program.name
    subprocess.run(["objcopy", "--strip-debug", str(program), str(stripped)], check=True)
    return stripped


def each(program, folder, count, *arguments):
    """Returns the instructions of one step. The program performs as many steps as its last argument specifies."""
    def total(count):
        output = pathlib.Path(folder) / "callgrind.steps"
        output.unlink(missing_ok=True)
        subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", str(program),
             *arguments, str(count)], check=True, capture_output=True)
        return instructions_in(output)

    return (total(2 * count) - total(count)) / count


def instructions_in(output):
    return int(re.search(r"^(?:summary|totals): (\d+)", output.read_text(), re.M)[1])


def counted(start, folder):
    """Runs a server twice under callgrind, with 2N and with N messages. Returns the instructions per message: the
    difference of both runs, divided by N. Both runs last equally long, so that work that depends on time does not count.
    """
    sums = []
    seconds = 0
    for count in (2 * INSTRUCTION_MESSAGES, INSTRUCTION_MESSAGES):
        output = pathlib.Path(folder) / "callgrind.out"
        output.unlink(missing_ok=True)
        wrapper = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}"]
        with start(wrapper) as server, server.client() as client:
            begin = time.monotonic()
            for _, text in traffic.samples(count):
                client.send(text)
                client.receive()
            time.sleep(max(0, begin + seconds - time.monotonic()))
            seconds = time.monotonic() - begin
        sums.append(instructions_in(output))
    return (sums[0] - sums[1]) / INSTRUCTION_MESSAGES


def cpu(servers, generator, reply, repetitions, seconds):
    """CPU time per message of the daemon and of the bare libwebsockets server, measured alternately in one run."""
    daemon, bare = [], []
    with servers.daemon() as refreshd, servers.bare(reply) as echo:
        for _ in range(repetitions):
            for server, results in ((refreshd, daemon), (echo, bare)):
                results.append(generator.open_loop(
                    server, CPU_CONNECTIONS, CPU_CONNECTIONS, CPU_RATE, seconds))
    return {
        "cpu_us_daemon": median(daemon, "cpu_us_per_msg"),
        "cpu_us_bare": median(bare, "cpu_us_per_msg"),
        "cpu_ratio": median(daemon, "cpu_us_per_msg") / median(bare, "cpu_us_per_msg"),
        "cpu_us_daemon_runs": [run["cpu_us_per_msg"] for run in daemon],
        "cpu_us_bare_runs": [run["cpu_us_per_msg"] for run in bare],
        "generator_cpu_pct": max(run["client_cpu_pct"] for run in daemon + bare),
        "unanswered": sum(run["unanswered"] for run in daemon),
    }


def idle_latency(servers, generator, repetitions, seconds):
    """The median latency of 100 busy connections, with and without 5,000 idle ones, measured alternately."""
    alone, crowded = [], []
    with servers.daemon() as server:
        for _ in range(repetitions):
            for idle, results in ((0, alone), (IDLE_CONNECTIONS, crowded)):
                results.append(generator.open_loop(
                    server, ACTIVE_CONNECTIONS + idle, ACTIVE_CONNECTIONS, CPU_RATE, seconds))
    return {
        "p50_us_alone": median(alone, "p50_us"),
        "p50_us_crowded": median(crowded, "p50_us"),
        "idle_latency_ratio": median(crowded, "p50_us") / median(alone, "p50_us"),
    }


def memory(servers, generator, reply):
    """The resident memory (PSS) per connection, for a session with a view and for a bare connection."""
    with servers.daemon() as server:
        session = generator.idle(server, MEMORY_CONNECTIONS, 2)
    with servers.bare(reply) as server:
        bare = generator.idle(server, MEMORY_CONNECTIONS, 2)
    return {
        "kib_per_session": session["pss_kib_per_conn"],
        "kib_per_bare_connection": bare["pss_kib_per_conn"],
        "kib_above_bare": session["pss_kib_per_conn"] - bare["pss_kib_per_conn"],
    }


def median(runs, key):
    return statistics.median(run[key] for run in runs)
