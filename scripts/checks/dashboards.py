"""What packaging/ promises beside the units: the dashboard and the alerts, held against docs/operations.md."""

import json
import pathlib
import re
import shutil

import processes

DASHBOARD = pathlib.Path("packaging/grafana/refreshd.json")
RULES = pathlib.Path("packaging/prometheus/refreshd.rules.yml")
PAGE = pathlib.Path("docs/operations.md")
METRIC = re.compile(r"\b(?:refreshd|process)_[a-z_]+")
# What a Prometheus server appends to the name of a histogram's family.
SUFFIX = re.compile(r"_(?:bucket|sum|count)$")
SECONDS = 30


def run(part, pattern):
    """The part of scripts/test: every metric is documented, every page that is named is there."""
    del pattern
    documented = set(METRIC.findall(PAGE.read_text()))
    dashboard = json.loads(DASHBOARD.read_text())
    expressions = [
        target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    check_metrics(part, DASHBOARD, expressions, documented)
    rules = RULES.read_text()
    check_metrics(part, RULES, [rules], documented)
    for page in re.findall(r"^\s+page: (\S+)$", rules, re.MULTILINE):
        check_page(part, page)
    if shutil.which("promtool"):
        part.check("promtool", processes.run(
            ["promtool", "check", "rules", str(RULES)], part.log("promtool"), SECONDS))


def check_metrics(part, path, expressions, documented):
    names = {SUFFIX.sub("", name) for text in expressions for name in METRIC.findall(text)}
    if not names:
        part.failed(str(path), "it names no metric")
    for name in sorted(names):
        if name in documented:
            part.passed()
        else:
            part.failed(str(path), f"{name} is not in {PAGE}")


def check_page(part, page):
    """`page` is a file, and perhaps one of its headings as a link names it."""
    path, _, anchor = page.partition("#")
    text = pathlib.Path(path).read_text()
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lower()).strip().replace(" ", "-")
        for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    if not anchor or anchor in headings:
        part.passed()
    else:
        part.failed(str(RULES), f"{page}: there is no such heading")
