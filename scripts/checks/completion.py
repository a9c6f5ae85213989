"""Tests the completions in each shell: which words does the shell offer at the end of a line?"""

import os
import pathlib
import pty
import select
import shlex
import signal
import subprocess
import tempfile
import time

SECONDS = 60
FOLDER = pathlib.Path("packaging/completions")
SHELLS = ("bash", "zsh", "fish")
# The file names that each shell's folder of completions requires.
NAMES = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}

# For each case: a line, the words that must be offered at its end, and those that must not. FILES exist in the
# shell's folder.
FILES = ("mine.json", "pull.jsonl", "refreshd.yaml", "notes.txt", "folder/inner.json", "folder/inner.txt")
CASES = (
    ("refresh-probe ", "run conform load replay watch plot explain", "sheet"),
    ("refresh-probe pl", "plot", "run"),
    ("refresh-probe plot ", "sheet session spinner indicator path letters compass", "run"),
    ("refresh-probe plot sp", "spinner", "sheet session"),
    ("refresh-probe plot spinner --", "--out --language --dark --json", "--width"),
    ("refresh-probe plot sheet ", "spinner compass mine.json folder/", "notes.txt pull.jsonl"),
    ("refresh-probe plot sheet sp", "spinner", "mine.json compass"),
    ("refresh-probe plot sheet folder/", "folder/inner.json", "folder/inner.txt spinner"),
    ("refresh-probe plot session ", "pull.jsonl", "notes.txt mine.json"),
    ("refresh-probe plot session --", "--width", "--language"),
    ("refresh-probe explain slow", "slowClient", "idleClient"),
    ("refresh-probe conform --group p", "pull paging physics", "session"),
    ("refresh-probe replay ", "pull.jsonl", "notes.txt"),
    ("refreshd ", "check-config print-config", "trace"),
    ("refreshd --lo", "--loops --log-level --log-format", "--listen"),
    ("refreshd --log-level ", "trace debug info notice warning error critical", "text"),
    ("refreshd --log-format ", "text json", "trace"),
    ("refreshd --config ", "refreshd.yaml", "notes.txt mine.json"),
    ("refreshd --journal ", "folder", "notes.txt"),
    ("refreshd check-config --config ", "refreshd.yaml", "notes.txt"),
    ("refreshd print-config --s", "--schema --show-secrets", "--listen"),
)


def script_path(tool, shell):
    return FOLDER / NAMES[shell].format(tool)


def run(part, shell, binaries):
    """Compares the words that one shell offers with the cases. `binaries` is the folder of the commands."""
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text("")
        environment = {
            "PATH": f"{pathlib.Path(binaries).resolve()}:/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8",
            "TERM": "dumb", "XDG_CONFIG_HOME": folder + "/none", "XDG_DATA_HOME": folder + "/none"}
        for line, wanted, unwanted in CASES:
            offered = OFFERED_BY[shell](line, script_path(line.split()[0], shell).resolve(), folder, environment)
            # Some shells offer a folder with a trailing slash, and others without it.
            words = {word.strip().rstrip("/") for word in offered}
            missing = [word for word in wanted.split() if word.rstrip("/") not in words]
            surplus = [word for word in unwanted.split() if word.rstrip("/") in words]
            if missing or surplus:
                part.failed(
                    f"{shell}: {line}", f"missing {missing}, too much {surplus}; offered {sorted(words)}")
            else:
                part.passed()


def bash(line, path, folder, environment):
    """Calls the function that `complete` names, as readline does."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    tool = words[0]
    quoted = " ".join(map(shlex.quote, words))
    program = f"""
        source {shlex.quote(str(path))} || exit
        function=$(complete -p {tool}) && function=${{function##*-F }} && function=${{function%% *}} || exit
        COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1} COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}
        COMPREPLY=()
        "$function" {tool} {shlex.quote(words[-1])} {shlex.quote(words[-2])}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return words_of(["bash", "--norc", "--noprofile", "-c", program], folder, environment)


def words_of(command, folder, environment):
    """Returns the lines that the command prints, or its failure."""
    shown = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS,
        check=False)
    if shown.returncode != 0 or shown.stderr:
        return [f"{command[0]} ended with {shown.returncode}: {shown.stderr}"]
    return [word for word in shown.stdout.split("\n") if word]


ZSHRC = """
PS1='> '
unsetopt zle_bracketed_paste 2>/dev/null
autoload -Uz compinit && compinit -u -D
source %(path)s
# The offered words are written to a file.
compadd() {
    local -a hits
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then
        builtin compadd "$@"
        return
    fi
    builtin compadd -A hits "$@"
    printf '%%s\\n' "${hits[@]}" >>%(out)s
    builtin compadd "$@"
}
finish() { exit }
comppostfuncs=(finish)
bindkey '^I' complete-word
"""


def zsh(line, path, folder, environment):
    """zsh completes only at its prompt, so the line and the key Tab are typed in a terminal."""
    home = pathlib.Path(folder, ".zsh")
    home.mkdir(exist_ok=True)
    out = home / "offered"
    (home / ".zshrc").write_text(ZSHRC % {"path": shlex.quote(str(path)), "out": shlex.quote(str(out))})
    return type_and_read(["zsh", "-i"], line, out, folder, environment | {"ZDOTDIR": str(home)})


FISHRC = """
source %(path)s
function fish_prompt; echo -n '> '; end
function offered; complete -C "$(commandline -c)" >%(out)s; exit; end
bind \\t offered
"""


def fish(line, path, folder, environment):
    """The line is typed in a terminal, because a completion script may query the position of the cursor."""
    out = pathlib.Path(folder, ".fish")
    program = FISHRC % {"path": shlex.quote(str(path)), "out": shlex.quote(str(out))}
    offered = type_and_read(["fish", "--no-config", "-i", "-C", program], line, out, folder, environment)
    return [word.split("\t")[0] for word in offered]


def type_and_read(command, line, out, folder, environment):
    """Types the line and Tab. Returns the content of the file `out`, or if it is empty, the text of the terminal."""
    out.write_text("")
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execvpe(command[0], command, environment)
    try:
        shown_text = read_until(terminal, b"> ")
        os.write(terminal, line.encode() + b"\t")
        shown_text += read_until(terminal, None)
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    return out.read_text().split("\n") if out.read_text() else [shown_text.decode(errors="replace")]


def read_until(terminal, mark):
    """Returns the text of the terminal up to `mark`, or up to the end of the shell."""
    shown_text, deadline = b"", time.monotonic() + SECONDS
    while mark is None or mark not in shown_text:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            break
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the shell has ended
            break
        if not piece:
            break
        shown_text += piece
    return shown_text


OFFERED_BY = {"bash": bash, "zsh": zsh, "fish": fish}
