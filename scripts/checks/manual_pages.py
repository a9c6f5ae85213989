"""Generates the manual pages from the help of the commands, from the schema of the configuration, and from the tables
of signals and exit statuses in docs/.
"""

import pathlib

from roff import bold, escaped, example, head, italic, paragraphs, plain, row, row_raw, sentence, table

OPERATIONS = pathlib.Path("docs/operations.md")
PROBE = pathlib.Path("docs/refresh-probe.md")
DOCUMENTS = "/usr/share/doc/refreshd"
HIDDEN = ("help", "version")


# The commands

def refreshd(tool):
    """Returns the page refreshd(8)."""
    own = shown(tool)
    lines = [
        *head("refreshd", 8, "System Administration"),
        ".SH NAME", f"refreshd \\- {escaped(lowered(tool['abstract']))}",
        ".SH SYNOPSIS", ".B refreshd", "[\\fIoption\\fR ...]"]
    for command in commands(tool):
        lines += [".br", f".B refreshd {escaped(command['commandName'])}", "[\\fIoption\\fR ...]"]
    lines += [".SH DESCRIPTION", *paragraphs(tool["discussion"]), ".SH OPTIONS"]
    for argument in own:
        lines += option(argument)
    lines += [*row("--version", "Show the version."), *row("-h, --help", "Show help information."), ".SH COMMANDS"]
    names = {argument["valueName"] + str(argument.get("preferredName")) for argument in own}
    for command in commands(tool):
        lines += [f".SS refreshd {escaped(command['commandName'])}", escaped(command["abstract"])]
        lines += [".PP", *paragraphs(command["discussion"]), ".PP", "It accepts all options above"]
        more = [
            argument for argument in shown(command)
            if argument["valueName"] + str(argument.get("preferredName")) not in names]
        lines[-1] += ", and these:" if more else "."
        for argument in more:
            lines += option(argument)
    lines.append(".SH SIGNALS")
    for signal, effect in table(OPERATIONS, "Signals and exit statuses", "signal"):
        lines += row(signal, sentence(effect))
    lines.append(".SH EXIT STATUS")
    for status, when in table(OPERATIONS, "Signals and exit statuses", "status"):
        lines += row(status, sentence(when))
    return "\n".join(lines + ENVIRONMENT_OF_REFRESHD + FILES_OF_REFRESHD) + "\n"


ENVIRONMENT_OF_REFRESHD = [
    ".SH ENVIRONMENT",
    *row("REFRESHD_CONFIG", "The configuration file, if there is no --config."),
    *row_raw(
        f"{bold('REFRESHD_')}{italic('KEY')}",
        f"A key of {bold('refreshd.yaml')}(5), which describes how such names are formed."),
    *row("STATE_DIRECTORY", "If the configuration has no key and no folder for snapshots, the daemon creates and "
         "stores the key of snapshots in this folder. systemd sets this variable."),
    *row("LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES", "Sockets that systemd passes. The daemon serves them instead of the "
         "configured addresses. Sockets with the name admin are for operators, all others are for clients."),
    *row(
        "NOTIFY_SOCKET, WATCHDOG_USEC",
        "The socket on which the daemon reports to systemd that it is ready, reloading, stopping or alive, and the "
        "longest interval between two reports that it is alive."),
]
FILES_OF_REFRESHD = [
    ".SH FILES",
    *row_raw(bold("/etc/refreshd/refreshd.yaml"), f"The configuration with which the systemd service starts; see "
             f"{bold('refreshd.yaml')}(5). Without the service, the command reads only the file that --config or "
             "REFRESHD_CONFIG names."),
    *row("/var/lib/refreshd/snapshot.key", "The key with which the service encrypts snapshots of sessions. With it, "
         "clients can resume their sessions after a restart."),
    *row("/var/lib/dpkg/status", "The packages of this machine, which the demo lists."),
    *row(DOCUMENTS, "The documentation. Other texts call this folder docs/."),
    ".SH EXAMPLES", "The demo, on a free port:", *example("refreshd --listen 127.0.0.1:0"),
    ".PP", "Validate a configuration before the service reloads it:",
    *example("refreshd check-config --config /etc/refreshd/refreshd.yaml &&\n    systemctl reload refreshd"),
    ".SH SEE ALSO", f"{bold('refreshd.yaml')}(5), {bold('refresh-probe')}(1)",
]


def refresh_probe(tool):
    """Returns the page refresh-probe(1)."""
    lines = [
        *head("refresh-probe", 1, "User Commands"),
        ".SH NAME", f"refresh\\-probe \\- {escaped(lowered(tool['abstract']))}",
        ".SH SYNOPSIS", ".B refresh\\-probe", "\\fIcommand\\fR [\\fIoption\\fR ...]",
        ".SH DESCRIPTION", *paragraphs(tool["discussion"], without="Exit status"), ".SH COMMANDS"]
    for command in commands(tool):
        lines += command_lines([tool["commandName"]], [command])
    lines += [
        ".SH EXIT STATUS",
        "All commands use these exit statuses. The section of each command states what they mean for that command."]
    for status, when in table(PROBE, "Exit statuses", "status"):
        lines += row(status, sentence(when))
    lines += [
        ".SH ENVIRONMENT",
        *row(
            "NO_COLOR", "If it is set and not empty, output has no colours. Output that does not go to a terminal "
            "never has colours."),
        *row("TERM", "If it is dumb, output has no colours."),
        ".SH FILES", *row(DOCUMENTS, "The documentation. Other texts call this folder docs/."),
        ".SH EXAMPLES", "Draw a pull and a refresh of a recorded session:",
        *example("refresh-probe plot session SESSION.jsonl --out session.html"),
        ".PP", "Test whether a server follows the protocol:",
        *example("refresh-probe conform --url ws://127.0.0.1:8080/v1/session"),
        ".SH SEE ALSO", f"{bold('refreshd')}(8)"]
    return "\n".join(lines) + "\n"


def command_lines(path, alike):
    """Describes one command, or several commands that differ only in their names."""
    command = alike[0]
    names = " | ".join(one["commandName"] for one in alike)
    lines = [f".SS {escaped(' '.join(path))} {escaped(names)}"]
    arguments = shown(command)
    inner = commands(command)
    if not inner:
        lines += [".HP 4", bold(" ".join([*path, names]))]
        lines += [word(argument) for argument in sorted(arguments, key=lambda a: a["kind"] == "positional")]
        lines.append(".PP")
    for one in alike:
        lines += [escaped(one["abstract"])] if one is command else [".br", escaped(one["abstract"])]
    for argument in arguments:
        lines += option(argument)
    if command.get("discussion"):
        lines += [".PP", *paragraphs(command["discussion"])]
    if command.get("defaultSubcommand"):
        lines += [".PP", f"The word {escaped(command['defaultSubcommand'])} may be omitted."]
    while inner:
        first = inner[0]
        group = [one for one in inner if sameness(one) == sameness(first)]
        lines += command_lines([*path, command["commandName"]], group)
        inner = [one for one in inner if one not in group]
    return lines


def sameness(command):
    return command["arguments"], command.get("discussion"), command.get("subcommands")


def commands(tool):
    return [
        command for command in tool.get("subcommands", ())
        if command["shouldDisplay"] and command["commandName"] != "help"]


def shown(command):
    return [
        argument for argument in command["arguments"]
        if argument["shouldDisplay"] and argument["valueName"] not in HIDDEN]


def option(argument):
    """Describes an option."""
    text, bracket, default = argument.get("abstract", "").partition(" (default: ")
    parts = [text, argument.get("discussion", "")]
    if argument.get("allValues"):
        parts.append(f"One of {', '.join(argument['allValues'])}.")
    if not bracket and argument.get("defaultValue") and argument["kind"] != "flag":
        bracket, default = " (default: ", f"{argument['defaultValue']})"
    return row_raw(label(argument), escaped(" ".join(" ".join([*parts, bracket + default]).split())))


def word(argument):
    """Formats an argument for a usage line. The line must not be broken inside the argument."""
    text = label(argument, names=1).replace(" ", "\\ ")
    if argument["parsingStrategy"] == "postTerminator":
        text = f"{bold('--')}\\ {text}"
    if argument["isRepeating"]:
        text += "\\ ..."
    # The zero-width character prevents dots from ending a sentence.
    return (f"[{text}]" if argument["isOptional"] else text) + "\\&"


def label(argument, names=9):
    value = italic(argument["valueName"])
    if argument["kind"] == "positional":
        return value
    words = [
        bold(("--" if name["kind"] == "long" else "-") + name["name"])
        for name in sorted(argument["names"], key=lambda name: name != argument["preferredName"])]
    text = ", ".join(words[:names])
    return text if argument["kind"] == "flag" else f"{text} {value}"


def lowered(text):
    """Formats a sentence for the line below the heading NAME."""
    return (text[:1].lower() + text[1:]).rstrip(".")


# The configuration

def configuration(schema):
    """Returns the page refreshd.yaml(5)."""
    keys = schema["properties"]
    lines = [
        *head("refreshd.yaml", 5, "File Formats"),
        ".SH NAME", "refreshd.yaml \\- configuration of refreshd",
        ".SH SYNOPSIS", bold("/etc/refreshd/refreshd.yaml"), ".br",
        f"{bold('refreshd --config')} {italic('file')}", *DESCRIPTION, ".SH KEYS"]
    for name, key in keys.items():
        if name not in ("limits", "backends", "feeds"):
            lines += setting(name, key, required=False)
    lines += [
        ".SH LIMITS",
        f"The keys of {bold('limits')}. The values of keys that end with Ms are in milliseconds. The values of keys that "
        "end with BytesMax are in bytes."]
    for name, key in keys["limits"]["properties"].items():
        lines += setting(name, key, required=False)
    lines += feeds(keys["feeds"]["additionalProperties"]["anyOf"])
    return "\n".join(lines + ENVIRONMENT_OF_THE_FILE) + "\n"


DESCRIPTION = [
    ".SH DESCRIPTION",
    "The file is YAML. The daemon reads it at the start, and again at SIGHUP. A file with an error is rejected: every "
    "error is reported with file, line, column and key. An unknown key is an error, and so is a duplicate key. "
    "If the file is empty, every key has its default.",
    ".PP", f"{bold('refreshd check-config')} validates a file. {bold('refreshd print-config')} prints the values in "
    "effect and their sources. Flags override the environment, the environment overrides the file, and the file "
    "overrides the defaults.",
    ".PP", "Relative paths start in the folder of this file. Times are integers in milliseconds.",
]
ENVIRONMENT_OF_THE_FILE = [
    ".SH ENVIRONMENT",
    "A variable can set any key whose value is not a list or a table. The name of the variable is "
    f"{bold('REFRESHD_')} and the key in capitals. If the key is in a table, the name of the table comes before the "
    f"key, with _ between them: {bold('REFRESHD_LOOPS=2')}, {bold('REFRESHD_LOG_LEVEL=debug')}. "
    f"{bold('REFRESHD_LISTEN')} and {bold('REFRESHD_ADMIN')} contain one address, or several addresses with commas "
    f"between them. {bold('REFRESHD_CLUSTER_SERVERS')} contains one server, or several servers with commas between them.",
    ".SH EXAMPLES",
    "A list from an HTTP service, for clients of one web origin:",
    *example(
        "listen: 127.0.0.1:8080\norigins: [https://app.example.org]\nlog: { level: info, format: json }\n"
        "feeds:\n"
        "  orders:\n    backend: http\n    url: \"http://127.0.0.1:9000/orders?page={page}&size={size}\"\n"
        "    paging: page\n    cache: { lifetimeMs: 30000 }"),
    ".PP", "The demo, as without a configuration file:", *example("listen: 127.0.0.1:8080\ndemo: true"),
    ".SH FILES",
    *row(f"{DOCUMENTS}/configuration.md, {DOCUMENTS}/backends.md", "More detail and more examples."),
    ".SH SEE ALSO", f"{bold('refreshd')}(8), {bold('refresh-probe')}(1)",
]


def feeds(sections):
    """Describes the keys of feeds. The keys that more than two kinds of backend share come first, then the other keys
    of each kind.
    """
    kinds = {}
    for section in sections:
        kind = section["properties"]["backend"].get("enum")
        if kind:
            kinds[kind[0]] = section
    names = list(dict.fromkeys(name for section in kinds.values() for name in section["properties"]))
    common = [name for name in names if sum(name in one["properties"] for one in kinds.values()) > 2]
    lines = [
        ".SH FEEDS",
        f"Each key of {bold('feeds')} is the name of a feed. A name has 1 to 64 characters: letters, digits, dots, \\- "
        "and _.",
        ".PP",
        f"Each key of {bold('backends')} is the name of an entry that several feeds can use as their "
        f"{bold('backend')}. A feed inherits from its entry each key that the feed itself does not set. An entry has "
        f"the key {bold('kind')} instead of {bold('backend')}. If a feed uses an entry, the keys {bold('calls')}, "
        f"{bold('queue')}, {bold('retry')} and {bold('breaker')}, and the keys that are listed under Kind exec and "
        "Kind worker, can be set only in the entry.",
        ".SS Keys that more than two kinds of backend share"]
    last = {}
    for name in common:
        having = [kind for kind in kinds if name in kinds[kind]["properties"]]
        key = last[name] = dict(kinds[having[-1]]["properties"][name])
        if name == "backend":
            key["enum"] = list(kinds)
        if name == "paging":
            key["enum"] = kinds["http"]["properties"][name]["enum"]
        lines += setting(name, key, required=name == "backend", but=[kind for kind in kinds if kind not in having])
    for kind, section in kinds.items():
        own = [name for name in section["properties"] if name not in common]
        # A shared key is described again if this kind has another default for it.
        own += [
            name for name in common if name in section["properties"]
            and section["properties"][name].get("default") != last[name].get("default")]
        lines.append(f".SS Kind {kind}")
        lines.append(KINDS[kind])
        for name in own:
            lines += setting(name, section["properties"][name], name in section["required"])
    return lines


KINDS = {
    "demo": "The Debian packages of this machine, or a bundled list if there are none. Pages are requested by page "
            "number (paging: page).",
    "file": "A JSON, JSON Lines or CSV file, which may change at any time.",
    "http": "A service that is called over HTTP.",
    "sqlite": "A SQLite database, opened read-only.",
    "exec": "Programs that the daemon starts. They exchange lines of JSON with the daemon (the line protocol).",
    "worker": "Programs that connect by WebSocket with the token of a worker, or to the bus of the cluster, and use the same "
              "line protocol as exec.",
    "script": "Scripted results of each call, for tests and demonstrations.",
}


def setting(name, key, required, but=None):
    """Describes a key: its values, its meaning and its default."""
    description = sentence(plain(key.get("description", "")))
    if "default" in key:
        description += f" Default: {as_yaml(key['default'])}."
    elif required:
        description += " Required."
    if but:
        description += f" Backends of kind {listed(but)} do not have this key."
    lines = row_raw(f"{bold(name)}: {italic(value(key))}", escaped(description))
    inner = key.get("items", key)
    inner = inner.get("additionalProperties") or inner
    if isinstance(inner, dict) and "properties" in inner:
        lines.append(".RS")
        for part, its in inner["properties"].items():
            lines += setting(part, its, part in inner.get("required", ()))
        lines.append(".RE")
    return lines


def listed(words):
    """Returns the words as a list in a sentence: `a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def value(key):
    """Describes the values of a key in a few words."""
    if "enum" in key:
        return " | ".join(key["enum"])
    if "anyOf" in key:
        return " or ".join(dict.fromkeys(value(one) for one in key["anyOf"]))
    kind = key.get("type")
    if kind in ("integer", "number"):
        return f"{key['minimum']} to {key['maximum']}"
    if kind == "boolean":
        return "true | false"
    if kind == "array":
        return f"list of {value(key['items'])}" if key["items"] else "list"
    if kind == "object":
        return "table" if "properties" in key else "table by name"
    return "text" if kind == "string" else "anything"


def as_yaml(default):
    if isinstance(default, bool):
        return "true" if default else "false"
    return "none" if default == [] else str(default)
