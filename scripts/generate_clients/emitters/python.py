"""Writes clients/python/refreshd/protocol.py: typed dictionaries, literals and tables for Python 3.11 and newer."""

import keyword
import re

from generate_clients import option_texts
from generate_clients.contract import (
    NOTICE, Array, Constant, Mapping, Nullable, OneOf, Part, Scalar, Tuple, Word, sentence, wrapped)

PATH = "clients/python/refreshd/protocol.py"
COLUMNS = 100
SCALARS = {
    "any": "Any", "boolean": "bool", "number": "float", "integer": "int", "string": "str", "null": "None"}
HEAD = '''"""The types and tables of refresh.v1.

A message is a dictionary with the members of docs/protocol.md, in its spelling. Lengths are points, times are ms, and
velocities are points per second. A client ignores members and words that it does not know: newer daemons may add some.
"""

from typing import Any, Literal, NamedTuple, Required, TypedDict
'''
# For a structure whose remaining members are the options of a call: the name of these options, their meaning, and the
# members of the structure that are arguments of their own.
OPTIONS = {"AttachBody": ("AttachOptions", "The options of a view.", ("view", "profile"))}
RECORDS = '''

class Fault(NamedTuple):
    """What docs/protocol.md states about the code of an `error`."""

    message: str
    advice: str
    is_temporary: bool
    closes: int | None
    """The close code of the connection that ends with this fault."""


class Close(NamedTuple):
    """What docs/protocol.md states about a close code."""

    meaning: str
    advice: str
    action: Literal["end", "stop", "reconnect", "reconnectAtOnce"]
    """What a client does next."""


class Diagnostic(NamedTuple):
    """What docs/protocol.md states about the code of a `diagnostic`."""

    message: str
    advice: str


class Profile(NamedTuple):
    """The default values of the options of one profile, by name."""

    refresh: dict[str, Any]
    loadMore: dict[str, Any]  # noqa: N815: the role's name
    view: dict[str, Any]

'''


def files(contract):
    """Returns the text of the module, by its path."""
    return {PATH: "\n".join([f"# {NOTICE}", HEAD.rstrip(), "", *constants(contract), *declarations(contract)]) + "\n"}


def constants(contract):
    yield f"VERSION = {quoted(contract.version)}"
    yield '"""The version of the daemon with which this package was generated."""'
    yield f"PROTOCOL = {contract.protocol}"
    yield f"SUBPROTOCOL = {quoted(contract.subprotocol)}"


def declarations(contract):
    for one in contract.enumerations:
        yield from literal(one.name, one.values, one.doc, contract.meanings.get(one.name))
    yield from literal("Feature", [one.name for one in contract.features], "A feature that a client can use.")
    yield from literal("ProfileName", contract.profiles, "A built-in profile.")
    texts = option_texts.read()
    for one in contract.structures:
        yield from dictionary(one.name, one, texts.get(one.name, {}), option_texts.NULLS.get(one.name, {}))
    for sender, messages in (("Client", contract.client_messages), ("Daemon", contract.daemon_messages)):
        for one in messages:
            yield from dictionary(f"{sender}{one.name}", one)
        names = [f"{sender}{one.name}" for one in messages]
        yield ""
        yield f"{sender}Message = ("
        yield from wrapped(" | ".join(names), "    ", COLUMNS)
        yield ")"
        yield f'"""Any message of the {sender.lower()}."""'
    yield RECORDS.rstrip() + "\n"
    yield from tables(contract)


def literal(name, values, doc, meanings=None):
    yield ""
    yield from joined(f"{name} = Literal[", [quoted(value) for value in values], "]")
    if not meanings:
        yield from docstring(doc, "")
        return
    yield f'"""{sentence(doc)}'
    yield ""
    for value in values:
        yield from wrapped(f"`{value}`: {sentence(meanings[value])}", "  ", COLUMNS, first="- ")
    yield '"""'


def joined(head, parts, tail, indent=""):
    """Returns a line with the parts, or several lines if one is too long."""
    line = f"{indent}{head}{', '.join(parts)}{tail}"
    if len(line) <= COLUMNS:
        return [line]
    return [f"{indent}{head}", *packed(parts, f"{indent}    "), f"{indent}{tail}"]


def packed(parts, indent):
    """Returns lines that have as many whole parts as fit, each with a comma."""
    lines = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= COLUMNS:
            lines[-1] += f" {part},"
        else:
            lines.append(f"{indent}{part},")
    return lines


def docstring(text, indent):
    text = sentence(text).replace("\\", "\\\\")
    line = f'{indent}"""{text}"""'
    if len(line) <= COLUMNS:
        return [line]
    first, *rest = wrapped(text, indent, COLUMNS - 3, first=f'{indent}"""')
    return [first, *rest, f'{indent}"""']


def dictionary(name, structure, texts=None, nulls=None):
    """Returns the lines of a typed dictionary. A name that is a keyword needs the functional form. `texts` has the
    meanings of members that the schema does not describe, and `nulls` the meanings of None, by member.
    """
    fields = structure.fields
    base = "TypedDict"
    if name in OPTIONS:
        base, doc, own = OPTIONS[name]
        yield from typed_class(base, "TypedDict", doc, [field for field in fields if field.name not in own])
        fields = [field for field in fields if field.name in own]
    yield ""
    yield ""
    if any(keyword.iskeyword(field.name) for field in fields):
        yield f"{name} = TypedDict({quoted(name)}, {{"
        for field in fields:
            yield from comment(field.doc)
            yield f"    {quoted(field.name)}: {annotation(field)},"
        yield "}, total=False)"
        yield from docstring(structure.doc, "")
        return
    yield from typed_class(name, base, structure.doc, fields, texts, nulls, blank=False)


def typed_class(name, base, doc, fields, texts=None, nulls=None, *, blank=True):
    if blank:
        yield from ("", "")
    yield f"class {name}({base}, total=False):"
    yield from docstring(doc, "    ")
    yield ""
    for field in fields:
        yield from comment(field.doc or meaning((texts or {}).get(field.name), (nulls or {}).get(field.name)))
        yield f"    {field.name}: {annotation(field)}"


def meaning(text, null):
    """Returns the meaning of a member without the links of its Markdown, and what None means."""
    if not text:
        return None
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return f"{plain}; None: {null}" if null and "`null`" not in plain else plain


def comment(doc):
    return wrapped(sentence(doc), "    # ", COLUMNS) if doc else []


def annotation(field):
    text = type_name(field.type)
    return f"Required[{text}]" if field.is_required else text


def type_name(kind):
    match kind:
        case Scalar():
            return SCALARS[kind.kind]
        case Constant():
            return "None" if kind.value is None else f"Literal[{constant(kind.value)}]"
        case Word():
            return kind.enumeration
        case Part():
            return quoted(kind.structure)
        case Nullable():
            inner = type_name(kind.of)
            return inner[:-1] + ' | None"' if inner.endswith('"') and inner.count('"') == 2 else f"{inner} | None"
        case Array():
            return f"list[{type_name(kind.of)}]"
        case Tuple():
            # JSON has no tuples: an array of several kinds of numbers is a list of numbers.
            return f"list[{united(kind.items)}]"
        case Mapping():
            return f"dict[str, {type_name(kind.of)}]"
        case OneOf():
            return united(kind.types)
    raise TypeError(kind)


def united(types):
    names = list(dict.fromkeys("float" if number(one) else type_name(one) for one in types))
    text = " | ".join(name.strip('"') for name in names)
    return f'"{text}"' if any(name.startswith('"') for name in names) else text


def number(kind):
    return isinstance(kind, Constant) and isinstance(kind.value, (int, float)) and not isinstance(kind.value, bool)


def tables(contract):
    yield "FAULTS: dict[str, Fault] = {"
    for one in contract.faults:
        yield from record(one.code, "Fault", [one.message, one.advice, one.is_temporary, one.closes])
    yield "}"
    yield "CLOSES: dict[int, Close] = {"
    for one in contract.closes:
        yield from record(one.code, "Close", [one.meaning, one.advice, one.action])
    yield "}"
    yield "DIAGNOSTICS: dict[str, Diagnostic] = {"
    for one in contract.diagnostics:
        yield from record(one.code, "Diagnostic", [one.message, one.advice])
    yield "}"
    yield "LIMITS: dict[str, int] = {"
    for one in contract.limits:
        yield f"    {quoted(one.name)}: {one.default},  # {one.doc}" if len(one.doc) < 60 else (
            f"    {quoted(one.name)}: {one.default},")
    yield "}"
    yield '"""The default limits of the daemon. `welcome` has those in force."""'
    yield "PROFILES: dict[str, Profile] = {"
    for name in contract.profiles:
        yield f"    {quoted(name)}: Profile("
        for group in ("refresh", "loadMore", "view"):
            values = [
                f"{quoted(one.name)}: {constant(one.values[name])}" for one in contract.profile_options
                if one.group == group]
            yield f"        {group}={{"
            yield from packed(values, "            ")
            yield "        },"
        yield "    ),"
    yield "}"


def record(key, kind, values):
    values = [plain(constant(value)) for value in values]
    line = f"    {constant(key)}: {kind}({', '.join(values)}),"
    if len(line) <= COLUMNS:
        return [line]
    return [f"    {constant(key)}: {kind}(", *(line for value in values for line in argument(value)), "    ),"]


def argument(value):
    """Returns the lines of an argument. A long text is divided into texts that Python joins."""
    line = f"        {value},"
    if len(line) <= COLUMNS:
        return [line]
    pieces = wrapped(value[1:-1], "", COLUMNS - 12)
    return [
        *(f'        "{piece} "' for piece in pieces[:-1]),
        f'        "{pieces[-1]}",']


def plain(text):
    return re.sub(r"\s+", " ", text)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def constant(value):
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(constant(one) for one in value) + "]"
    return repr(value)
