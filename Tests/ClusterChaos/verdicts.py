"""The invariants, and the faults that explain a lost connection."""

import dataclasses
import time

# Each invariant with the sentence that a run states about it. `--break NAME` violates one of them on purpose.
INVARIANTS = {
    "changed": "each view showed every change in time after each healing",
    "items": "each view received its items exactly once, and only its own",
    "board": "after each healing, each client showed the edited list as the backend had it",
    "edits": "each edit was answered exactly once, and performed at most once, as its answer said",
    "sessions": "no connection ended without a fault on its way",
    "resume": "each session resumed with its items",
    "holder": "after each healing, each session was at one node, that of its client",
    "loads": "no load failed",
    "calls": "the backend got no key more often than there were partitions, and without a fault only once",
    "onecall": "after each healing, a change cost one call for each list",
    "nodes": "after each healing, all nodes reported three nodes",
    "processes": "no process ended by itself, and each node stopped with status 0",
    "messages": "no node received a malformed message",
}
# At most this many violations of one invariant are printed. All are counted.
SHOWN_MAX = 10


class Verdicts:
    """Counts the violations of each invariant."""

    def __init__(self, say):
        self.say = say
        self.counts = dict.fromkeys(INVARIANTS, 0)
        self.checks = dict.fromkeys(INVARIANTS, 0)

    def check(self, name, is_kept, text):
        """Records one check of an invariant. `text` describes the violation."""
        self.checks[name] += 1
        if is_kept:
            return
        self.counts[name] += 1
        if self.counts[name] <= SHOWN_MAX:
            self.say(f"VIOLATED {name}: {text}")

    def fail(self, name, text):
        self.check(name, False, text)

    def are_kept(self, must_check_all):
        """Whether no invariant was violated, and each was checked if `must_check_all`."""
        return not any(self.counts.values()) and (not must_check_all or all(self.checks.values()))

    def sentences(self):
        for name, sentence in INVARIANTS.items():
            count = self.counts[name]
            if count:
                yield f"VIOLATED {count} times, {name}: {sentence}"
            elif self.checks[name]:
                yield f"kept, {name}: {sentence} ({self.checks[name]} checks)"
            else:
                yield f"NOT CHECKED, {name}: {sentence}"


@dataclasses.dataclass
class Harm:
    """A fault that may cut connections. Its effects end `grace` seconds after its end."""

    target: object  # the number of a node, or "proxy"
    start: float
    grace: float
    end: float = float("inf")

    def covers(self, start, end):
        return self.start <= end and start <= self.end + self.grace


class Harms:
    """All faults that may cut connections of clients. A fault of the bus never does."""

    def __init__(self):
        self.all = []

    def begin(self, target, grace):
        harm = Harm(target, time.monotonic(), grace)
        self.all.append(harm)
        return harm

    @staticmethod
    def end(harm):
        harm.end = min(harm.end, time.monotonic())

    def explain(self, node, start, end):
        """Returns whether a harm explains what happened to a connection to a node between two times. Without a node, a
        harm of any target does."""
        return any(harm.covers(start, end) and (node is None or harm.target in (node, "proxy")) for harm in self.all)
