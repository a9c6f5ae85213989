"""Tests scripts/generate-clients: what it reads, and how it reports a file that is not current."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from generate_clients import reader  # noqa: E402
from generate_clients.contract import Nullable, Part, Scalar, Word  # noqa: E402

MODULE = "clients/python/refreshd/protocol.py"


class CommentsTest(unittest.TestCase):
    def test_each_option_of_an_edge_has_a_comment_with_its_meaning(self):
        text = (ROOT / MODULE).read_text()
        for name in ("EdgeOptions", "FloorOptions"):
            lines = text.split(f"class {name}(")[1].split("\n\n\n")[0].splitlines()[3:]
            members = [index for index, line in enumerate(lines) if not line.startswith("    #")]
            self.assertGreater(len(members), 4)
            for index in members:
                self.assertTrue(index and lines[index - 1].startswith("    # "), f"{name}: {lines[index]}")
        self.assertNotIn("](", text.split("class EdgeOptions(")[1].split("class Pan")[0])
        self.assertIn("# A load that takes longer ends as `timedOut`; None: as the limit `loadDeadlineMs`.", text)


class ReaderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.contract = reader.read(ROOT)
        cls.schema = json.loads((ROOT / "docs/messages.schema.json").read_text())["$defs"]

    def test_each_message_of_a_session_is_read_with_all_its_members(self):
        messages = self.contract.client_messages + self.contract.daemon_messages
        expected = {
            name for name in self.schema
            if name.split(".")[0] in ("client", "daemon") and not name.endswith((".message", ".frame"))}
        self.assertEqual({f"{one.sender}.{one.type}" for one in messages}, expected)
        for one in messages:
            schema = self.schema[f"{one.sender}.{one.type}"]
            forms = schema.get("anyOf", [schema])
            members = {name for form in forms for name, value in form["properties"].items() if value is not False}
            self.assertEqual({field.name for field in one.fields}, members, one.name)

    def test_a_member_is_required_if_each_form_requires_it(self):
        loading = next(one for one in self.contract.daemon_messages if one.type == "loading")
        required = {field.name for field in loading.fields if field.is_required}
        self.assertEqual(required, {"type", "view", "kind", "phase"})
        phase = next(field for field in loading.fields if field.name == "phase")
        self.assertEqual(phase.type, Word("LoadPhase"))

    def test_types_are_resolved(self):
        attach = next(one for one in self.contract.client_messages if one.type == "attach")
        types = {field.name: field.type for field in attach.fields}
        self.assertEqual(types["top"], Nullable(Part("EdgeOptions")))
        self.assertEqual(types["reversed"], Scalar("boolean"))
        self.assertEqual(types["offset"].limit, "geometryPointsMax")

    def test_each_state_phase_and_reason_has_the_sentence_of_the_documentation(self):
        words = {one.name: one.values for one in self.contract.enumerations}
        for name, meanings in self.contract.meanings.items():
            self.assertEqual([value for value in words[name] if not meanings.get(value)], [], name)
        self.assertEqual(
            {"EdgeState", "LoadPhase", "ScrollPhase", "FreshReason"} - self.contract.meanings.keys(), set())
        self.assertEqual(
            self.contract.meanings["FreshReason"]["snapshotExpired"],
            "the snapshot is older than `snapshotLifetimeMs`")

    def test_the_tables_of_the_page_are_read(self):
        faults = {one.code: one for one in self.contract.faults}
        words = next(one for one in self.contract.enumerations if one.name == "FaultCode").values
        self.assertEqual(set(faults), set(words))
        self.assertEqual((faults["tokenExpired"].closes, faults["tokenExpired"].is_temporary), (4200, True))
        self.assertEqual([one.name for one in self.contract.features], ["query", "unread", "patch", "visibleRange", "live", "edits"])
        length = next(one for one in self.contract.profile_options if (one.group, one.name) == ("refresh", "length"))
        self.assertEqual(set(length.values), set(self.contract.profiles))


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        for name in ("docs", "scripts", "clients"):
            shutil.copytree(ROOT / name, self.tree / name)
        version = "Sources/RefreshProtocol/DaemonVersion.swift"
        (self.tree / version).parent.mkdir(parents=True)
        shutil.copy(ROOT / version, self.tree / version)

    def run_generator(self, *arguments):
        result = subprocess.run(
            [sys.executable, "-B", str(self.tree / "scripts/generate-clients"), *arguments], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def test_a_changed_file_is_reported_and_written_again(self):
        self.assertEqual(self.run_generator("--check", "python"), (0, ""))
        (self.tree / MODULE).write_text("VERSION = '0'\n")
        status, output = self.run_generator("--check", "python")
        self.assertEqual(status, 1)
        self.assertIn(f"{MODULE} is not current", output)
        self.assertEqual(self.run_generator("python"), (0, f"{MODULE}\n"))
        self.assertEqual((self.tree / MODULE).read_text(), (ROOT / MODULE).read_text())

    def test_a_new_option_of_the_contract_makes_the_file_stale(self):
        path = self.tree / "docs/messages.schema.json"
        schema = json.loads(path.read_text())
        schema["$defs"]["edgeOptions"]["properties"]["newOption"] = {"type": "boolean"}
        path.write_text(json.dumps(schema))
        self.assertEqual(self.run_generator("--check", "python")[0], 1)
        self.run_generator("python")
        self.assertIn("    newOption: bool\n", (self.tree / MODULE).read_text())

    def test_an_enumeration_without_a_name_is_an_error_that_names_its_place(self):
        path = self.tree / "docs/messages.schema.json"
        schema = json.loads(path.read_text())
        schema["$defs"]["client.refresh"]["properties"]["mood"] = {"enum": ["good", "bad"]}
        path.write_text(json.dumps(schema))
        status, output = self.run_generator()
        self.assertEqual(status, 2)
        self.assertIn("client.refresh.mood has no name", output)

    def test_a_language_without_an_emitter_is_refused(self):
        status, output = self.run_generator("cobol")
        self.assertEqual(status, 2)
        self.assertIn("there is no language cobol", output)


if __name__ == "__main__":
    unittest.main()
