"""The costs of patches over a day of edits: the packages of a Debian desktop through two upgrades.

Benchmarks/packages.tsv contains the packages that `task-xfce-desktop` installs (amd64, with the recommended ones): in
Debian 12, in Debian 12 with its security upgrades, and in Debian 13, as of November 2026. The client refreshes its list
every hour. The security upgrades are installed from 6 to 9 o'clock, and the upgrade to Debian 13 from 18 to 24 o'clock,
each in the order of the source packages.
"""

import json
import pathlib
import subprocess

import figures

RECORDED = pathlib.Path(__file__).resolve().parent.parent / "packages.tsv"
STATES = ("bookworm", "security", "trixie")
HOURS = 24
# From which state to which state, from which hour until which hour.
UPGRADES = ((0, 1, 6, 9), (1, 2, 18, 24))
# The sessions in which the refreshes are repeated, to find the instructions of one.
SESSIONS = 4


def packages():
    """Returns the recorded packages: name, source, and the item in each state, None if it is not installed."""
    lines = [line.split("\t") for line in RECORDED.read_text(encoding="utf-8").splitlines()[1:]]
    for name, source, section, summary, *states in lines:
        items = [
            {"id": name, "version": version, "section": section, "size": int(size) * 1024, "summary": summary}
            if version else None
            for version, size in zip(states[::2], states[1::2])]
        yield name, source, items


def lists(recorded, state_of):
    return [items[state_of(source)] for _, source, items in recorded if items[state_of(source)]]


def hourly(recorded):
    """Yields the list of each hour of the day."""
    for hour in range(HOURS + 1):
        states = {}
        for old, new, begin, end in UPGRADES:
            changed = sorted({source for _, source, items in recorded if items[old] != items[new]})
            share = min(max((hour - begin) / (end - begin), 0), 1)
            states |= dict.fromkeys(changed[:int(len(changed) * share)], new)
        # The packages of other sources are the same in all states that they have had.
        yield lists(recorded, lambda source, states=states: states.get(source, 0))


def measure(program, folder):
    """Returns the bytes and instructions of refreshes by patches, and by whole lists, for the day."""
    recorded = list(packages())
    stripped = figures.without_debug_information(program, folder)
    whole = [lists(recorded, lambda _, state=state: state) for state in range(len(STATES))]
    results = {"day_items": len(whole[0])}
    for name, sequence in (
            ("day_security", whole[:2]), ("day_release", whole[1:]), ("day", list(hourly(recorded)))):
        file = folder / f"{name}.jsonl"
        file.write_text("".join(json.dumps(items, separators=(",", ":")) + "\n" for items in sequence))
        sizes = json.loads(subprocess.run(
            [str(program), "lists", str(file)], check=True, capture_output=True, text=True).stdout)
        patch, replace = sum(sizes["patch"]), sum(sizes["replace"])
        results |= {
            f"{name}_patch_bytes": patch, f"{name}_replace_bytes": replace, f"{name}_bytes_ratio": patch / replace}
    steps = {
        way: figures.each(stripped, folder, SESSIONS, "lists", str(folder / "day.jsonl"), way)
        for way in ("patch", "replace")}
    return results | {
        "day_session_patch_instructions": steps["patch"],
        "day_session_replace_instructions": steps["replace"],
        "day_session_ratio": steps["patch"] / steps["replace"],
    }
