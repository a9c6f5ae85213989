"""The cost of indicators: of a single frame, and of a `stream` client compared with a `plain` one."""

import contextlib
import json
import pathlib
import statistics
import subprocess

import figures
import pacing
import traffic

INDICATORS = ("spinner", "indicator", "path", "letters", "compass")
MOMENTS = ("pull", "arming", "starting", "run", "finish")
LOOKS = 2_000
MESSAGES = 5_000
CONNECTIONS = 100
RATE = 60
# The number of rounds in one repetition. Each round gives one value.
TURNS = 4
RUN_CONNECTIONS = 200


def frames(program, folder):
    """Time, allocations and instructions of a frame, for the costliest indicator at its costliest moment."""
    output = subprocess.run(["taskset", "-c", "0", str(program), "frames"],
                            check=True, capture_output=True, text=True).stdout
    results = json.loads(output)
    stripped = figures.without_debug_information(program, folder)
    instructions = {
        name: {
            moment: figures.each(stripped, folder, LOOKS, "looks", name, moment)
            for moment in MOMENTS}
        for name in INDICATORS}
    results["frame_looks"] = instructions
    results["frame_instructions"] = max(max(each.values()) for each in instructions.values())
    for name in INDICATORS:
        results[f"frame_us_{name}"] = max(results["frames"][name].values())
        results[f"frame_instructions_{name}"] = max(instructions[name].values())
    return results


def instructions(servers, folder):
    """User-space instructions per message of a `stream` client, also divided by those of a `plain` one."""
    plain = counted(servers, folder, None)
    streams = {name: counted(servers, folder, name) for name in INDICATORS}
    results = {
        f"stream_instructions_{name}": streams[name] / plain for name in INDICATORS}
    return {
        **results, "stream_instructions_plain": plain, "stream_instructions": streams,
        "stream_instructions_ratio": max(results.values()),
    }


def counted(servers, folder, indicator):
    """Like `figures.counted`, but ignores messages other than the answers to samples."""
    sums = []
    for count in (MESSAGES, 2 * MESSAGES):
        output = pathlib.Path(folder) / "callgrind.out"
        output.unlink(missing_ok=True)
        wrapper = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}"]
        with servers.daemon(wrapper, traffic.hello(indicator)) as server, \
                server.client() as client:
            for seq, text in traffic.samples(count):
                client.send(text)
                while not answers(client.receive(), seq, indicator):
                    pass
        sums.append(figures.instructions_in(output))
    return (sums[1] - sums[0]) / MESSAGES


def answers(text, seq, indicator):
    """Whether the message is the answer to a sample. For a `plain` client, the answer must have the indicator."""
    answer = json.loads(text)
    top = answer.get("top", {})
    if answer["type"] != "update" or answer["ack"] != seq or "progress" not in top:
        if "frame" in top and answer["ack"] == seq - 1:
            return False
        raise RuntimeError(f"sample {seq} was answered by {text}")
    # A `stream` client may get no frame, because the daemon omits changes of less than a pixel.
    if indicator is None and "indicator" not in top:
        raise RuntimeError(f"the answer to {seq} has no indicator: {text}")
    return True


def cpu(servers, repetitions, seconds):
    """CPU time per message of a `stream` client divided by that of a `plain` one, in many short rounds of one run."""
    count = int(seconds / TURNS * RATE)
    texts = [text for _, text in traffic.samples(count)]
    schedules = [
        [(1e3 * (index + number / CONNECTIONS) / RATE, text) for index, text in enumerate(texts)]
        for number in range(CONNECTIONS)]
    runs = {indicator: [] for indicator in (None, *INDICATORS)}
    with contextlib.ExitStack() as stack:
        started = {
            indicator: stack.enter_context(servers.daemon(hello=traffic.hello(indicator)))
            for indicator in runs}
        for _ in range(repetitions * TURNS):
            # The reference (None: a `plain` client) is measured twice in each round, first and in the middle.
            for indicator in (None, *INDICATORS[:2], None, *INDICATORS[2:]):
                counts = pacing.exchange(started[indicator], schedules, settle=0.3)
                if counts["received"] < 0.95 * counts["sent"]:
                    raise RuntimeError(f"{counts['sent']} messages got {counts['received']} answers")
                runs[indicator].append(counts["cpu_us"] / counts["sent"])
    medians = {indicator: statistics.median(costs) for indicator, costs in runs.items()}
    ratios = {name: medians[name] / medians[None] for name in INDICATORS}
    return {
        **{f"stream_cpu_{name}": ratio for name, ratio in ratios.items()},
        "stream_cpu_ratio": max(ratios.values()), "stream_cpu_us_plain": medians[None],
        "stream_cpu_us": {name: medians[name] for name in INDICATORS},
        "stream_cpu_runs": {name or "plain": costs for name, costs in runs.items()},
    }


def run_frames(servers, seconds):
    """CPU time of an animation frame without a message of a client, while all clients show a refresh."""
    costs = {}
    begin = traffic.compact({"type": "begin", "view": traffic.VIEW, "seq": 1})
    schedules = [
        [(1e3 * number / RUN_CONNECTIONS, begin)] for number in range(RUN_CONNECTIONS)]
    for indicator in INDICATORS:
        with servers.daemon(hello=traffic.hello(indicator)) as server:
            counts = pacing.exchange(server, schedules, settle=seconds)
        costs[indicator] = counts["cpu_us"] / counts["received"]
        expected = RUN_CONNECTIONS * 15 * seconds
        if counts["received"] < expected:
            raise RuntimeError(f"{counts['received']} frames of {indicator} were received, expected {expected}")
    return {"run_frame_us": costs}
