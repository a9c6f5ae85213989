"""Validates messages against docs/messages.schema.json. The messages were recorded during tests.

    recorded_messages.py [--journals FOLDER] [--both] [--frames FILE]

FOLDER contains the journals of a daemon that was started with `--journal FOLDER`. The frames that the daemon sent are
validated. With `--both`, the frames that it received are validated too. FILE contains lines of
`{"from": SENDER, "text": FRAME}`, as Tests/Browser/frames.py writes them. A member that the schema does not name is an
error, because all senders are programs of this project.

This file is run by the Python that has `jsonschema` (Debian: python3-jsonschema).
"""

import argparse
import copy
import json
import pathlib
import sys

from message_schema import PYTHON, SCHEMA, Tally, print_summary


def validate(part, journals=None, both=False, frames=None):
    """Validates the recordings of one part of scripts/test. Each message is a check."""
    import processes
    arguments = (["--journals", str(journals)] if journals else []) + (["--both"] if both else []) \
        + (["--frames", str(frames)] if frames else [])
    part.count_summary("recorded messages", processes.run(
        [PYTHON, "-B", __file__, *arguments], part.log("recorded"), processes.COMMAND_SECONDS))


def closed(schema):
    """Returns the schema, changed so that it rejects members that it does not name."""
    if isinstance(schema, list):
        return [closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if inner.get("type") == "object" and "additionalProperties" not in inner:
        inner["additionalProperties"] = False
    return inner


class Contract:
    """The schemas of messages, by sender and type."""

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

    def errors(self, sender, text):
        """Returns one value for each message of a frame: its error, or None if the message is valid."""
        try:
            frame = json.loads(text)
        except (TypeError, ValueError):
            return [f"the {sender} sent text that is not JSON: {str(text)[:200]!r}"]
        may_batch = isinstance(self.definitions.get(f"{sender}.frame", {}).get("anyOf"), list)
        batch = frame if isinstance(frame, list) and may_batch else [frame]
        return [self.error(sender, message) for message in batch]

    def error(self, sender, message):
        tag = "event" if sender == "watch" else "type"
        name = f"{sender}.{message.get(tag)}" if isinstance(message, dict) else None
        if name not in self.definitions:
            return f"there is no {name}: {json.dumps(message)[:200]}"
        error = self.best(self.validator(name).iter_errors(message))
        return error and f"{name}{error.json_path[1:]}: {error.message[:200]}"


def check_frame(tally, contract, where, sender, text):
    """Counts each message of a frame as one check."""
    for error in contract.errors(sender, text):
        tally.check(error is None, error and f"{where}: {error}")


def frames_of(entry, both):
    """Returns the frames in a line of a journal, each with its sender."""
    if entry.get("out") == "frame":
        yield "daemon", entry.get("text")
    if both and entry.get("in") == "frame":
        yield "client", entry.get("text")
    if both and entry.get("in") == "binary":
        yield "client", None
    if both and entry.get("in") == "resumed":
        for frame in entry["held"]:
            yield "client", frame.get("text")


def check_journals(tally, contract, folder, both):
    for journal in sorted(folder.glob("*.jsonl")):
        for line in journal.read_text(errors="replace").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # The line is incomplete, because its daemon was killed.
                continue
            for sender, text in frames_of(entry, both):
                check_frame(tally, contract, journal.name, sender, text)


def check_frames(tally, contract, file):
    """Checks the frames of a file, and that frames of at least two senders were recorded."""
    senders = set()
    for number, line in enumerate(file.read_text().splitlines(), 1):
        frame = json.loads(line)
        senders.add(frame["from"])
        check_frame(tally, contract, f"{file.name}:{number}", frame["from"], frame["text"])
    tally.check(len(senders) > 1, f"{file}: it has only frames of {sorted(senders)}")


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
        check_journals(tally, contract, chosen.journals, chosen.both)
    if chosen.frames:
        check_frames(tally, contract, chosen.frames)
    print_summary(tally)


if __name__ == "__main__":
    sys.exit(main())
