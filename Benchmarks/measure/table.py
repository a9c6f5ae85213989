"""The results as a Markdown table with their limits."""

import re

from stream import INDICATORS

# The rows of the table, in order: the description, the name of the result, and its format.
ROWS = (
    ("User-space instructions per scroll message", "instructions_per_message", "{:,.0f}"),
    ("The same, bare libwebsockets", "instructions_bare", "{:,.0f}"),
    ("CPU µs per message, refreshd", "cpu_us_daemon", "{:.2f}"),
    ("CPU µs per message, bare libwebsockets", "cpu_us_bare", "{:.2f}"),
    ("CPU time, refreshd / bare", "cpu_ratio", "{:.2f}"),
    ("p50 µs, 100 busy connections", "p50_us_alone", "{:.0f}"),
    ("p50 µs, the same beside 5,000 idle ones", "p50_us_crowded", "{:.0f}"),
    ("p50, with idle connections / without", "idle_latency_ratio", "{:.2f}"),
    ("KiB per idle session with one view", "kib_per_session", "{:.2f}"),
    ("KiB per bare connection", "kib_per_bare_connection", "{:.2f}"),
    ("KiB per session above the bare connection", "kib_above_bare", "{:.2f}"),
    ("Engine alone, events per second", "engine_events_per_second", "{:,.0f}"),
    ("Engine alone, instructions per event that changes progress", "engine_instructions_per_event",
     "{:,.0f}"),
    ("Engine alone, allocations per event", "engine_allocations_per_event", "{:g}"),
    ("Session without a socket, messages per second", "session_messages_per_second", "{:,.0f}"),
    ("Session without a socket, allocations per message", "session_allocations_per_message", "{:g}"),
    ("Bytes of an attached view with two edges, all it owns", "view_bytes", "{:,.0f}"),
    ("Bytes for each key of a view whose client uses patches", "view_bytes_per_key", "{:.1f}"),
    ("The same, of a list of 2,000 items that came in pages of 50", "view_bytes_per_key_pages", "{:.1f}"),
    ("Calls of a fling over 10,000 rows, for each page finally seen", "fling_calls_ratio", "{:.2f}"),
    ("Mean bytes of an update", "reply_bytes", "{:.1f}"),
    ("Frame of an indicator, µs, at its costliest moment", "frame_us", "{:.2f}"),
    ("Frame of an indicator, instructions, at its costliest moment", "frame_instructions", "{:,.0f}"),
    *((f"Frame of `{name}`, µs", f"frame_us_{name}", "{:.2f}") for name in INDICATORS),
    ("Frame of the largest programme that a user may write, µs", "frame_us_largest", "{:.1f}"),
    ("Frame of an indicator, allocations", "frame_allocations", "{:g}"),
    ("Instructions per message, `stream` / `plain`", "stream_instructions_ratio", "{:.2f}"),
    *((f"Instructions, `stream` / `plain`, `{name}`", f"stream_instructions_{name}", "{:.2f}")
      for name in INDICATORS),
    ("CPU time per message, `stream` / `plain`", "stream_cpu_ratio", "{:.2f}"),
    *((f"CPU time, `stream` / `plain`, `{name}`", f"stream_cpu_{name}", "{:.2f}")
      for name in INDICATORS),
    ("CPU time per clock-driven frame / per message of a `plain` client", "run_frame_ratio",
     "{:.2f}"),
    *(row for kind in ("node", "stream", "local") for row in (
        (f"Messages of a gesture, `{kind}`", f"gesture_messages_{kind}", "{:.1f}"),
        (f"Messages of a gesture, by the client, `{kind}`", f"gesture_up_{kind}", "{:.1f}"),
        (f"Bytes of a gesture, `{kind}`", f"gesture_bytes_{kind}", "{:,.0f}"),
        (f"Bytes of a gesture, by the client, `{kind}`", f"gesture_bytes_up_{kind}", "{:,.0f}"),
        (f"CPU µs of a gesture, `{kind}`", f"gesture_cpu_us_{kind}", "{:,.0f}"))),
    ("Messages, `local` / `node`", "gesture_messages_local_ratio", "{:.3f}"),
    ("Bytes, `local` / `node`", "gesture_bytes_local_ratio", "{:.3f}"),
    ("Bytes, `local` / `node`, without the messages about items", "gesture_bytes_without_items_local_ratio",
     "{:.3f}"),
    ("CPU time, `local` / `node`", "gesture_cpu_us_local_ratio", "{:.3f}"),
    ("CPU µs that the broker adds to a load", "broker_cpu_us", "{:.1f}"),
    ("ms of a refresh that keeps 10 pages, of a feed with 4 calls of 10 ms at a time", "depth_ms",
     "{:.1f}"),
    ("The same / the 30 ms that the feed needs", "depth_ms_ratio", "{:.2f}"),
    ("CPU µs of a refresh that keeps 10 pages, for each of 1,000 sessions", "depth_keep_cpu_us",
     "{:.0f}"),
    ("CPU µs of a refresh that replaces them by one page of as many items", "depth_replace_cpu_us",
     "{:.0f}"),
    ("CPU time, refresh of 10 pages / of one page", "depth_cpu_ratio", "{:.2f}"),
    ("The same, if the feed has an `itemKey`", "depth_keyed_cpu_ratio", "{:.2f}"),
    ("Backend calls while 100 sessions type the same 12 letters in 600 ms", "query_calls", "{:d}"),
    ("The same, without `debounceMs`", "query_calls_at_once", "{:d}"),
    ("Backend calls of views that get their first items from the cache", "first_items_calls", "{:d}"),
    ("CPU µs of a view that is attached and detached", "first_items_bare_cpu_us", "{:.0f}"),
    ("CPU µs that its first items from the cache add", "first_items_added_cpu_us", "{:.0f}"),
    ("Peak CPU time of 250 ms / mean, 10,000 refreshes spread over 5 s", "spread_peak_ratio", "{:.2f}"),
    ("Peak CPU time of 250 ms / mean, 10,000 refreshes at once", "at_once_peak_ratio", "{:.2f}"),
    ("Peak / mean without sockets, spread over 5 s", "spread_host_peak_ratio", "{:.2f}"),
    ("Peak / mean without sockets, all at once", "at_once_host_peak_ratio", "{:.2f}"),
    ("Backend calls when 10,000 sessions refresh one feed at once", "crowd_calls", "{:d}"),
    ("CPU µs for each of them", "crowd_cpu_us", "{:.1f}"),
    ("CPU µs of a bare libwebsockets server that sends such items", "crowd_bare_cpu_us", "{:.1f}"),
    ("CPU time, waiting client / sending the items", "crowd_cpu_ratio", "{:.2f}"),
    ("Answer µs of 50 busy clients, p50", "frozen_alone_p50_us", "{:.0f}"),
    ("Answer µs of 50 busy clients, p99", "frozen_alone_p99_us", "{:.0f}"),
    *(row for kind, name in (("finger", "with moving fingers"), ("flood", "that send endlessly"))
      for row in (
        (f"p50 beside 1,000 frozen clients {name} / without", f"frozen_{kind}_p50_ratio", "{:.2f}"),
        (f"p99 beside 1,000 frozen clients {name} / without", f"frozen_{kind}_p99_ratio", "{:.2f}"),
        (f"KiB for each of 1,000 frozen clients {name}", f"frozen_{kind}_kib", "{:.1f}"))),
    ("Instructions per scroll message, in a cluster", "cluster_instructions_per_message", "{:,.0f}"),
    ("Backend calls when 3,000 sessions at three nodes refresh one feed at once", "cluster_calls", "{:d}"),
    ("ms from the refresh to the items, p99, without the time of the backend", "cluster_p99_ms", "{:.0f}"),
    ("The same, 3,000 sessions at one node without a cluster", "cluster_p99_ms_one", "{:.0f}"),
    ("p99, three nodes / one", "cluster_p99_ratio", "{:.2f}"),
    ("ms of a load at its owner, p50", "cluster_owner_load_p50_ms", "{:.2f}"),
    ("ms that a load takes longer if another node is the owner, p50", "cluster_load_added_ms", "{:.2f}"),
    ("CPU µs of a load at its owner, both nodes together", "cluster_owner_load_cpu_us", "{:.0f}"),
    ("CPU µs that a load costs more if another node is the owner, about 150 at a time", "cluster_load_added_cpu_us",
     "{:.0f}"),
    ("The same, 20 at a time", "cluster_load_added_cpu_us_few", "{:.0f}"),
    ("ms from a change to the new items of 6,000 views at three nodes, p99", "cluster_change_p99_ms", "{:.0f}"),
    ("ms until the last of these views has them", "cluster_change_last_ms", "{:.0f}"),
    ("ms, p99, if the three nodes share one core", "cluster_change_p99_ms_one_core", "{:.0f}"),
    ("Messages a second on the bus, 6,000 idle sessions at three nodes", "cluster_idle_messages_per_second",
     "{:.1f}"),
    ("Bytes of a patch: 10 of 1,000 items of 400 bytes have changed", "patch_bytes", "{:,.0f}"),
    ("Bytes of the whole list", "patch_replace_bytes", "{:,.0f}"),
    ("Bytes, patch / whole list", "patch_bytes_ratio", "{:.3f}"),
    ("Instructions to parse the page with its keys", "patch_parse_instructions", "{:,.0f}"),
    ("Instructions of the diff, once for all sessions", "patch_diff_instructions", "{:,.0f}"),
    ("Instructions, diff / parsing the page", "patch_diff_ratio", "{:.2f}"),
    ("Instructions of a refresh by a patch, for each session", "patch_session_instructions", "{:,.0f}"),
    ("Instructions of a refresh by the whole list, for each session", "patch_session_replace_instructions",
     "{:,.0f}"),
    ("Instructions of a session, patch / whole list", "patch_session_ratio", "{:.2f}"),
    ("Bytes of the hourly patches of a day with two upgrades of a Debian desktop (1,201 packages)",
     "day_patch_bytes", "{:,.0f}"),
    ("Bytes of the hourly lists", "day_replace_bytes", "{:,.0f}"),
    ("Bytes, patches / lists of the day", "day_bytes_ratio", "{:.3f}"),
    ("Bytes, patch / list after its security upgrades at once", "day_security_bytes_ratio", "{:.3f}"),
    ("Bytes, patch / list after its upgrade to the next Debian at once", "day_release_bytes_ratio", "{:.3f}"),
    ("Instructions of a session for the patches of the day", "day_session_patch_instructions", "{:,.0f}"),
    ("Instructions of a session for the lists of the day", "day_session_replace_instructions", "{:,.0f}"),
    ("Instructions of a session, patches / lists of the day", "day_session_ratio", "{:.2f}"),
    ("Instructions of a live item, for each session", "live_session_instructions", "{:,.0f}"),
    ("Bytes of a live item", "live_bytes", "{:,.0f}"),
    ("CPU µs of a live item, for each of 10,000 sessions that show the list", "live_cpu_us", "{:.1f}"),
    ("CPU µs of a bare libwebsockets server that sends as much to them", "live_bare_cpu_us", "{:.1f}"),
    ("CPU time, live item / sending it", "live_cpu_ratio", "{:.2f}"),
)
PLACE = re.compile(r"(<!-- results -->\n).*?(<!-- /results -->)", re.DOTALL)


def markdown(results, bars, machine, earlier=""):
    """`earlier` is a table whose rows are kept if there is no new value."""
    known = {line.split(" | ")[0]: line for line in earlier.splitlines()}
    lines = ["| figure | measured | at most |", "|---|--:|--:|"]
    for name, key, form in ROWS:
        if key in results:
            bar = f"{bars[key]:,}" if key in bars else ""
            lines.append(f"| {name} | {form.format(results[key])} | {bar} |")
        elif f"| {name}" in known:
            lines.append(known[f"| {name}"])
    lines += ["", (
        f"Measured {machine['date']} at {machine['commit']}: {machine['cores']} cores "
        f"({machine['cpu']}), Linux {machine['kernel']}.")]
    return "\n".join(lines)


def past(results, bars):
    """Returns the names of the values that exceed their limits."""
    return [name for name, bar in bars.items() if name in results and results[name] > bar]


def write(readme, text):
    before = readme.read_text()
    after, count = PLACE.subn(lambda match: f"{match[1]}{text}\n{match[2]}", before)
    if count != 1:
        raise RuntimeError(f"{readme} has no place for the results")
    readme.write_text(after)
