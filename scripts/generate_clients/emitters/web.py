"""Writes the types of the web client, as JSDoc typedefs for editors and for the TypeScript compiler."""

import json
import re

from generate_clients.contract import (
    NOTICE, Array, Constant, Mapping, Nullable, OneOf, Part, Scalar, Tuple, Word, sentence, wrapped)

FILE = "clients/web/protocol-types.js"
COLUMNS = 115
SCALARS = {"any": "any", "boolean": "boolean", "number": "number", "integer": "number", "string": "string", "null": "null"}


def files(contract):
    parts = [
        f"// {NOTICE}",
        "//\n// This file has types only. A message that a client sends has the type `Sent…`, and a message that it\n"
        "// receives has the type `Received…`.",
        "export {};",
        union("ProfileName", "The name of a profile.", contract.profiles),
        union("FeatureName", "The name of a feature.", [feature.name for feature in contract.features]),
    ]
    parts += [union(one.name, one.doc, one.values) for one in contract.enumerations]
    parts += [structure(one.name, one) for one in contract.structures]
    parts += [structure(f"Sent{one.name}", one) for one in contract.client_messages]
    parts += [structure(f"Received{one.name}", one) for one in contract.daemon_messages]
    parts += [
        union_of("SentMessage", "A message that a client sends.", [f"Sent{one.name}" for one in contract.client_messages]),
        union_of(
            "ReceivedMessage", "A message that a client receives.",
            [f"Received{one.name}" for one in contract.daemon_messages]),
    ]
    return {FILE: "\n\n".join(parts).replace("\n\n//\n", "\n//\n") + "\n"}


def union(name, doc, values):
    return union_of(name, doc, [json.dumps(value) for value in values])


def union_of(name, doc, types):
    lines = wrapped(" | ".join(types), " *   ", COLUMNS)
    text = ["/**", *described(doc), " * @typedef {("] + lines + [f" * )}} {name}", " */"]
    return "\n".join(text)


def structure(name, declared):
    lines = ["/**", *described(declared.doc), f" * @typedef {{object}} {name}"]
    for field in declared.fields:
        head = f" * @property {{{type_text(field.type)}}} {field.name if field.is_required else f'[{field.name}]'}"
        doc = plain(field.doc)
        if doc:
            lines += [head, *wrapped(doc, " *   ", COLUMNS)]
        else:
            lines.append(head)
    return "\n".join([*lines, " */"])


def described(doc):
    """Returns the lines of a description with an empty line after them, or none without a description."""
    return [*wrapped(plain(doc), " * ", COLUMNS), " *"] if doc.strip() else []


def plain(doc):
    """Returns a text as a sentence without links, which would lead nowhere from this file."""
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", sentence(doc)).replace("*/", "* /").replace("@", "\\@")


def type_text(value):
    match value:
        case Scalar():
            return SCALARS[value.kind]
        case Constant():
            return json.dumps(value.value)
        case Word():
            return value.enumeration
        case Part():
            return value.structure
        case Nullable():
            return f"{type_text(value.of)} | null"
        case Array():
            inner = type_text(value.of)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case Tuple():
            return f"[{', '.join(map(type_text, value.items))}]"
        case Mapping():
            return f"Record<string, {type_text(value.of)}>"
        case OneOf():
            return " | ".join(map(type_text, value.types))
    raise TypeError(f"the type {value!r} has no JSDoc type")
