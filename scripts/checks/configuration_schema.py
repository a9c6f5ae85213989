"""Checks docs/configuration.schema.json against configurations that the daemon accepts and refuses.

This file is run by the Python that has `jsonschema` and `yaml` (Debian: python3-jsonschema,
python3-yaml).
"""

import json
import pathlib
import re
import sys

SCHEMA = pathlib.Path("docs/configuration.schema.json")
PAGES = [pathlib.Path("docs/configuration.md"), pathlib.Path("docs/backends.md")]
PYTHON = "/usr/bin/python3"
HASH = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
# A hash in the form in which the documentation shortens it.
SHORT_HASH = re.compile('"[0-9a-f]*…[0-9a-f]*"')

# Configurations that an editor must reject, with the reason.
WRONG = {
    "an unknown key": "sesions: 1",
    "an unknown limit": "limits: { sessionMax: 5 }",
    "a limit below its range": "limits: { jsonDepthMax: 3 }",
    "a limit above its range": "limits: { jsonDepthMax: 65 }",
    "a limit that is a string": "limits: { sessionsMax: '5' }",
    "an invalid number of loops": "loops: many",
    "no address": "listen: []",
    "an address without a port": "listen: 127.0.0.1",
    "an unknown log level": "log: { level: loud }",
    "an invalid boolean": "demo: maybe",
    "an origin with a path": "origins: ['https://app.example.org/x']",
    "a token without a hash": "tokens: [{ name: a, may: [work] }]",
    "a token in plain text": "tokens: [{ name: a, sha256: secret, may: [work] }]",
    "a token without rights": f"tokens: [{{ name: a, sha256: '{HASH}', may: [] }}]",
    "a feed without a backend": "feeds: { a: { paging: page } }",
    "a feed without paging": "feeds: { a: { backend: worker } }",
    "a paging style that its kind does not have": "feeds: { a: { backend: sqlite, paging: none, path: a, query: q } }",
    "a key of another kind": "feeds: { a: { backend: demo, url: 'http://127.0.0.1/' } }",
    "a key of the backend in a feed that uses an entry of backends": "feeds: { a: { backend: shop, calls: 3 } }",
    "an invalid name": "feeds: { 'a b': { backend: demo } }",
    "a cache without a lifetime": "feeds: { a: { backend: demo, cache: { staleMs: 1 } } }",
    "a backend without a kind": "backends: { shop: { paging: page } }",
    "an unknown kind": "backends: { shop: { kind: ftp } }",
    "an indicator without a file": "indicators: { a: {} }",
    "an unknown authentication mode": "auth: { mode: magic }",
    "a certificate without its key": "tls: { certificate: chain.pem }",
    "a cluster without servers": "cluster: { name: a }",
    "a cluster with an empty list of servers": "cluster: { name: a, servers: [] }",
    "a cluster with an invalid name": "cluster: { name: A, servers: [nats://a] }",
    "a server with a password": "cluster: { name: a, servers: ['nats://user:secret@a'] }",
    "a server that is not a NATS server": "cluster: { name: a, servers: [http://a] }",
    "an unknown key of a cluster": "cluster: { name: a, servers: [nats://a], nodes: 3 }",
    "a duration of the drain above its range": "drain: { spreadMs: 600001 }",
    "a list": "[]",
}


def run(part, pattern):
    """Runs this part of scripts/test: starts this file with the system's Python, which has Debian's packages."""
    del pattern
    import processes
    part.count_summary("configuration schema", processes.run(
        [PYTHON, "-B", __file__], part.log("configuration-schema"), processes.COMMAND_SECONDS))


def alternatives(block):
    """Returns the files that an example shows. An example that repeats a key shows several files."""
    keys = re.findall(r"^(\w+):", block, re.M)
    if len(keys) == len(set(keys)):
        return [block]
    return [line for line in block.splitlines() if line and not line.startswith("#")]


def accepted():
    """Returns the configurations that must be valid, by name: the examples on PAGES and the example files."""
    for page in PAGES:
        blocks = re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.M | re.S)
        if not blocks:
            raise SystemExit(f"{page} has no examples")
        for number, block in enumerate(blocks, 1):
            for text in alternatives(SHORT_HASH.sub(f'"{HASH}"', block)):
                if text.startswith("parameters:"):
                    text = "feeds: { a: { backend: worker, paging: none, "\
                        + text.split("#")[0].strip() + " } }"
                yield f"{page}, example {number}", text
    for path in sorted(pathlib.Path(".").glob("examples/*/refreshd.yaml")):
        yield str(path), path.read_text()
    for path in sorted(pathlib.Path("packaging").glob("*.yaml")):
        yield str(path), path.read_text()
    yield "an empty file", ""


def main():
    import jsonschema
    import yaml
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    passed, failed = 0, 0
    for name, text in accepted():
        error = jsonschema.exceptions.best_match(validator.iter_errors(yaml.safe_load(text)))
        if error is None:
            passed += 1
        else:
            failed += 1
            print(f"{name}: refused at {error.json_path}: {error.message}")
    for name, text in WRONG.items():
        if validator.is_valid(yaml.safe_load(text)):
            failed += 1
            print(f"{name}: accepted")
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
