"""The packed web client in the project of a user: its types, its core in Node, its element and its hook in Chromium."""

import json
import pathlib
import tempfile
import unittest

from daemon import Daemon, PackageList
from page import PHONE, Page
from web_package import InstalledPackage, WebServer

PACKAGE_COUNT = 180
PAGE_SIZE = 50


class WebPackageTest(unittest.TestCase):
    executable = None  # set by __main__
    screenshots = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        folder = pathlib.Path(folder.name)
        cls.packages = PackageList(folder / "status", PACKAGE_COUNT)
        server = WebServer()
        cls.addClassCleanup(server.close)
        cls.web = server
        configuration = folder / "refreshd.yaml"
        configuration.write_text(f"demo: true\norigins: [{json.dumps(server.url)}]\n")
        cls.daemon = Daemon(
            cls.executable, cls.packages.path, cls.screenshots / "refreshd-package.log", config=configuration)
        cls.daemon.sources += ["--dpkg-status", str(cls.packages.path)]
        cls.daemon.start()
        cls.addClassCleanup(cls.daemon.kill)
        cls.session = f"ws://127.0.0.1:{cls.daemon.port}/v1/session"
        cls.installed = InstalledPackage()
        cls.addClassCleanup(cls.installed.close)
        server.start(cls.installed.write_examples(cls.daemon.port))
        cls.page = Page()
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.refusals_expected = False
        self.reports_expected = False

    def tearDown(self):
        errors = [error for error in self.page.console_errors if "favicon.ico" not in error]
        if self.reports_expected:
            errors = [error for error in errors if "refreshd: " not in error]
        if self.refusals_expected:
            errors = [error for error in errors if "/v1/session" not in error]
        self.assertEqual(errors, [], "the console must be clean: no error, no violated policy")

    # Helpers

    def show(self, name, rows="refresh-list > p"):
        """Shows a page on a phone, and waits for the first page of the list."""
        page = self.page
        page.command("Emulation.setDeviceMetricsOverride", **PHONE)
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.browser.get(f"{self.web.url}/examples/{name}")
        self.rows = rows
        page.until(lambda: self.count() == PAGE_SIZE, "the first page")
        self.settle()

    def settle(self):
        """Waits until the list is at rest. During a refresh, another one is not begun."""
        self.page.until(lambda: self.page.run("""
            const element = document.querySelector("refresh-list");
            const state = element ? element.list.top.state : document.querySelector(".list").dataset.state;
            return state === "idle";"""), "rest")

    def count(self):
        return self.page.run("return document.querySelectorAll(arguments[0]).length", self.rows)

    def texts(self):
        return self.page.run(
            "return [...document.querySelectorAll(arguments[0])].map((row) => row.textContent)", self.rows)

    def part(self, name):
        """Returns the text of a part of the list, and whether the part is visible."""
        return self.page.run("""
            const host = document.querySelector("refresh-list, .list");
            const part = host.shadowRoot.querySelector(`[part=${arguments[0]}]`);
            return [part.textContent, part.checkVisibility()];""", name)

    def announcement(self):
        return self.page.run("""
            return document.querySelector("refresh-list, .list").shadowRoot.querySelector("[role=status]").textContent""")

    def record(self, *types):
        """Records the events of the element from now on."""
        self.page.run("""
            window.seen = [];
            for (const type of arguments[0])
              document.querySelector("refresh-list").addEventListener(type, ({detail}) =>
                seen.push(type === "state" ? detail.top.state : `${type} ${detail?.mode ?? detail?.status ?? ""}`));""",
                      types)

    def pull(self):
        """Pulls the list far enough and releases it."""
        x, y = self.page.run("""
            const {left, top} = document.querySelector("refresh-list, .list").getBoundingClientRect();
            return [left + 60, top + 40];""")
        self.page.touch("touchStart", (x, y))
        self.page.slide((x, y), 0, 60)
        self.page.slide((x, y), 60, 300)
        self.page.screenshot(self.screenshots / f"package-pulled-{self._testMethodName[-20:]}.png")
        self.page.touch("touchEnd")

    def press_end(self):
        """Scrolls to the end of the list by a key."""
        self.page.run("document.querySelector('refresh-list, .list').shadowRoot.querySelector('[part=scroller]').focus()")
        self.page.press_end()

    # The package

    def test_an_installed_package_has_the_version_of_the_daemon_and_imports_without_a_dom(self):
        version = self.installed.run(pathlib.Path(__file__).parents[2] / "scripts/version").strip()
        manifest = json.loads((self.installed.package / "package.json").read_text())
        self.assertEqual((manifest["name"], manifest["version"], manifest["license"]), ("refreshd-client", version, "MIT"))
        self.assertNotIn("private", manifest)
        for target in manifest["exports"].values():
            for path in [target] if isinstance(target, str) else target.values():
                self.assertTrue((self.installed.package / path).is_file(), path)
        exported = json.loads(self.installed.run("node", "imports.mjs"))
        self.assertIn("RefreshClient", exported["refreshd-client/core"])
        self.assertIn("RefreshList", exported["refreshd-client"])
        self.assertIn("RefreshListElement", exported["refreshd-client/element"])
        self.assertEqual(self.installed.run("node", "server-render.mjs"), "<div>0 items, connecting</div>")

    def test_the_same_tree_is_packed_into_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.installed.run(pathlib.Path(__file__).parents[2] / "scripts/package-web", "--output", folder)
            [again] = pathlib.Path(folder).iterdir()
            self.assertEqual(again.read_bytes(), self.installed.tarball.read_bytes())

    def test_a_strict_program_compiles_against_the_types(self):
        for resolution in ("node", "node16"):
            with self.subTest(resolution=resolution):
                self.installed.check_types(resolution)

    def test_the_programs_of_the_readme_compile_with_all_strict_checks(self):
        self.assertGreaterEqual(self.installed.check_readme(), 4)

    def test_the_packed_readme_names_the_pages_outside_the_package(self):
        text = (self.installed.package / "README.md").read_text(encoding="utf-8")
        self.assertIn("The minimum client (`docs/start.md` in refreshd's repository) has all rules.", text)
        self.assertNotIn("](../../", text)

    def test_the_core_loads_resumes_and_refreshes_in_node(self):
        printed = self.installed.run("node", "core-client.mjs", self.session)
        self.assertEqual(
            printed.splitlines(), ["first replace 50", "more append", "resumed true", "again replace refresh"])

    # The element

    def test_ten_lines_show_a_list_that_refreshes_and_loads_more(self):
        example = (self.installed.package / "examples/ten-lines.html").read_text()
        self.assertEqual(len(example.splitlines()), 10)
        self.assertIn(example, (self.installed.package / "README.md").read_text())
        self.show("ten-lines.html")
        page = self.page
        self.assertTrue(self.texts()[0].startswith(self.packages.items[0]["name"]))
        page.screenshot(self.screenshots / "package-ten-lines.png")
        self.record("state", "items")
        self.pull()
        page.until(lambda: "items replace" in page.run("return seen"), "the items of a refresh")
        page.until(lambda: page.run("return seen.at(-1)") == "idle", "rest after the refresh")
        seen = page.run("return seen")
        self.assertEqual(
            [state for state in seen if state in ("pulling", "eligible", "refreshing")],
            ["pulling", "eligible", "refreshing"])
        self.assertEqual(self.announcement(), "Updated. 50 items shown.")
        self.press_end()
        page.until(lambda: self.count() == 2 * PAGE_SIZE, "the second page")
        self.assertEqual(self.announcement(), "50 more, 100 shown.")

    def test_assistive_technology_finds_a_named_list_and_a_button_to_refresh(self):
        self.show("ten-lines.html")
        nodes = self.page.command("Accessibility.getFullAXTree")["nodes"]
        found = [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes if not node.get("ignored") and "role" in node]
        self.assertIn(("region", "Packages"), found)
        self.assertIn(("list", "Packages"), found)
        self.assertIn(("button", "Refresh"), found)
        self.assertEqual(len([role for role, _ in found if role == "listitem"]), PAGE_SIZE)

    def test_keys_reach_the_button_and_the_list(self):
        self.show("ten-lines.html")
        page = self.page
        self.record("state", "items")
        page.press("Tab", 9)
        self.assertEqual(self.part("refresh"), ["Refresh", True])
        page.press("Enter", 13, text="\r")
        page.until(lambda: "refreshing" in page.run("return seen"), "a refresh by the button")
        page.until(lambda: page.run("return seen.at(-1)") == "idle", "rest")
        page.run("seen.length = 0")
        page.press("Tab", 9)
        page.press("r", 82, text="r")
        page.until(lambda: "refreshing" in page.run("return seen"), "a refresh by the key R")

    def test_a_row_whose_item_has_not_changed_stays_with_its_focus(self):
        self.show("ten-lines.html")
        page = self.page
        page.run("""
            const rows = document.querySelectorAll("refresh-list > p");
            window.kept = rows[1];
            window.replaced = rows[0];
            kept.tabIndex = -1;
            kept.focus();""")
        self.packages.upgrade(0)
        page.run("document.querySelector('refresh-list').refresh()")
        page.until(lambda: not page.run("return replaced.isConnected"), "the changed row to be replaced")
        self.assertTrue(page.run("""
            return kept === document.querySelectorAll("refresh-list > p")[1] && document.activeElement === kept"""))
        self.assertEqual(self.count(), PAGE_SIZE)

    def test_an_item_cannot_set_code_or_a_dangerous_address(self):
        self.show("ten-lines.html")
        attributes = self.page.browser.execute_async_script("""
            const done = arguments[0];
            import("/row-template.js").then(({rowFromTemplate}) => {
              const template = document.createElement("template");
              template.innerHTML = `<a data-field="text.deep" data-field-href="link" data-field-onclick="code"
                data-field-title="text.deep" data-field-style="code"></a>`;
              const names = (item) => {
                const {attributes, textContent} = rowFromTemplate(template, item);
                return [textContent, [...attributes].map(({name}) => name).filter((name) => !name.startsWith("data-"))];
              };
              done([
                names({link: "javascript:alert(1)", code: "alert(1)", text: {deep: "<b>"}}),
                names({link: " JaVaScript:alert(1)"}), names({link: "data:text/html,x"}), names({link: "/page?q=1"}),
              ]);
            });""")
        self.assertEqual(attributes, [["<b>", ["title"]], ["", []], ["", []], ["", ["href"]]])

    def test_a_changed_attribute_begins_a_new_session_and_a_removed_element_ends_it(self):
        self.show("ten-lines.html")
        page = self.page
        page.run("""
            const element = document.querySelector("refresh-list");
            window.before = element.list.client;
            window.said = [];
            const record = (client) => client.addEventListener("received", ({detail}) => said.push(detail.type));
            element.setAttribute("profile", "iqpulltorefresh");
            element.setAttribute("feed", "uploads");
            element.setAttribute("key", "id");""")
        page.until(lambda: page.run("""
            const {list} = document.querySelector("refresh-list");
            return list && list !== null && list.client !== before && list.isConnected"""), "the new session")
        page.until(lambda: page.run("return document.querySelector('refresh-list > p').dataset.id") != "", "its rows")
        page.run("""
            const element = document.querySelector("refresh-list");
            window.after = element.list.client;
            element.parent = element.parentNode;
            element.remove();
            element.parent.append(element);""")
        page.until(lambda: page.run("return document.querySelector('refresh-list').list !== null"), "the moved element")
        self.assertTrue(page.run("return document.querySelector('refresh-list').list.client === after"))
        page.run("window.removed = document.querySelector('refresh-list'); removed.remove();")
        page.until(lambda: page.run("return removed.list === null"), "the end of the session")

    def test_parameters_make_a_query(self):
        self.show("ten-lines.html")
        page = self.page
        page.run("""
            const element = document.querySelector("refresh-list");
            element.parameters = {urgent: "true"};
            element.setAttribute("feed", "uploads");""")
        page.until(lambda: page.run("""
            const {items} = document.querySelector("refresh-list");
            return items.length > 0 && items.every(({urgency}) => urgency === "high")"""), "urgent uploads")
        page.run("document.querySelector('refresh-list').parameters = {section: 'libs'}")
        page.until(lambda: page.run("""
            const {items} = document.querySelector("refresh-list");
            return items.length > 0 && items.every(({section}) => section === "libs")"""), "uploads of a section")

    def test_a_killed_daemon_is_reported_and_the_list_recovers(self):
        self.show("ten-lines.html")
        self.refusals_expected = True
        page = self.page
        self.daemon.kill()
        page.until(lambda: self.part("notice")[1], "the notice")
        self.assertEqual(self.part("notice")[0], "The connection is lost. Reconnecting…")
        self.assertEqual(self.count(), PAGE_SIZE)
        page.screenshot(self.screenshots / "package-lost.png")
        self.daemon.start()
        page.run("document.querySelector('refresh-list').list.client.reconnectNow()")
        page.until(lambda: page.run("return document.querySelector('refresh-list').list.isConnected"), "a new session")
        page.until(lambda: not self.part("notice")[1], "the notice to end")

    def test_a_refused_list_is_reported_until_it_is_shown(self):
        self.show("ten-lines.html")
        self.reports_expected = True
        page = self.page
        for attribute, code in ("feed", "unknownFeed"), ("profile", "unknownProfile"):
            with self.subTest(attribute=attribute):
                good = page.run("return document.querySelector('refresh-list').getAttribute(arguments[0])", attribute)
                page.run("""
                    const element = document.querySelector("refresh-list");
                    window.failures = [];
                    element.addEventListener("failure", ({detail}) => failures.push(detail), {once: true});
                    element.setAttribute(arguments[0], "wrong");""", attribute)
                page.until(lambda: page.run("return failures.length") > 0, "the event `failure`")
                page.run("""
                    const {list} = document.querySelector("refresh-list");
                    list.refresh();
                    list.loadMore();""")
                self.assertEqual(page.run("return failures.map(({kind, code}) => [kind, code])"), [["attach", code]])
                text, is_visible = self.part("notice")
                self.assertTrue(is_visible)
                self.assertTrue(text.startswith("The list cannot be shown. There is no "), text)
                page.until(lambda code=code: any(code in error for error in page.console_errors), "the console")
                page.screenshot(self.screenshots / f"package-refused-{attribute}.png")
                page.run("""
                    const element = document.querySelector("refresh-list");
                    if (arguments[1] === null) element.removeAttribute(arguments[0]);
                    else element.setAttribute(arguments[0], arguments[1]);""", attribute, good)
                page.until(lambda: page.run("""
                    return document.querySelector('refresh-list').list?.isConnected === true"""), "the list")
                self.assertFalse(self.part("notice")[1])
        self.assertFalse([error for error in page.console_errors if "unknownView" in error])

    def test_an_address_without_a_scheme_is_reported(self):
        self.show("ten-lines.html")
        self.reports_expected = True
        page = self.page
        page.run("""
            const element = document.querySelector("refresh-list");
            window.failures = [];
            element.addEventListener("failure", ({detail}) => failures.push(detail));
            element.setAttribute("url", "127.0.0.1:8080/v1/session");""")
        page.until(lambda: page.run("return failures.length") == 1, "the event `failure`")
        text, is_visible = self.part("notice")
        self.assertTrue(is_visible)
        self.assertIn("has no scheme", text)
        page.screenshot(self.screenshots / "package-no-scheme.png")
        page.run("document.querySelector('refresh-list').setAttribute('url', arguments[0])", self.session)
        page.until(lambda: page.run("return document.querySelector('refresh-list').list?.isConnected === true"), "the list")

    def test_a_page_of_another_origin_cannot_connect(self):
        self.refusals_expected = True
        page = self.page
        # The name is another origin than the address that `origins` lists.
        page.browser.get(f"{self.web.url.replace('127.0.0.1', 'localhost')}/examples/ten-lines.html")
        page.until(lambda: self.part("notice")[1], "the notice")
        self.assertEqual(self.part("notice")[0], "Cannot connect. Trying again…")
        page.screenshot(self.screenshots / "package-unreachable.png")

    def test_newer_items_are_offered_and_a_click_shows_them(self):
        self.show("ten-lines.html")
        page = self.page
        self.press_end()
        page.until(lambda: self.count() == 2 * PAGE_SIZE, "the second page")
        page.run("""
            document.querySelector("refresh-list").list.view.handle(
              {type: "update", view: "list", ack: 0, newer: true, newerCount: 2});""")
        self.assertEqual(self.part("newer"), ["2 new items", True])
        self.assertEqual(self.announcement(), "2 new items")
        page.screenshot(self.screenshots / "package-newer.png")
        page.run("document.querySelector('refresh-list').shadowRoot.querySelector('[part=newer]').click()")
        page.until(lambda: page.run("return document.querySelector('refresh-list').list.scrollView.offset") == 0, "the start")

    def test_an_empty_list_shows_what_the_page_says_about_it(self):
        self.show("ten-lines.html")
        page = self.page
        page.run("""
            const element = document.querySelector("refresh-list");
            element.insertAdjacentHTML("beforeend", '<p slot="empty" id="nothing">No such upload</p>');
            element.parameters = {q: "a name that no package has"};
            element.setAttribute("feed", "uploads");""")
        page.until(lambda: page.is_shown("nothing"), "the text for an empty list")
        self.assertEqual(page.run("return document.querySelectorAll('refresh-list > p').length"), 1)
        self.assertEqual(page.run("""
            return document.querySelector("refresh-list").shadowRoot.querySelector("[part=footer] span").textContent"""), "")

    def test_a_reloaded_page_resumes_its_session_with_its_items(self):
        page = self.page
        self.show("resume.html")
        page.run("window.name = 'resumes'")
        try:
            self.press_end()
            page.until(lambda: self.count() == 2 * PAGE_SIZE, "the second page")
            session = page.run("return document.querySelector('refresh-list').list.client.welcome.session")
            page.browser.refresh()
            page.until(lambda: page.run("return document.querySelector('refresh-list').list?.isConnected"), "a session")
            self.assertEqual(self.count(), 2 * PAGE_SIZE)
            self.assertEqual(page.run("""
                const {welcome} = document.querySelector("refresh-list").list.client;
                return [welcome.resumed, welcome.session];"""), [True, session])
        finally:
            page.run("window.name = ''")

    # The page's own elements

    def test_own_elements_show_a_list_that_refreshes_and_loads_more(self):
        page = self.page
        page.command("Emulation.setDeviceMetricsOverride", **PHONE)
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        page.browser.get(f"{self.web.url}/examples/own-elements.html")
        self.rows = ".content > p"
        page.until(lambda: self.count() == PAGE_SIZE, "the first page")
        page.until(lambda: page.run("return document.querySelector('.scroller').dataset.state") == "idle", "rest")
        page.touch("touchStart", (60, 40))
        page.slide((60, 40), 0, 300)
        page.until(lambda: page.run("return document.querySelector('.indicators svg') !== null"), "the indicator")
        page.screenshot(self.screenshots / "package-own-elements.png")
        page.run("window.oldRow = document.querySelector('.content > p')")
        page.touch("touchEnd")
        page.until(lambda: not page.run("return oldRow.isConnected"), "the items of a refresh")
        self.assertEqual(self.count(), PAGE_SIZE)
        page.until(lambda: page.run("return document.querySelector('.scroller').dataset.state") == "idle", "rest")
        page.run("document.querySelector('.scroller').focus()")
        page.press_end()
        page.until(lambda: self.count() == 2 * PAGE_SIZE, "the second page")

    # The hook

    def test_the_hook_shows_refreshes_and_loads_the_list_in_react(self):
        self.show("react.html", rows=".list > [role=listitem]")
        page = self.page
        page.screenshot(self.screenshots / "package-react.png")
        version = self.packages.upgrade()
        self.pull()
        page.until(lambda: version in self.texts()[0], "the new version")
        self.settle()
        version = self.packages.upgrade()
        page.run("document.querySelector('button').click()")
        page.until(lambda: version in self.texts()[0], "the version after the click")
        self.assertEqual(self.count(), PAGE_SIZE)
        self.settle()
        self.press_end()
        page.until(lambda: self.count() == 2 * PAGE_SIZE, "the second page")

    def test_the_hook_draws_the_rows_in_sight_of_a_long_list(self):
        page = self.page
        page.command("Emulation.setDeviceMetricsOverride", **PHONE)
        page.browser.get(f"{self.web.url}/examples/rows.html")
        self.rows = ".list > [role=listitem]"
        content = """document.querySelector(".list").shadowRoot.querySelector("[part=content]").getBoundingClientRect()"""
        loaded = f"""return document.querySelector("{self.rows}:not([data-placeholder])") !== null
            && document.querySelector("{self.rows}[data-placeholder]") === null"""
        page.until(lambda: page.run(loaded), "the first rows")
        names = [item["name"] for item in self.packages.items]
        self.assertEqual(page.run(f"return {content}.height"), 48 * PACKAGE_COUNT)
        self.assertLess(self.count(), 40)
        self.assertEqual(self.texts(), sorted(names)[:self.count()])
        self.press_end()
        page.until(lambda: page.run(f"return {content}.bottom <= innerHeight"), "the end")
        page.until(lambda: page.run(loaded) and self.texts()[-1] == sorted(names)[-1], "the last rows")
        self.assertLess(self.count(), 40)
        self.assertEqual(page.run(f"return [...document.querySelectorAll('{self.rows}')].at(-1).ariaPosInSet"),
                         str(PACKAGE_COUNT))
        page.screenshot(self.screenshots / "package-react-rows.png")

    def test_the_hook_keeps_the_place_of_the_reader_when_items_are_replaced(self):
        self.show("react.html", rows=".list > [role=listitem]")
        page = self.page
        place = """
            const top = document.querySelector(".list").getBoundingClientRect().top;
            const row = [...document.querySelectorAll(".list > [role=listitem]")].find(
              (one) => one.getBoundingClientRect().bottom > top);
            return [row.dataset.id, Math.round(row.getBoundingClientRect().top - top)];"""
        page.run("document.querySelector('.list').shadowRoot.querySelector('[part=scroller]').scrollTop = 500")
        page.until(lambda: page.run(place)[0] != self.packages.items[0]["name"], "the scrolled list")
        page.until(lambda: self.page.run(place) == self.page.run(place), "rest")
        before = page.run(place)
        new = {**self.packages.items[0], "name": "aaa-new", "version": "1"}
        self.packages.items.insert(0, new)
        self.addCleanup(self.packages.write)
        self.addCleanup(self.packages.items.remove, new)
        self.packages.write()
        page.run("document.querySelector('button').click()")
        page.until(lambda: self.texts()[0].startswith("aaa-new"), "the new item")
        page.until(lambda: page.run(place) == before, "the row to be in its place")
