"""Checks the dashboard and the alerts in packaging/. The pages of PAGES must describe each metric that they use.
promtool, which scripts/setup unpacks into .build, parses the dashboard and the alerts, and runs the tests of the
alerts.
"""

import json
import pathlib
import re
import shutil
import subprocess

import configuration_schema
import processes

DASHBOARD = pathlib.Path("packaging/grafana/refreshd.json")
RULES = pathlib.Path("packaging/prometheus/refreshd.rules.yml")
# The tests of the alerts, with invented time series.
ALERT_TESTS = pathlib.Path("Tests/Alerts/refreshd.rules.test.yml")
# The documentation of the metrics.
PAGES = [pathlib.Path("docs/operations.md"), pathlib.Path("docs/cluster.md")]
PROMTOOL = pathlib.Path(".build/promtool/usr/bin/promtool")
METRIC = re.compile(r"\b(?:refreshd|process)_[a-z_]+")
# The suffixes that a Prometheus server adds to the name of a histogram.
SUFFIX = re.compile(r"_(?:bucket|sum|count)$")
# Rows of the tables in PAGES, with the names of metric families and of their labels.
ROW = re.compile(r"^\| (`(?:refreshd|process)_[^|]*) \| ([^|]*) \|", re.MULTILINE)
# The labels that a Prometheus server adds.
TARGET_LABELS = {"instance", "job"}
# The values that replace Grafana's variables, which promtool rejects.
VARIABLES = {"$__rate_interval": "5m", "$instance": ".*"}


def run(part, pattern):
    """Runs this part of scripts/test. All metrics and labels in use must be documented."""
    del pattern
    page = "".join(path.read_text() for path in PAGES)
    documented = set(METRIC.findall(page))
    dashboard = json.loads(DASHBOARD.read_text())
    expressions = [
        target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    rules = RULES.read_text()
    alerts = [rule for group in read_yaml(RULES)["groups"] for rule in group["rules"]]
    alert_tests = read_yaml(ALERT_TESTS)["tests"]
    check_metrics(part, DASHBOARD, expressions, documented)
    check_metrics(part, RULES, [rules], documented)
    labels = labels_of(page)
    for expression in expressions:
        check_labels(part, DASHBOARD, expression, labels)
    for alert in alerts:
        check_labels(part, RULES, alert["expr"], labels)
    for test in alert_tests:
        for series in test["input_series"]:
            check_labels(part, ALERT_TESTS, series["series"], labels)
    check_alert_tests(part, alerts, alert_tests)
    for target in re.findall(r"^\s+page: (\S+)$", rules, re.MULTILINE):
        check_linked_page(part, target)
    run_promtool(part, expressions)


def run_promtool(part, expressions):
    """Parses each expression, and runs the tests of the alerts."""
    promtool = shutil.which("promtool") or (str(PROMTOOL) if PROMTOOL.exists() else None)
    if promtool is None:
        return part.failed("promtool", f"it is neither on PATH nor in {PROMTOOL}; scripts/setup installs it")
    readable = part.log("dashboard-rules").with_suffix(".yml")
    readable.write_text(recording_rules(expressions))
    for name, arguments in {
            "promtool parses the alerts": ["check", "rules", str(RULES)],
            "promtool parses the dashboard's expressions": ["check", "rules", str(readable)],
            "each alert fires when it should": ["test", "rules", str(ALERT_TESTS)]}.items():
        part.check(name, processes.run([promtool, *arguments], part.log(name), processes.COMMAND_SECONDS))
    return None


def recording_rules(expressions):
    """Returns the expressions as rules for promtool, which rejects unknown variables."""
    rules = []
    for number, expression in enumerate(expressions):
        for variable, value in VARIABLES.items():
            expression = expression.replace(variable, value)
        rules.append({"record": f"dashboard:expression:{number}", "expr": expression})
    # JSON is valid YAML.
    return json.dumps({"groups": [{"name": "dashboard", "rules": rules}]})


def read_yaml(path):
    """Returns the content of a file. The file is parsed by the Python that has `yaml`."""
    program = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))"
    command = [configuration_schema.PYTHON, "-c", program]
    with path.open() as text:
        return json.loads(subprocess.run(
            command, stdin=text, stdout=subprocess.PIPE, check=True, timeout=processes.COMMAND_SECONDS).stdout)


def labels_of(page):
    """Returns the labels of each metric family, according to the tables of PAGES."""
    labels = {}
    for names, cell in ROW.findall(page):
        for name in METRIC.findall(names):
            labels.setdefault(name, set()).update(re.findall(r"`([a-z]+)`", cell))
    return labels


def check_labels(part, path, expression, labels):
    """Each label that an expression uses must be a label of its metric families. For any other label, Prometheus
    reports no error, and the result is wrong.
    """
    families = {SUFFIX.sub("", name) for name in METRIC.findall(expression)}
    known = TARGET_LABELS.union(*(labels.get(family, set()) for family in families))
    used_labels = {
        word.strip() for words in re.findall(r"\bby \(([^)]*)\)", expression) for word in words.split(",")}
    used_labels |= set(re.findall(r"\b([a-z]+)(?:=~|!~|!=|=)\"", expression))
    if used_labels <= known:
        part.passed()
    else:
        part.failed(str(path), f"{expression}: no label {', '.join(sorted(used_labels - known))} in {names_of_pages()}")


def check_alert_tests(part, alerts, alert_tests):
    """Each alert must have a test in which it fires, and one in which it does not fire."""
    tested = {True: set(), False: set()}
    for test in alert_tests:
        for question in test["alert_rule_test"]:
            tested[bool(question["exp_alerts"])].add(question["alertname"])
    for alert in alerts:
        if all(alert["alert"] in names for names in tested.values()):
            part.passed()
        else:
            part.failed(str(ALERT_TESTS), f"{alert['alert']} has no test in which it fires, or none in which it does not")


def check_metrics(part, path, expressions, documented):
    names = {SUFFIX.sub("", name) for text in expressions for name in METRIC.findall(text)}
    if not names:
        part.failed(str(path), "it names no metric")
    for name in sorted(names):
        if name in documented:
            part.passed()
        else:
            part.failed(str(path), f"{name} is not in {names_of_pages()}")


def names_of_pages():
    return " and ".join(map(str, PAGES))


def check_linked_page(part, page):
    """`page` must be the name of a file, with an optional anchor of one of its headings."""
    path, _, anchor = page.partition("#")
    text = pathlib.Path(path).read_text()
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lower()).strip().replace(" ", "-")
        for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    if not anchor or anchor in headings:
        part.passed()
    else:
        part.failed(str(RULES), f"{page}: there is no such file or heading")
