"""The costs of a patch: a refresh of 1,000 items of 400 bytes, of which 10 have changed, without sockets."""

import json
import subprocess

import figures

# The numbers of repetitions of each step. The steps are those of Benchmarks/RefreshBench/PatchBenchmark.swift.
STEPS = {"parse": 20, "hash": 20, "diff": 20, "patch": 200, "replace": 200, "live": 5000}


def measure(program, folder):
    """Returns the bytes of a patch and of a whole list, and the instructions of each step.

    The diff is made once for all sessions. It consists of the hashes of the items' bytes, and of the comparison.
    """
    results = json.loads(subprocess.run(
        [str(program), "patch"], check=True, capture_output=True, text=True).stdout)
    stripped = figures.without_debug_information(program, folder)
    steps = {
        step: figures.each(stripped, folder, count, "patch", step) for step, count in STEPS.items()}
    diff = steps["hash"] - steps["parse"] + steps["diff"]
    return results | {
        "patch_parse_instructions": steps["parse"],
        "patch_diff_instructions": diff,
        "patch_diff_ratio": diff / steps["parse"],
        "patch_session_instructions": steps["patch"],
        "patch_session_replace_instructions": steps["replace"],
        "patch_session_ratio": steps["patch"] / steps["replace"],
        "live_session_instructions": steps["live"],
    }
