"""The manual page and the shell completions of refresh-probe, made from its own commands.

`scripts/manual` writes them into packaging/; the part `manual` of scripts/test holds them to the
built tool, and the page to what `man` has to complain of.
"""

import json
import pathlib
import shutil
import subprocess
import sys

PAGE = pathlib.Path("packaging/man/refresh-probe.1")
# By shell; named as its folder of completions wants it.
COMPLETIONS = {
    "bash": pathlib.Path("packaging/completions/refresh-probe.bash"),
    "zsh": pathlib.Path("packaging/completions/_refresh-probe"),
    "fish": pathlib.Path("packaging/completions/refresh-probe.fish"),
}
SECONDS = 60


def run(part, pattern):
    """The part of scripts/test."""
    del pattern
    import swift
    for path, text in made(swift.binary("refresh-probe")):
        if path.is_file() and path.read_text() == text:
            part.passed()
        else:
            part.failed(str(path), "it is old: scripts/manual writes it anew")
    if not shutil.which("man"):
        part.skipped("man", "man (Debian: man-db) is not here")
        return
    shown = subprocess.run(
        ["man", "--warnings", "-l", str(PAGE)], capture_output=True, text=True, timeout=SECONDS,
        env={"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}, check=False)
    whole = all(word in shown.stdout for word in ("NAME", "COMMANDS", "EXIT STATUS", "explain"))
    if shown.returncode == 0 and not shown.stderr and whole:
        part.passed()
    else:
        part.failed("man", f"{shown.stderr}\n(exit status {shown.returncode})")


def made(probe):
    """Each file and what it must hold."""
    tool = json.loads(asked(probe, "--experimental-dump-help"))["command"]
    yield PAGE, page(tool)
    for shell, path in COMPLETIONS.items():
        text = asked(probe, "--generate-completion-script", shell)
        for command in tool["subcommands"]:
            text = with_default(shell, text, tool["commandName"], command)
        yield path, text.rstrip("\n") + "\n"


def with_default(shell, text, tool, command):
    """The script with what may stand in place of a subcommand: the words of the default one, which it leaves out."""
    defaults = [sub for sub in command.get("subcommands", ()) if sub["commandName"] == command.get("defaultSubcommand")]
    words = [
        value for sub in defaults for argument in sub["arguments"][:1] if argument["kind"] == "positional"
        for value in argument.get("completionKind", {}).get("list", {}).get("values", ())]
    if not words:
        return text
    name, subcommands = command["commandName"], [sub["commandName"] for sub in command["subcommands"]]
    if shell == "bash":
        old = f"compgen -W '{' '.join(subcommands)}' --"
        new = f"compgen -W '{' '.join(subcommands + words)}' --"
    elif shell == "zsh":
        last = command["subcommands"][-1]
        old = f"            '{last['commandName']}:{last['abstract']}'\n        )\n"
        new = old.replace("        )\n", "".join(f"            '{word}'\n" for word in words) + "        )\n")
    else:
        old = next(line for line in text.splitlines(True) if f'positional "{tool} {name}" -eq 1' in line)
        new = old.partition(" -fa ")[0] + f" -fa '{' '.join(words)}'\n" + old
    if text.count(old) != 1:
        raise SystemExit(f"the completions of {shell} are of another form: {old}")
    return text.replace(old, new)


def asked(probe, *arguments):
    return subprocess.run(
        [probe, *arguments], capture_output=True, text=True, timeout=SECONDS, check=True).stdout


def page(tool):
    """The page in the macros of man(7)."""
    name = tool["commandName"]
    lines = [
        '.\\" Made by scripts/manual from the tool itself.',
        f'.TH {name.upper()} 1 "" "refreshd" "User Commands"',
        ".SH NAME", f"{escaped(name)} \\- {escaped(lowered(tool['abstract']))}",
        ".SH SYNOPSIS", f".B {escaped(name)}", ".I command", "[\\fIoptions\\fR]",
        ".SH DESCRIPTION"]
    lines += paragraphs(tool.get("discussion", ""), without="Exit status")
    lines.append(".SH COMMANDS")
    for command in tool["subcommands"]:
        if command["shouldDisplay"] and command["commandName"] != "help":
            lines += command_lines(name, command)
    lines += [
        ".SH EXIT STATUS",
        "The same for every command. What it means for one of them stands there.",
        *row("0", "All is as it should be."),
        *row("1", "It is not: a scenario failed, a journal did not replay, a code is unknown."),
        *row("2", "The command line is wrong, or a file cannot be read, parsed or written."),
        *row("3", "The server cannot be reached, refused the connection, or lost it."),
        ".SH ENVIRONMENT",
        *row("NO_COLOR", "If it is set and not empty, nothing is coloured. What does not go to a terminal never is."),
        ".SH SEE ALSO",
        "docs/refresh\\-probe.md and docs/protocol.md of refreshd."]
    return "\n".join(lines) + "\n"


def command_lines(tool, command):
    name = command["commandName"]
    shown = [
        argument for argument in command["arguments"]
        if argument["shouldDisplay"] and argument["valueName"] not in ("help", "version")]
    usage = " ".join(
        word(argument) for argument in sorted(shown, key=lambda a: a["kind"] == "positional"))
    lines = [f".SS {escaped(tool)} {escaped(name)} {usage}".rstrip(), escaped(command["abstract"])]
    for argument in shown:
        lines += row_raw(label(argument), described(argument))
    lines += [".PP", *paragraphs(command.get("discussion", ""))]
    return lines


def word(argument):
    """As in a usage line."""
    text = label(argument)
    if argument["isRepeating"]:
        text += " ..."
    return f"[{text}]" if argument["isOptional"] else text


def label(argument):
    value = f"\\fI{escaped(argument['valueName'])}\\fR"
    if argument["kind"] == "positional":
        return value
    name = argument["preferredName"]
    dashes = "--" if name["kind"] == "long" else "-"
    option = f"\\fB{escaped(dashes + name['name'])}\\fR"
    return option if argument["kind"] == "flag" else f"{option} {value}"


def described(argument):
    text = argument.get("abstract", "")
    default = argument.get("defaultValue")
    if default and argument["kind"] != "flag":
        text += f" (default: {default})"
    return text


def row(name, text):
    return row_raw(f"\\fB{escaped(name)}\\fR", text)


def row_raw(name, text):
    return [".TP", name, escaped(text)]


def paragraphs(text, without=None):
    """A discussion's paragraphs, but for those that begin with `without`."""
    lines = []
    for paragraph in text.split("\n\n"):
        if not paragraph or (without and paragraph.startswith(without)):
            continue
        if lines:
            lines.append(".PP")
        lines.append(escaped(" ".join(paragraph.split())))
    return lines


def lowered(text):
    """A sentence as the name line of a page wants it."""
    return (text[:1].lower() + text[1:]).rstrip(".")


def escaped(text):
    """Plain text for roff: nothing in it is a macro, and dashes can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def main():
    for path, text in made(sys.argv[1]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(path)


if __name__ == "__main__":
    main()
