"""Checks docs/messages.schema.json and docs/asyncapi.json with an independent validator.

Each value in each example of the AsyncAPI document is replaced by other values. For each message that results, the
verdict (valid or not) must equal the verdict of the project's own validator
(Tests/WireContractTests/Fixtures/verdicts.json).

This file is run by the Python that has `jsonschema` (Debian: python3-jsonschema).
"""

import copy
import json
import pathlib
import re
import sys

SCHEMA = pathlib.Path("docs/messages.schema.json")
ASYNCAPI = pathlib.Path("docs/asyncapi.json")
EXAMPLE_PAGES = [
    pathlib.Path(f"docs/{name}.md") for name in ("protocol", "coming-back", "control-law", "recipes", "start", "porting")]
VERDICTS = pathlib.Path("Tests/WireContractTests/Fixtures/verdicts.json")
PYTHON = "/usr/bin/python3"

NOTHING = object()
# The replacements of a value, in the order of the stored verdicts.
REPLACEMENTS = [
    NOTHING, None, True, 0, 0.5, -1, 1_000_000_000, "", "no such word", [], {}, [None], {"x": 1}]
# The allowed and the required fields of AsyncAPI 3.0.0 objects in this document.
DOCUMENT = {"asyncapi", "info", "defaultContentType", "servers", "channels", "operations", "components"}
FIELDS = {
    "info": ({"title", "version", "description", "license", "contact", "termsOfService", "tags"},
             {"title", "version"}),
    "server": ({"host", "protocol", "description", "title", "summary", "bindings"},
               {"host", "protocol"}),
    "channel": ({"address", "messages", "title", "summary", "description", "servers", "bindings"},
                {"address", "messages"}),
    "operation": ({"action", "channel", "messages", "reply", "title", "summary", "description"},
                  {"action", "channel"}),
    "reply": ({"channel", "messages", "address"}, set()),
    "message": ({"name", "title", "summary", "description", "contentType", "payload", "examples",
                 "headers", "bindings"}, {"payload"}),
}
# The rule of the specification for the keys of components.
KEY = re.compile(r"^[a-zA-Z0-9._-]+$")


def run(part, pattern):
    """Runs this part of scripts/test: starts this file with the system's Python, which has Debian's packages."""
    del pattern
    import processes
    part.count_summary("messages schema", processes.run(
        [PYTHON, "-B", __file__], part.log("messages-schema"), processes.COMMAND_SECONDS))


class Tally:
    """Counts passed and failed checks."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, holds, what):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(what)


def damaged(value):
    """Returns the damaged copies of a value. In each copy, one place has one of the replacements. The outer places come
    first.
    """
    keys = value.keys() if isinstance(value, dict) else range(len(value)) \
        if isinstance(value, list) else ()
    for key in list(keys):
        for replacement in REPLACEMENTS:
            other = copy.copy(value)
            if replacement is NOTHING:
                del other[key]
            else:
                other[key] = replacement
            yield other
        for inner in damaged(value[key]):
            other = copy.copy(value)
            other[key] = inner
            yield other


def compare_verdicts(tally, schema, document):
    """Compares the verdicts of both validators on every damaged example."""
    import jsonschema
    stored = json.loads(VERDICTS.read_text())
    seen = set()
    for name, message in document["components"]["messages"].items():
        validator = jsonschema.Draft202012Validator(
            {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
        for index, example in enumerate(message["examples"]):
            tally.check(validator.is_valid(example["payload"]), f"{name} {index}: refused")
            theirs = "".join("01"[validator.is_valid(value)] for value in damaged(example["payload"]))
            ours = stored.get(f"{name} {index}", "")
            seen.add(f"{name} {index}")
            differing = sum(a != b for a, b in zip(theirs, ours))
            tally.check(
                len(theirs) == len(ours) and differing == 0,
                f"{name} {index}: {differing} of {len(theirs)} verdicts differ ({len(ours)} stored)")
    tally.check(seen == stored.keys(), f"stored verdicts without an example: {sorted(stored.keys() - seen)}")


def check_payloads(tally, document):
    """Checks the schemas in the AsyncAPI document, which use draft 7, and its examples."""
    import jsonschema
    for name, schema in document["components"]["schemas"].items():
        try:
            jsonschema.Draft7Validator.check_schema(schema)
            tally.check(True, "")
        except jsonschema.SchemaError as error:
            tally.check(False, f"schema {name}: {error.message}")
    resolver = jsonschema.RefResolver("", document)
    for name, message in document["components"]["messages"].items():
        validator = jsonschema.Draft7Validator(message["payload"], resolver=resolver)
        for example in message["examples"]:
            tally.check(validator.is_valid(example["payload"]), f"{name}: its example is refused")


def check_structure(tally, document):
    """Checks the objects against AsyncAPI 3.0.0, and that each reference has a target."""
    def known(kind, value, where):
        allowed, required = FIELDS[kind]
        tally.check(not value.keys() - allowed, f"{where}: {sorted(value.keys() - allowed)}")
        tally.check(not required - value.keys(), f"{where}: no {sorted(required - value.keys())}")

    tally.check(document.get("asyncapi") == "3.0.0", "asyncapi: not 3.0.0")
    tally.check(document.keys() == DOCUMENT, f"members: {sorted(document)}")
    known("info", document["info"], "info")
    for name, server in document["servers"].items():
        known("server", server, f"server {name}")
        tally.check("://" not in server["host"], f"server {name}: its host is a URL")
    for kind in ("servers", "channels", "operations"):
        tally.check(all(KEY.match(key) for key in document[kind]), f"{kind}: a key has an invalid character")
    for kind, members in document["components"].items():
        tally.check(all(KEY.match(key) for key in members), f"components.{kind}: a key has an invalid character")
    for name, channel in document["channels"].items():
        known("channel", channel, f"channel {name}")
        binding = channel["bindings"]["ws"]
        tally.check(binding["method"] in ("GET", "POST") and binding["bindingVersion"] == "0.1.0"
                    and binding["headers"]["type"] == "object", f"channel {name}: its binding is invalid")
    addresses = [channel["address"] for channel in document["channels"].values()]
    tally.check(len(set(addresses)) == len(addresses), "two channels have one address")
    for name, message in document["components"]["messages"].items():
        known("message", message, f"message {name}")
    used = set()
    for name, operation in document["operations"].items():
        known("operation", operation, f"operation {name}")
        tally.check(operation["action"] in ("send", "receive"), f"operation {name}: its action is invalid")
        check_messages_of(tally, name, operation, used)
        if "reply" in operation:
            known("reply", operation["reply"], f"reply of {name}")
            check_messages_of(tally, f"reply of {name}", operation["reply"], used)
    held = {
        reference["$ref"] for channel in document["channels"].values()
        for reference in channel["messages"].values()}
    everything = {f"#/components/messages/{name}" for name in document["components"]["messages"]}
    tally.check(held == everything, f"messages in no channel: {sorted(everything - held)}")
    all_messages = {
        f"#/channels/{channel}/messages/{name}"
        for channel, value in document["channels"].items() for name in value["messages"]}
    tally.check(used == all_messages, f"messages in no operation: {sorted(all_messages - used)}")
    for reference in references(document):
        tally.check(resolves(document, reference), f"{reference} has no target")


def check_messages_of(tally, name, holder, used):
    """The messages of an operation or reply must belong to its channel."""
    for message in holder["messages"]:
        used.add(message["$ref"])
        tally.check(
            message["$ref"].startswith(f"{holder['channel']['$ref']}/messages/"),
            f"{name}: it has a message of another channel")


def check_examples(tally, schema):
    """Checks each complete message that a page shows within its text: the closed schema must allow it."""
    from recorded_messages import Contract
    contract = Contract(schema)
    for page in EXAMPLE_PAGES:
        text = page.read_text(encoding="utf-8")
        for example in re.findall(r'`(\{"type":.*?\})`', text, re.DOTALL):
            if "…" in example:  # A part is left out.
                continue
            message = json.loads(" ".join(example.split()))
            errors = [contract.error(sender, message) for sender in ("client", "daemon")]
            tally.check(None in errors, f"{page}: {errors}")


def references(value):
    """Returns every `$ref` in the document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from references(inner)


def resolves(document, reference):
    """Whether the reference has a target."""
    for step in reference.removeprefix("#/").split("/"):
        if not isinstance(document, dict) or step not in document:
            return False
        document = document[step]
    return reference.startswith("#/")


def print_summary(tally):
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(1 if tally.failed else 0)


def main():
    import warnings
    warnings.simplefilter("ignore", DeprecationWarning)
    import jsonschema
    schema = json.loads(SCHEMA.read_text())
    document = json.loads(ASYNCAPI.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    tally = Tally()
    check_structure(tally, document)
    check_payloads(tally, document)
    check_examples(tally, schema)
    compare_verdicts(tally, schema, document)
    print_summary(tally)


if __name__ == "__main__":
    main()
