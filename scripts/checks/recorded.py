"""What was said while something was tested, held to docs/messages.schema.json by somebody else's validator.

    recorded.py [--journals FOLDER] [--both] [--frames FILE]

Journals are those of a daemon that was started with `--journal FOLDER`: what it said, with `--both` what its
clients said as well. Frames are lines of `{"from": SPEAKER, "text": FRAME}`, as Tests/Browser/frames.py writes
them. Here a member that is not named is a mistake, for all of it is said by programs of the tree.

Run as a script by the Python that has `jsonschema` (Debian: python3-jsonschema).
"""

import argparse
import copy
import json
import pathlib
import sys

from messages import PYTHON, SCHEMA, Tally, end


def judge(part, journals=None, both=False, frames=None):
    """The recordings of one part of scripts/test: each message is a check."""
    import processes
    arguments = (["--journals", str(journals)] if journals else []) + (["--both"] if both else []) \
        + (["--frames", str(frames)] if frames else [])
    part.take_over("recorded messages", processes.run(
        [PYTHON, "-B", __file__, *arguments], part.log("recorded"), processes.COMMAND_SECONDS))


def closed(schema):
    """The schema without room for members that it does not name."""
    if isinstance(schema, list):
        return [closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if inner.get("type") == "object" and "additionalProperties" not in inner:
        inner["additionalProperties"] = False
    return inner


class Contract:
    """Every message by who says it and its type."""

    def __init__(self, schema):
        import jsonschema
        self.definitions = closed(copy.deepcopy(schema["$defs"]))
        self.best = jsonschema.exceptions.best_match
        self.make = jsonschema.Draft202012Validator
        self.validators = {}

    def validator(self, name):
        if name not in self.validators:
            self.validators[name] = self.make({"$ref": f"#/$defs/{name}", "$defs": self.definitions})
        return self.validators[name]

    def mistakes(self, speaker, text):
        """Of each message of a frame what is wrong with it; None: nothing."""
        try:
            frame = json.loads(text)
        except (TypeError, ValueError):
            return [f"the {speaker} said what is no JSON: {str(text)[:200]!r}"]
        may_batch = isinstance(self.definitions.get(f"{speaker}.frame", {}).get("anyOf"), list)
        batch = frame if isinstance(frame, list) and may_batch else [frame]
        return [self.mistake(speaker, message) for message in batch]

    def mistake(self, speaker, message):
        tag = "event" if speaker == "watch" else "type"
        name = f"{speaker}.{message.get(tag)}" if isinstance(message, dict) else None
        if name not in self.definitions:
            return f"there is no {name}: {json.dumps(message)[:200]}"
        error = self.best(self.validator(name).iter_errors(message))
        return error and f"{name}{error.json_path[1:]}: {error.message[:200]}"


def hold(tally, contract, where, speaker, text):
    """Each message of a frame is a check."""
    for mistake in contract.mistakes(speaker, text):
        tally.check(mistake is None, mistake and f"{where}: {mistake}")


def said(entry, both):
    """Speakers and frames of a line of a journal."""
    if entry.get("out") == "frame":
        yield "daemon", entry.get("text")
    if both and entry.get("in") == "frame":
        yield "client", entry.get("text")
    if both and entry.get("in") == "binary":
        yield "client", None
    if both and entry.get("in") == "resumed":
        for frame in entry["held"]:
            yield "client", frame.get("text")


def hold_journals(tally, contract, folder, both):
    for journal in sorted(folder.glob("*.jsonl")):
        for line in journal.read_text(errors="replace").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # torn: its daemon was killed
                continue
            for speaker, text in said(entry, both):
                hold(tally, contract, journal.name, speaker, text)


def hold_frames(tally, contract, file):
    """Also that there is something of both sides: else nobody listened."""
    speakers = set()
    for number, line in enumerate(file.read_text().splitlines(), 1):
        frame = json.loads(line)
        speakers.add(frame["from"])
        hold(tally, contract, f"{file.name}:{number}", frame["from"], frame["text"])
    tally.check(len(speakers) > 1, f"{file}: heard of {sorted(speakers)} alone")


def main():
    import warnings
    warnings.simplefilter("ignore", DeprecationWarning)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--journals", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--frames", type=pathlib.Path, metavar="FILE")
    chosen = parser.parse_args()
    contract = Contract(json.loads(SCHEMA.read_text()))
    tally = Tally()
    if chosen.journals:
        hold_journals(tally, contract, chosen.journals, chosen.both)
    if chosen.frames:
        hold_frames(tally, contract, chosen.frames)
    end(tally)


if __name__ == "__main__":
    sys.exit(main())
