"""How docs/site makes pages from the tree, and how scripts/site reports mistakes."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import tree  # first: it makes the modules of docs/site importable

import commonmark
import diagrams
import hooks

MISTAKES = """# Mistakes

[A page](no-such-page.md), [a section](glossary.md#no-such-term), [its own](#no-such-section), and a diagram:

```mermaid
stateDiagram-v2
    idle ==> pulling
```
"""


class BuildTest(unittest.TestCase):
    def copy(self):
        """Returns the folder of a tree whose pages can be changed. All other folders are those of this tree."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        copy = pathlib.Path(folder.name)
        for entry in tree.ROOT.iterdir():
            if entry.name not in (".build", ".git", "docs"):
                (copy / entry.name).symlink_to(entry)
        shutil.copytree(tree.ROOT / "docs", copy / "docs")
        (copy / "scripts").unlink()
        shutil.copytree(tree.ROOT / "scripts", copy / "scripts")
        (copy / ".build").mkdir()
        (copy / ".build/venv").symlink_to(tree.ROOT / ".build/venv")
        return copy

    def test_every_mistake_is_named_and_fails_the_build(self):
        copy = self.copy()
        (copy / "docs/mistakes.md").write_text(MISTAKES)
        result = subprocess.run(
            ["env", "-u", "SCRIPTS_LOCK_HELD", "scripts/site"], cwd=copy, capture_output=True, text=True)
        printed = result.stdout + result.stderr
        self.assertEqual(result.returncode, 1, printed)
        for message in (
            "no entry in the navigation (`nav` in mkdocs.yml): mistakes.md", "'no-such-page.md'",
            "'glossary.md#no-such-term'", "'#no-such-section'", "this line is no transition: idle ==> pulling",
        ):
            self.assertIn(message, printed)
        self.assertEqual(
            printed.splitlines()[-1],
            "site: the site has the mistakes that are printed above: correct them, and run this again.")
        # The page exists all the same, and readers find it.
        self.assertIn("mistakes.html", (copy / ".build/site/index.html").read_text())

    def test_a_pattern_takes_the_pages_without_an_entry_and_an_optional_page_may_be_missing(self):
        entries = [
            {"Start": [{"Home": "README.md"}, "start.md?", "more.md?"]}, {"Rest": ["a/2.md", "a/*.md"]},
            {"None": ["b/*.md"]}]
        pages = ["README.md", "more.md", "a/1.md", "a/2.md", "a/b/3.md", "a/b.md"]
        with self.assertLogs("mkdocs.hooks.site", "WARNING") as logs:
            complete = hooks.navigation(entries, pages)
        self.assertEqual(complete, [
            {"Start": [{"Home": "README.md"}, "more.md"]}, {"Rest": ["a/2.md", "a/1.md", "a/b.md"]},
            {"Other pages": ["a/b/3.md"]}])
        self.assertIn("a/b/3.md", logs.output[0])

    def test_lists_and_tables_are_rewritten_for_python_markdown(self):
        for written, wanted in (
            ("text\n- a\n  - b\n    c", "text\n\n-   a\n    -   b\n        c"),
            ("1. a\n\n   b\n2. c", "1.  a\n\n    b\n\n2.  c"),
            ("10. a\n    - b\nlazy", "10. a\n    -   b\n        lazy"),
            ("- a\n  ```\n    code\n  ```", "-   a\n\n    ```\n      code\n    ```"),
            ("text\n| a |\n|---|\n| `b\\|c` |", "text\n\n| a |\n|---|\n| `b|c` |"),
            ("```\n- a\n  - `b\\|c`\n```", "```\n- a\n  - `b\\|c`\n```"),
        ):
            self.assertEqual(commonmark.rewritten(written), wanted)

    def test_a_diagram_that_is_not_supported_is_refused(self):
        for source in ("flowchart LR\n a --> b", "stateDiagram-v2\n a --> b\n note right of a"):
            self.assertRaises(ValueError, diagrams.dot, source)
        self.assertIn('a -> b [label="one, two"]', diagrams.dot("stateDiagram-v2\n a --> b: one, two"))
