"""Reads the contract from docs/messages.schema.json, the tables of docs/protocol.md and docs/coming-back.md, and the version of the tree."""

import json
import re
import subprocess

from generate_clients import names, tables
from generate_clients.contract import (
    Array, Constant, Contract, Enumeration, Field, Mapping, Message, Part, Scalar, Structure, Tuple, Word, united)
from generate_clients.errors import ContractError

__all__ = ["ContractError", "read"]

SENDERS = ("client", "daemon")
# Keywords that only limit the length or the text of a value. They do not change its type.
IGNORED = {"minLength", "maxLength", "pattern", "minItems", "maxItems", "propertyNames", "description", "$comment"}
KNOWN = IGNORED | {
    "type", "const", "enum", "anyOf", "$ref", "properties", "required", "items", "prefixItems", "additionalProperties",
    "minimum", "maximum", "exclusiveMinimum"}


def read(root):
    """Returns the contract of the tree in this folder. Raises ContractError if a part is missing or unknown."""
    schema = json.loads((root / "docs/messages.schema.json").read_text())
    page = (root / "docs/protocol.md").read_text()
    returning = (root / "docs/coming-back.md").read_text()
    version = subprocess.run([root / "scripts/version"], check=True, capture_output=True, text=True).stdout.strip()
    parts = SchemaReader(schema["$defs"])
    messages = {sender: parts.messages(sender) for sender in SENDERS}
    profiles, options = tables.profiles(page)
    welcome = next(message for message in messages["daemon"] if message.type == "welcome")
    protocol = next(field.type.value for field in welcome.fields if field.name == "protocol")
    sent = {field.name for one in parts.structures.values() if one.name == "Limits" for field in one.fields}
    return Contract(
        version=version, protocol=protocol, subprotocol=f"refresh.v{protocol}",
        client_messages=messages["client"], daemon_messages=messages["daemon"],
        structures=tuple(parts.structures.values()), enumerations=parts.sorted_enumerations(),
        profiles=profiles, profile_options=options, features=tables.features(page), faults=tables.faults(page),
        diagnostics=tables.diagnostics(page), closes=tables.closes(page), limits=tables.limits(page, sent),
        meanings=tables.meanings(page, returning))


def pascal(name):
    return name[0].upper() + name[1:]


def text_of(doc):
    return re.sub(r"\s+", " ", doc)


def enumerated(place, schema):
    """Yields each place below a schema that has an enumeration, with the values."""
    if not isinstance(schema, dict):
        return
    if "enum" in schema:
        yield place, schema["enum"]
    for one in schema.get("anyOf", []):
        yield from enumerated(place, one)
    for name, one in schema.get("properties", {}).items():
        yield from enumerated(f"{place}.{name}", one)
    yield from enumerated(f"{place}[]", schema.get("items"))
    yield from enumerated(f"{place}{{}}", schema.get("additionalProperties"))
    for index, one in enumerate(schema.get("prefixItems", [])):
        yield from enumerated(f"{place}({index})", one)


class SchemaReader:
    """Reads the definitions of the schema. The enumerations and structures that it meets are collected."""

    def __init__(self, definitions):
        self.definitions = definitions
        self.structures = {}
        self.enumerations = {}
        self.named_places = {place: name for name, (place, _) in names.ENUMERATIONS.items()}
        self.names_by_values = {}
        for name, schema in definitions.items():
            for place, values in enumerated(name, schema):
                if place in self.named_places:
                    self.names_by_values.setdefault(tuple(values), self.named_places[place])

    def messages(self, sender):
        found = []
        for name, schema in self.definitions.items():
            prefix, _, kind = name.partition(".")
            if prefix == sender and kind not in ("message", "frame"):
                discriminator = ("phase", "LoadPhase") if name == "daemon.loading" else None
                found.append(Message(
                    pascal(kind), text_of(schema.get("description", "")), self.forms(name, schema), sender, kind,
                    discriminator=discriminator))
        return tuple(found)

    def sorted_enumerations(self):
        unused = [name for name in names.ENUMERATIONS if name not in self.enumerations]
        if unused:
            raise ContractError(f"names.py has enumerations that do not occur in the schema: {', '.join(unused)}")
        return tuple(self.enumerations[name] for name in names.ENUMERATIONS)

    def forms(self, place, schema):
        """Returns the forms of an object, each as a tuple of fields."""
        schemas = schema["anyOf"] if "anyOf" in schema else [schema]
        forms = tuple(self.fields(place, one) for one in schemas)
        if place == "daemon.loading":
            phases = [field.type.value for form in forms for field in form if field.name == "phase"]
            self.declare("LoadPhase", phases)
        return forms

    def fields(self, place, schema):
        required = schema.get("required", ())
        return tuple(
            Field(name, self.type(f"{place}.{name}", member), text_of(self.doc(member)), name in required)
            for name, member in schema["properties"].items() if member is not False)

    def doc(self, schema):
        """Returns the description of a member, or else of the definition that it refers to."""
        if "description" in schema or "$ref" not in schema:
            return schema.get("description", "")
        return self.definitions[schema["$ref"].rpartition("/")[2]].get("description", "")

    def type(self, place, schema):
        """Returns the type of a value, by its place in the schema."""
        if schema is True or not set(schema) - {"description"}:
            return Scalar("any")
        unknown = set(schema) - KNOWN
        if unknown:
            raise ContractError(f"{place}: the reader does not know the keyword {min(unknown)}")
        if "$ref" in schema:
            return self.reference(schema["$ref"].rpartition("/")[2])
        if "const" in schema:
            return Constant(schema["const"])
        if "enum" in schema:
            return Word(self.enumeration(place, schema["enum"]))
        if "anyOf" in schema:
            return self.union(place, schema)
        if schema["type"] == "array":
            if "prefixItems" in schema:
                items = schema["prefixItems"]
                return Tuple(tuple(self.type(f"{place}({index})", one) for index, one in enumerate(items)))
            return Array(self.type(f"{place}[]", schema["items"]))
        if schema["type"] == "object":
            return self.object(place, schema)
        return Scalar(
            schema["type"], schema.get("minimum"), schema.get("maximum"), schema.get("exclusiveMinimum"),
            self.limit(schema.get("$comment")))

    @staticmethod
    def limit(comment):
        found = re.fullmatch(r"bounded by the limit (\w+) of welcome", comment or "")
        return found[1] if found else None

    def union(self, place, schema):
        is_object = all(one.get("type") == "object" for one in schema["anyOf"])
        if is_object:
            return self.object(place, schema)
        return united([self.type(place, one) for one in schema["anyOf"]])

    def object(self, place, schema):
        if "additionalProperties" in schema:
            return Mapping(self.type(f"{place}{{}}", schema["additionalProperties"]))
        if place not in names.STRUCTURES:
            raise ContractError(f"{place} has no name: add one to STRUCTURES in scripts/generate_clients/names.py")
        name, doc = names.STRUCTURES[place]
        if name not in self.structures:
            self.structures[name] = None  # keeps the place in the order
            self.structures[name] = Structure(name, doc, self.forms(place, schema))
        return Part(name)

    def reference(self, name):
        schema = self.definitions[name]
        is_object = "properties" in schema or all(
            one.get("type") == "object" for one in schema.get("anyOf", [{}]))
        if not is_object:
            return self.type(name, schema)
        named = pascal(name)
        if named not in self.structures:
            self.structures[named] = None
            self.structures[named] = Structure(named, text_of(schema.get("description", "")), self.forms(name, schema))
        return Part(named)

    def enumeration(self, place, values):
        """Returns the name of the enumeration at this place, and declares the enumeration."""
        name = self.named_places.get(place) or self.names_by_values.get(tuple(values))
        if name is None:
            raise ContractError(
                f"{place} has no name: add one to ENUMERATIONS in scripts/generate_clients/names.py")
        self.declare(name, values)
        return name

    def declare(self, name, values):
        doc = names.ENUMERATIONS[name][1]
        declared = self.enumerations.setdefault(name, Enumeration(name, doc, tuple(values)))
        if name in names.SPREAD:
            united = tuple(dict.fromkeys(declared.values + tuple(values)))
            self.enumerations[name] = Enumeration(name, doc, united)
            return
        if declared.values != tuple(values):
            raise ContractError(f"{name} has different values at different places")
