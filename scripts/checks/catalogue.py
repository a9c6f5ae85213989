"""The catalogue feeds of docs/conformance.md. As a program, this file serves them over standard input and output
(docs/backends.md, "exec"). As a module, it makes the configuration of a daemon that starts the program."""

import collections
import json
import pathlib
import sys

PARAMETERS = "{ q: text, sort: text, above: integer, tag: text, once: text, news: text, edits: text }"
# The feeds, and the keys of their configuration.
FEEDS = {
    "catalogue": "paging: page, cache: { lifetimeMs: 6000, staleMs: 60000 }",
    "catalogue-offset": "paging: offset",
    "catalogue-cursor": "paging: cursor",
    "ticker": "paging: page, changes: { spreadMs: 200 }",
    "crowd": "paging: page, changes: { spreadMs: 600000 }",
    "edited": "paging: page, itemKey: /id",
}
WORDS = [f"{word} {number}" for word in ("apple", "banana", "cherry", "date", "elder", "fig") for number in range(1, 11)]


def configuration():
    """A configuration file with these feeds."""
    program = json.dumps([sys.executable, "-B", str(pathlib.Path(__file__).resolve())])
    lines = ["backends:", f"  fruits: {{ kind: exec, command: {program} }}", "feeds:"]
    for name, keys in FEEDS.items():
        lines.append(f"  {name}: {{ backend: fruits, {keys}, size: 20, parameters: {PARAMETERS} }}")
    return "\n".join(lines) + "\n"


def items(parameters):
    """Returns the items that the parameters select, sorted as the parameters state."""
    found = [
        {"id": number, "word": word} for number, word in enumerate(WORDS)
        if word.startswith(parameters.get("q", "")) and number > int(parameters.get("above", -1))]
    return found[::-1] if parameters.get("sort") == "down" else found


def edited(edit):
    """Returns the items of the feed `edited` after the edit with this letter."""
    found = [{"id": number, "word": word} for number, word in enumerate(WORDS)]
    match edit:
        case "c":
            found[5] = {"id": 5, "word": "apple 6 again"}
        case "i":
            found.insert(0, {"id": 100, "word": "new"})
        case "r":
            del found[3:5]
        case "m":
            found = found[10:20] + found[:10] + found[20:]
        case "a":
            found = [{"id": item["id"], "word": f"{item['word']} again"} for item in found]
        case "d":
            found.insert(9, found[7])
        case "n":
            del found[3]["id"]
    return found


def answer_edited(load, counts):
    """Answers a load of the feed `edited`. `counts` has the number of first pages for each `tag`."""
    tag = load.get("parameters", {}).get("tag")
    if load["page"] <= 1:
        counts[tag] += 1
    edits = load.get("parameters", {}).get("edits") or "o"
    found = edited(edits[min(max(counts[tag], 1), len(edits)) - 1])
    first = (load["page"] - 1) * load["size"]
    last = first + load["size"]
    return {"type": "page", "id": load["id"], "items": found[first:last], "more": last < len(found)}


def answer(load, answered):
    """Returns the answer to a load. `answered` collects the pages that were loaded with the parameter `once`. If such a
    page is loaded a second time, the load fails. The first page can be loaded again.
    """
    parameters = load.get("parameters", {})
    first = {
        "catalogue-offset": load["offset"], "catalogue-cursor": int(load.get("cursor") or 0),
    }.get(load["feed"], (load["page"] - 1) * load["size"])
    once = (parameters.get("once"), first)
    if parameters.get("q") == "fault" or (first > 0 and once in answered):
        return {"type": "failed", "id": load["id"], "message": "The catalogue is closed."}
    if "once" in parameters:
        answered.add(once)
    found = items(parameters)
    last = first + load["size"]
    has_more = last < len(found)
    return {
        "type": "page", "id": load["id"], "items": found[first:last], "more": has_more,
        "next": str(last) if has_more and load["feed"] == "catalogue-cursor" else None}


def serve():
    """Answers the loads of a daemon until it sends `bye`."""
    answered = set()
    counts = collections.Counter()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        if message["type"] != "load":
            continue
        if "news" in message.get("parameters", {}):
            print(json.dumps({"type": "changed", "feed": message["feed"]}), flush=True)
        is_edited = message["feed"] == "edited"
        print(json.dumps(answer_edited(message, counts) if is_edited else answer(message, answered)), flush=True)


if __name__ == "__main__":
    serve()
