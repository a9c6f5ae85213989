"""Draws the state diagrams of the pages with Graphviz, when the site is built.

The pages describe them in a part of Mermaid's language, which GitHub draws. Mermaid itself is a library of JavaScript.
The theme would fetch it from another host.
"""

import html
import logging
import re
import subprocess

TRANSITION = re.compile(r"^(\[\*\]|\w+) --> (\w+)(?:: (.+))?$")
# The length in characters at which the lines of a label are wrapped.
LABEL = 18

log = logging.getLogger("mkdocs.hooks.site")


def fence(source, language, css_class, options, md, **_):
    """Returns the HTML of a fenced block."""
    try:
        picture = drawn(dot(source))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        log.warning("A diagram cannot be drawn: %s", error)
        picture = f"<pre><code>{html.escape(source)}</code></pre>"
    return f'<div class="{css_class}">{picture}</div>'


def dot(source):
    """Returns a state diagram in the language of Graphviz. Raises ValueError for a line that is no transition."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    if lines[:1] != ["stateDiagram-v2"]:
        raise ValueError("only stateDiagram-v2 is supported")
    edges, states = [], []
    for line in lines[1:]:
        found = TRANSITION.match(line)
        if not found:
            raise ValueError(f"this line is no transition: {line}")
        states += [state for state in found.group(1, 2) if state != "[*]" and state not in states]
        start = "start" if found[1] == "[*]" else found[1]
        edges.append(f'{start} -> {found[2]} [label="{label(found[3] or "")}"]')
    return "\n".join([
        "digraph {", 'rankdir=TB; bgcolor="transparent"',
        'node [shape=box, style="rounded,filled", class=state, fontname="sans-serif", fontsize=13, height=0.4]',
        'edge [class=transition, fontname="sans-serif", fontsize=11, arrowsize=0.6]',
        'start [shape=point, class=start, width=0.14, label=""]', *states, *edges, "}"])


def label(text):
    """Returns the label of a transition. Its lines end after a comma."""
    lines = [""]
    for word in text.split(", "):
        joined = f"{lines[-1]}, {word}" if lines[-1] else word
        if len(joined) <= LABEL:
            lines[-1] = joined
        else:
            lines[-1] += ","
            lines.append(word)
    return "\\n".join(lines).lstrip(",\\n") if text else ""


def drawn(text):
    """Returns an SVG element. Its colours are those of docs/site/theme/stylesheets/site.css."""
    svg = subprocess.run(["dot", "-Tsvg"], input=text, check=True, capture_output=True, text=True).stdout
    svg = svg[svg.index("<svg"):]
    # The names of the states are in the texts. Browsers would show the titles "a->b" beside the pointer.
    svg = re.sub(r"<title>.*?</title>\n?|<!--.*?-->\n?", "", svg)
    # Graphviz counts in points of print. One of them becomes one CSS pixel, so that texts have the size of code.
    svg = re.sub(r'(width|height)="(\d+)pt"', r'\1="\2"', svg)
    return re.sub(r"\n\s*\n", "\n", svg).replace("<svg ", '<svg role="img" ', 1)
