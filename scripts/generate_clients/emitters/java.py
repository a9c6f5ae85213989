"""Writes the enumerations and the option classes of the JVM client (clients/jvm)."""

import re
import textwrap

from generate_clients import contract as model
from generate_clients import option_texts

FOLDER = "clients/jvm/generated/refreshd/client"
# The enumerations that a client receives. Each of them has a constant for a value that the client does not know.
RECEIVED = (
    "EdgeState", "Cause", "EdgeResult", "FloorState", "FaultCode", "DiagnosticCode", "FreshReason", "ItemsMode",
    "LoadKind", "LoadTrigger", "LoadPhase", "RevealResult", "Haptic", "Announcement", "Curve")
# The enumerations that a client sends, besides those of the options.
SENT = ("Edge", "IntentCause", "ScrollPhase", "PanPhase", "LoadResult")
# The structures that a client sends, with the names of their classes.
OPTIONS = {
    "AttachBody": "ViewOptions", "EdgeOptions": "EdgeOptions", "FloorOptions": "FloorOptions",
    "PagingOptions": "PagingOptions", "PanOptions": "PanOptions", "Geometry": "Geometry", "Size": "Size",
    "Sides": "Sides", "Bars": "Bars", "NavigationBar": "NavigationBar", "SearchBar": "SearchBar", "Anchor": "Anchor"}
UNITS = {"geometryPointsMax": "points", "velocityMax": "points per second"}
BOXES = {"double": "Double", "int": "Integer", "boolean": "Boolean"}
LONGEST_MS = (60_000, 3_600_000)  # the maximum of a number that is a time


def files(contract):
    """Returns the files by their paths."""
    texts = option_texts.read()
    structures = {one.name: one for one in contract.structures}
    sent = list(SENT)
    for name in OPTIONS:
        sent += [word for field in structures[name].fields for word in words(field.type) if word not in sent]
    classes = {}
    for one in contract.enumerations:
        if one.name in RECEIVED or one.name in sent:
            classes[one.name] = enumeration(one, meanings(contract, one.name), one.name in RECEIVED)
    for name, java in OPTIONS.items():
        known = {
            field.name: texts.get(name, {}).get(field.name) or field.doc or documented(contract, field.type)
            for field in structures[name].fields}
        classes[java] = options(java, structures[name], known, option_texts.NULLS.get(name, {}))
    classes["Feature"] = enumeration(
        model.Enumeration("Feature", "A feature of the protocol that a client can name.", tuple(
            one.name for one in contract.features if one.name)),
        {one.name: one.doc for one in contract.features}, False)
    classes["Limits"] = limits(contract)
    classes["ProtocolVersion"] = version(contract)
    return {f"{FOLDER}/{name}.java": f"// {model.NOTICE.replace(' Do not edit.', '')}\n// Do not edit.\n"
            f"package refreshd.client;\n\n{text}" for name, text in classes.items()}


def documented(contract, type):
    """Returns what an enumeration is, as the meaning of a member of this type."""
    names = words(type)
    return next((one.doc for one in contract.enumerations if one.name in names), "")


def words(type):
    """Returns the names of the enumerations in a type."""
    if isinstance(type, (model.Nullable, model.Array)):
        return words(type.of)
    return [type.enumeration] if isinstance(type, model.Word) else []


def meanings(contract, name):
    """Returns the meanings of the values of an enumeration, as far as the contract has them."""
    rows = {"FaultCode": contract.faults, "DiagnosticCode": contract.diagnostics}.get(name, ())
    return contract.meanings.get(name) or {row.code: row.message for row in rows}


# Texts

def javadoc(text):
    """Returns Markdown as the text of a Javadoc comment."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)  # a link to another section
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    return re.sub(r"`([^`]*)`", lambda code: "{@code " + code[1].replace(',"', ', "') + "}", text)


def comment(paragraphs):
    """Returns the lines of a Javadoc comment: the text, and then the tags."""
    if len(paragraphs) == 1 and len(paragraphs[0]) <= 89:
        return [f"/** {paragraphs[0]} */"]
    lines = ["/**"]
    for number, one in enumerate(paragraphs):
        if number == 1:
            lines.append(" *")
        lines += model.wrapped(one, " *     " if one.startswith("@") else " * ", 96, " * ")
    return [*lines, " */"]


def indented(lines):
    return [f"    {line}" if line else "" for line in lines]


def uncapitalized(text):
    return text if text[:1] in "`{" or text[1:2].isupper() else text[:1].lower() + text[1:]


# Enumerations

def constant(name):
    """Returns the name of a Java constant: `NO_MORE` for `noMore`, `MALFORMED_JSON` for `malformedJSON`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


def enumeration(one, texts, is_received):
    lines = [*comment([javadoc(one.doc)]), f"public enum {one.name} implements WireName {{"]
    for number, value in enumerate(one.values):
        meaning = f": {javadoc(uncapitalized(model.sentence(texts[value])))}" if texts.get(value) else "."
        is_last = number == len(one.values) - 1 and not is_received
        lines += indented([
            *comment([f"{{@code {value}}}{meaning}"]), f'{constant(value)}("{value}"){";" if is_last else ","}', ""])
    if is_received:
        lines += indented(["/** A value that this version of the client does not know. */", 'UNKNOWN("");', ""])
    lines += indented(textwrap.dedent(f"""\
        private final String wireName;

        {one.name}(String wireName) {{
            this.wireName = wireName;
        }}

        @Override
        public String wireName() {{
            return wireName;
        }}
        """).splitlines())
    if is_received or one.name == "Edge":
        absent = "UNKNOWN" if is_received else "null"
        lines += ["", *indented(textwrap.dedent(f"""\
            /** Returns the constant of a string; {absent} if there is none. */
            static {'' if is_received else '@Nullable '}{one.name} of(@Nullable String wireName) {{
                for ({one.name} one : values()) {{
                    if (one.wireName.equals(wireName)) {{
                        return one;
                    }}
                }}
                return {absent};
            }}
            """).splitlines())]
    return "\n".join([*lines, "}", ""])


# Option classes

class Member:
    """A member of an option class, as Java."""

    def __init__(self, field, text, null):
        self.name = field.name
        self.text = javadoc(model.sentence(text))
        self.null = javadoc(null or "the default")
        self.is_nullable = isinstance(field.type, model.Nullable)
        type = field.type.of if self.is_nullable else field.type
        self.java, self.value = self.converted(type)
        # A literal such as `80` fits `double`, and not `Double`. So a nullable number has two setters.
        self.primitive = self.java if self.is_nullable and self.java in BOXES else None
        if self.is_nullable:
            self.java = BOXES.get(self.java, self.java)
            if self.value != self.name:
                self.value = f"{self.name} == null ? null : {self.value}"
        self.range = bounds(type) if isinstance(type, model.Scalar) else ""
        self.check = java_range(type) if isinstance(type, model.Scalar) else None

    def converted(self, type):
        """Returns the Java type, and the expression of the JSON value."""
        if isinstance(type, model.Word):
            return type.enumeration, f"{self.name}.wireName()"
        if isinstance(type, model.Array) and isinstance(type.of, model.Word):
            return f"{type.of.enumeration}...", f"names({self.name})"
        if isinstance(type, model.Part):
            return OPTIONS[type.structure], f"{self.name}.json()"
        if isinstance(type, model.Mapping):
            return "Map<String, String>", f"strings({self.name})"
        java = {"boolean": "boolean", "number": "double", "integer": "int", "string": "String"}[type.kind]
        return java, self.name

    @property
    def statement(self):
        """The statement that sets the member, and throws if its number is out of range."""
        if self.check:
            return f'setNumber("{self.name}", {self.value}, {self.check});'
        return f'set("{self.name}", {self.value});'

    @property
    def throws(self):
        """The tag of the exception, in a list."""
        return ["@throws IllegalArgumentException if the value is out of range"] if self.check else []

    @property
    def parameter(self):
        return f"{'@Nullable ' if self.is_nullable else ''}{self.java} {self.name}"

    @property
    def tag(self):
        null = f"; {{@code null}}: {self.null}" if self.is_nullable else ""
        return f"@param {self.name} the value{self.range}{null}"


def bounds(type):
    """Returns the unit and the range of a number."""
    if type.kind not in ("number", "integer"):
        return ""
    is_time = type.maximum in LONGEST_MS
    unit = "milliseconds" if is_time else UNITS.get(type.limit, "")
    low = "" if type.minimum is None else f"from {type.minimum:g}"
    low = f"above {type.above:g}" if type.above is not None else low
    high = "" if type.maximum is None else f"to {type.maximum:.0f}"
    span = " ".join(part for part in (low, high) if part)
    return (f" in {unit}" if unit else "") + (f", {span}" if span else "")


def java_range(type):
    """Returns the range of a number as a Java expression, or None if every finite number is accepted."""
    low = type.minimum if type.above is None else type.above
    if low is None:
        return None
    name = "from" if type.above is None else "above"
    if type.maximum is None:
        return f"Range.{name}({low:g})"
    name = "between" if type.above is None else "aboveTo"
    return f"Range.{name}({low:g}, {type.maximum:.0f})"


def options(name, structure, texts, nulls):
    members = [Member(field, texts[field.name], nulls.get(field.name)) for field in structure.fields]
    required = [member for member, field in zip(members, structure.fields) if field.is_required]
    imports = ["import java.util.Map;", ""] if any(member.java.startswith("Map") for member in members) else []
    lines = [*imports, *comment([javadoc(model.sentence(structure.doc))]), f"public final class {name} extends Options {{"]
    tags = [f"@param {one.name} {uncapitalized(one.text).rstrip('.') or 'the value'}{one.range}" for one in required]
    made = ["Creates options." if not required else "Creates options with the members that are required.", *tags]
    lines += indented([
        *comment(made), f"public {name}({', '.join(one.parameter for one in required)}) {{",
        *indented([one.statement for one in required]), "}"])
    for one in members:
        if one not in required:
            lines += ["", *indented(setter(name, one))]
    return "\n".join([*lines, "}", ""])


def setter(owner, one):
    """Returns the lines of the methods that set a member."""
    meaning = f": {uncapitalized(one.text)}" if one.text else "."
    text = f"Sets {{@code {one.name}}}{meaning}"
    body = [*indented([one.statement, "return this;"]), "}"]
    lines = [
        *comment([text, one.tag, "@return this object", *one.throws]), f"public {owner} {one.name}({one.parameter}) {{", *body]
    if one.primitive:
        tag = f"@param {one.name} the value{one.range}"
        lines = [
            *comment([text, tag, "@return this object", *one.throws]),
            f"public {owner} {one.name}({one.primitive} {one.name}) {{", *body, "", *lines]
    return lines


# Limits and versions

def limits(contract):
    lines = [
        "/** The limits of the daemon that {@code welcome} states; their defaults until then. */",
        "public final class Limits {", "    private final JsonObject members;", "",
        "    Limits(JsonObject members) {", "        this.members = members;", "    }"]
    for one in contract.limits:
        if one.is_sent:
            lines += ["", *indented([
                *comment([f"Returns {{@code {one.name}}}: {javadoc(one.doc).rstrip('.')}.", "@return the limit"]),
                f"public long {one.name}() {{",
                f'    return members.integer("{one.name}", {one.default}L);', "}"])]
    return "\n".join([*lines, "}", ""])


def version(contract):
    return textwrap.dedent(f"""\
        /** The versions of the client and of its protocol. */
        public final class ProtocolVersion {{
            /** The version of the client, which is that of the daemon it was built with. */
            public static final String CLIENT = "{contract.version}";

            /** The version of the protocol. */
            public static final int PROTOCOL = {contract.protocol};

            /** The WebSocket subprotocol. */
            public static final String SUBPROTOCOL = "{contract.subprotocol}";

            private ProtocolVersion() {{}}
        }}
        """)
