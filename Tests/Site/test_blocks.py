"""The code blocks of the pages are what they claim to be."""

import ast
import json
import subprocess
import tempfile
import unittest

import yaml

import tree


def json_problem(text):
    """A block of JSON has one value, or several values one after another."""
    decoder = json.JSONDecoder()
    try:
        while text := text.lstrip():
            text = text[decoder.raw_decode(text)[1]:]
    except ValueError as error:
        return str(error)
    return None


def frames_problem(text):
    """Each line is a frame behind an arrow. A line with `…` is abbreviated, and is not checked."""
    problems = (json_problem(line[2:]) for line in text.splitlines() if line.strip() and "…" not in line)
    return next(filter(None, problems), None)


def yaml_problem(text):
    try:
        list(yaml.safe_load_all(text))
    except yaml.YAMLError as error:
        return str(error)
    return None


def shell_problem(text):
    result = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    return result.stderr if result.returncode else None


def python_problem(text):
    try:
        ast.parse(text)
    except SyntaxError as error:
        return str(error)
    return None


def script_problem(text):
    with tempfile.NamedTemporaryFile("w", suffix=".mjs") as file:
        file.write(text)
        file.flush()
        result = subprocess.run(["node", "--check", file.name], capture_output=True, text=True)
    return result.stderr if result.returncode else None


CHECKS = {
    "json": json_problem, "frames": frames_problem, "yaml": yaml_problem, "sh": shell_problem, "bash": shell_problem,
    "python": python_problem, "js": script_problem, "javascript": script_problem}
# A wrong block of each language.
WRONG = {
    "json": '{"a": 1} {"b": }', "frames": '> {"type":"ping"}\n< {"type":}', "yaml": "a: [1", "sh": "if true; then",
    "bash": "echo 'a", "python": "for x:", "js": "const = 1;", "javascript": "await (;"}


def language(block):
    """Returns the language of a block. A block whose lines all begin with an arrow consists of frames."""
    lines = [line for line in block.text.splitlines() if line.strip()]
    if not block.language and lines and all(line[:2] in ("> ", "< ") for line in lines):
        return "frames"
    return block.language


class BlockTest(unittest.TestCase):
    def test_every_block_parses_in_the_language_that_it_claims(self):
        blocks = [block for block in tree.blocks() if language(block) in CHECKS]
        self.assertGreater(len(blocks), 40)
        self.assertGreaterEqual({language(block) for block in blocks}, {"json", "frames", "yaml", "sh"})
        problems = [
            f"{block.place}: {problem}" for block in blocks if (problem := CHECKS[language(block)](block.text))]
        self.assertEqual(problems, [])

    def test_a_wrong_block_of_each_language_is_found(self):
        self.assertEqual(WRONG.keys(), CHECKS.keys())
        self.assertEqual([name for name, text in WRONG.items() if not CHECKS[name](text)], [])
