"""Runs three nodes of a cluster under faults, for a short time."""

import os

import processes
import swift

# In this time, this seed kills the leader of JetStream, isolates a node, and kills a node.
MINUTES, SEED = "0.4", "10"
# The exit status of scripts/cluster-chaos if the kernel permits no network namespace.
SKIPPED = 77


def run_part(part, _):
    """Runs this part of scripts/test. The log has each fault, and a sentence for each invariant."""
    environment = dict(
        os.environ,
        REFRESHD=os.path.abspath(swift.binary("refreshd")),
        REFRESH_PROBE=os.path.abspath(swift.binary("refresh-probe")))
    result = processes.run(
        ["scripts/cluster-chaos", MINUTES, SEED], part.log("run"), processes.COMMAND_SECONDS, env=environment)
    if result.status == SKIPPED:
        part.skipped("chaos", result.output.strip())
    else:
        part.check(f"scripts/cluster-chaos {MINUTES} {SEED}", result)
