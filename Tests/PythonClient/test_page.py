"""Tests that clients/python/README.md describes the package as it is."""

import inspect
import pathlib
import re
import sys
import unittest

PACKAGE = pathlib.Path(__file__).parents[2] / "clients/python"
sys.path.insert(0, str(PACKAGE))

import refreshd  # noqa: E402

PAGE = (PACKAGE / "README.md").read_text()


def names(text):
    return set(re.findall(r"`(?:\w+\.)?(\w+)(?:\(.*?\))?`", text))


class PageTest(unittest.TestCase):
    def test_the_complete_programs_of_the_page_are_the_examples_that_the_checks_run(self):
        programs = [program for program in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "asyncio.run" in program]
        self.assertEqual(len(programs), 2)
        for program, name in zip(programs, ["first_pull", "pull_list"]):
            example = (PACKAGE / f"examples/{name}.py").read_text()
            self.assertTrue(example.endswith(program), f"README.md differs from examples/{name}.py")

    def test_the_page_names_no_file_that_the_wheel_does_not_have(self):
        self.assertEqual(re.findall(r"\b(?:docs|examples|scripts|Tests|Sources)/[\w./-]+", PAGE), [])

    def test_the_table_of_events_has_each_event_of_the_package(self):
        table = PAGE[PAGE.index("| event | when |"):]
        rows = {row.split("`")[1] for row in table[:table.index("\n\n")].splitlines()[2:]}
        events = {name for name in refreshd.__all__ if inspect.isclass(getattr(refreshd, name))
                  and issubclass(getattr(refreshd, name), refreshd.Event)} - {"Event"}
        self.assertEqual(rows, events)

    def test_the_page_names_each_public_method_of_a_view_that_sends_something_and_no_other(self):
        table = PAGE[PAGE.index("| a view reports"):]
        listed = names(table[:table.index("\n\n")].splitlines()[2])
        methods = {name for name, method in inspect.getmembers(refreshd.View, inspect.iscoroutinefunction)}
        self.assertEqual(listed, methods - {"send"})

    def test_the_table_of_options_has_each_option_of_a_session(self):
        table = PAGE[PAGE.index("| option | default |"):]
        rows = table[:table.index("\n\n")].splitlines()[2:]
        listed = set().union(*(names(row.split("|")[1]) for row in rows))
        options = set(inspect.signature(refreshd.Session).parameters) - {"url"}
        self.assertEqual(listed, options)

    def test_the_package_has_the_licence_of_the_project(self):
        self.assertEqual((PACKAGE / "LICENSE").read_text(), (PACKAGE.parents[1] / "LICENSE").read_text())

    def test_each_link_of_the_page_also_works_outside_the_tree(self):
        # The page is the description of the wheel, where a relative link leads nowhere.
        targets = re.findall(r"\]\(([^)]*)\)", re.sub(r"`[^`]*`", "", PAGE))
        self.assertEqual([target for target in targets if not target.startswith(("#", "https://"))], [])


if __name__ == "__main__":
    unittest.main()
