"""Compares docs/indicator.schema.json with the programmes that the daemon accepts and refuses.

This file is run by the Python that has `jsonschema` (Debian: python3-jsonschema).
"""

import json
import pathlib
import re
import sys

SCHEMA = pathlib.Path("docs/indicator.schema.json")
PAGE = pathlib.Path("docs/indicators.md")
FIXTURES = pathlib.Path("Tests/RefreshIndicatorTests/Fixtures/indicators")
PYTHON = "/usr/bin/python3"


def run(part, pattern):
    """Runs this part of scripts/test: starts this file with the system's Python, which has Debian's packages."""
    del pattern
    import processes
    part.count_summary("indicator schema", processes.run(
        [PYTHON, "-B", __file__], part.log("schema"), processes.COMMAND_SECONDS))


def accepted():
    """Returns the programmes that must be valid, by name: the built-in ones, the valid test cases, the examples in
    docs/indicators.md, and the files in examples/indicators.
    """
    built_in = json.loads((FIXTURES / "built-in.json").read_text())
    yield from built_in.items()
    for case in json.loads((FIXTURES / "valid.json").read_text()):
        yield case["name"], case["indicator"]
    blocks = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    if not blocks:
        raise SystemExit(f"{PAGE} has no examples")
    for number, block in enumerate(blocks, 1):
        yield f"{PAGE}, example {number}", json.loads(block)
    for path in sorted(pathlib.Path("examples/indicators").glob("*.json")):
        yield str(path), json.loads(path.read_text())


def main():
    import jsonschema
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    passed, failed = 0, 0
    for name, indicator in accepted():
        error = jsonschema.exceptions.best_match(validator.iter_errors(indicator))
        if error is None:
            passed += 1
        else:
            failed += 1
            print(f"{name}: refused at {error.json_path}: {error.message}")
    for case in json.loads((FIXTURES / "invalid.json").read_text()):
        if validator.is_valid(case["indicator"]):
            failed += 1
            print(f"{case['name']}: accepted")
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
