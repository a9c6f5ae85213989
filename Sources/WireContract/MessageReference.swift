import RefreshProtocol

/// The reference of all messages of a session, as the Markdown page docs/messages.md.
///
/// The page is generated from `Contract`. `MessageExampleTests` replays each of its examples.
package enum MessageReference {
    /// The complete page.
    package static var markdown: String {
        let sections = [Speaker.client, .daemon].map { speaker in
            "## Messages of the \(speaker.rawValue)\n\n" + list(of: speaker) + "\n"
                + messages(of: speaker).map(section).joined(separator: "\n")
        }
        let parts = usedDefinitions.map(section).joined(separator: "\n")
        return head + "\n" + sections.joined(separator: "\n") + "\n" + partsHead + "\n" + parts
    }

    private static let head = """
        # Messages of refresh.v1

        This page lists every message of a session, with its fields and examples. It is generated
        from the registry of messages, as the [JSON Schema](messages.schema.json) is. A test replays
        each example with a session of the daemon. [protocol.md](protocol.md) explains what the
        messages do.

        - **Required** fields are in each message of the type. Other fields may be left out.
        - **Needs** names the [feature](protocol.md#features) that must be in use. "features" means
          that `hello` must have `features`, even as an empty array.
        - A number has the unit in its column. Points are density-independent pixels.
        - A type with a link is described under [parts of messages](#parts-of-messages).

        """

    private static let partsHead = """
        ## Parts of messages

        The protocol explains the [options of an edge](protocol.md#profiles-and-edge-options), of
        [paging](protocol.md#paging) and of [panning](protocol.md#damping).

        """

    private static func messages(of speaker: Speaker) -> [MessageShape] {
        Contract.messages.filter { $0.sender == speaker }
    }

    // MARK: Headings

    /// The heading of a message. Headings are unique in the page.
    private static func heading(_ message: MessageShape) -> String {
        let isAmbiguous = [Speaker.client, .daemon].allSatisfy {
            Contract.message($0, message.type) != nil
        }
        return message.type + (isAmbiguous ? " of the \(message.sender.rawValue)" : "")
    }

    /// The anchor of a heading.
    private static func anchor(_ heading: String) -> String {
        heading.lowercased().replacing(" ", with: "-")
    }

    /// The heading of a definition. A part can have the name of a message.
    private static func heading(_ definition: Contract.Definition) -> String {
        "part \(definition.name)"
    }

    private static func list(of speaker: Speaker) -> String {
        RegistryTables.table(
            ["message", "meaning", "needs"],
            messages(of: speaker).map { message in
                [
                    "[`\(message.type)`](#\(anchor(heading(message))))", message.meaning,
                    message.need?.text ?? "",
                ]
            })
    }

    // MARK: Sections

    private static func section(_ message: MessageShape) -> String {
        var text = "### \(heading(message))\n\n" + sentence(message.meaning)
        if let need = message.need { text += " Needs \(need.text)." }
        if let section = explanation(message) {
            text += "\nSee [\(section.prefix { $0 != "#" })](\(section))."
        }
        text += "\n\n"
        if message.forms.count == 1 {
            text += table(message.forms[0])
        } else {
            for form in message.forms { text += formName(form) + ":\n\n" + table(form) + "\n" }
            text = String(text.dropLast())
        }
        for example in message.examples {
            text += "\n```json\n" + folded(example) + "\n```\n"
        }
        return text
    }

    private static func section(_ definition: Contract.Definition) -> String {
        let text = "### \(heading(definition))\n\n" + sentence(definition.meaning) + "\n\n"
        switch definition.shape {
        case .object(let fields): return text + table(fields)
        case .either(let shapes):
            let objects = shapes.compactMap { shape -> [ShapeField]? in
                if case .object(let fields) = shape { fields } else { nil }
            }
            let others = shapes.filter { if case .object = $0 { false } else { true } }
            let first = others.map { "- " + type($0) + "\n" }.joined()
            let tables = objects.enumerated().map { index, fields in
                let name = objects.count == 1 ? "Object" : "Form \(index + 1)"
                return "\n\(name):\n\n" + table(fields)
            }
            return String((text + first + tables.joined()).replacing("\n\n\n", with: "\n\n"))
        default:
            return text + wrapped("Type: \(type(definition.shape)).") + "\n"
        }
    }

    /// Returns the constant member that distinguishes a form, such as `phase` of `loading`.
    private static func formName(_ form: [ShapeField]) -> String {
        for field in form {
            if case .constant(let value) = field.shape {
                return "With `\"\(field.name)\":\(value.text)`"
            }
        }
        return "Usually"
    }

    /// Returns the section of docs/ that explains the message; nil if there is none.
    private static func explanation(_ message: MessageShape) -> String? {
        switch message.type {
        case "detach": nil
        case "refresh", "begin", "end": "protocol.md#refresh-begin-end"
        case "loadMore", "retry", "cancel", "reset": "protocol.md#loadmore-retry-cancel-reset"
        case "loadBegan", "loadProgress", "loadFinished":
            "protocol.md#loadbegan-loadprogress-loadfinished"
        case "enable", "configure": "protocol.md#enable-configure"
        case "ping", "bye": "protocol.md#ping-bye"
        case "edit", "edited": "protocol.md#edits"
        case "error", "pong": "protocol.md#error-pong"
        case "diagnostic": "protocol.md#diagnostics"
        case "snapshot": "coming-back.md#sealed-snapshots"
        case "draining": "coming-back.md#draining"
        default: "protocol.md#\(message.type.lowercased())"
        }
    }

    private static func sentence(_ meaning: String) -> String {
        let first = meaning.first.map { $0.uppercased() } ?? ""
        return first + meaning.dropFirst() + (meaning.hasSuffix(".") ? "" : ".")
    }

    // MARK: Fields

    private static func table(_ fields: [ShapeField]) -> String {
        let rows = rows(fields, below: "")
        guard !rows.isEmpty else { return "The message has no other fields.\n" }
        return RegistryTables.table(
            ["field", "required", "type", "unit", "needs", "meaning"], rows)
    }

    /// Returns a row for each field, and rows for the fields of an object inside it.
    private static func rows(_ fields: [ShapeField], below path: String) -> [[String]] {
        fields.flatMap { field -> [[String]] in
            if case .absent = field.shape { return [] }
            let row = [
                "`\(path)\(field.name)`", field.isRequired ? "yes" : "", type(field.shape),
                unit(field.shape) ?? "", field.need?.text ?? "", meaning(of: field),
            ]
            return [row] + rows(innerFields(field.shape), below: "\(path)\(field.name).")
        }
    }

    /// Returns the fields of an object that is a field itself, and not a definition.
    private static func innerFields(_ shape: Shape) -> [ShapeField] {
        switch shape {
        case .object(let fields): fields
        case .either(let shapes): shapes.flatMap(innerFields)
        default: []
        }
    }

    private static func meaning(of field: ShapeField) -> String {
        if let meaning = field.meaning { return meaning }
        if case .reference(let name) = field.shape, let definition = definition(name) {
            let text = definition.meaning
            let first = text.first.map { $0.lowercased() } ?? ""
            return first + text.dropFirst().trimmingSuffix(".")
        }
        return optionMeaning(field.name)
    }

    /// Options of edges are explained in the tables of docs/protocol.md.
    private static func optionMeaning(_ name: String) -> String {
        OptionField.allCases.contains { $0.wireName == name }
            ? "[option](protocol.md#profiles-and-edge-options)" : ""
    }

    private static func definition(_ name: String) -> Contract.Definition? {
        Contract.definitions.first { $0.name == name }
    }

    // MARK: Types

    private static func type(_ shape: Shape) -> String {
        switch shape {
        case .anything: "any value"
        case .flag: "boolean"
        case .number(let bounds): bounds.type
        case .text: "string"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .constant(let value): "`\(value.text)`"
        case .list(let shape, _): "array of " + element(shape)
        case .tuple(let shapes): "array: " + shapes.map(type).joined(separator: "; ")
        case .object: "object"
        case .named(let shape, _): "object with any names; values: " + type(shape)
        case .either(let shapes): shapes.map(type).joined(separator: "; or ")
        case .absent: ""
        case .reference(let name):
            definition(name).map { "[\(name)](#\(anchor(heading($0))))" } ?? name
        }
    }

    private static func element(_ shape: Shape) -> String {
        switch shape {
        case .word: "words: " + type(shape)
        case .text: "strings"
        case .anything: "any values"
        case .number(let bounds): bounds.isWhole ? "integers" : "numbers"
        default: type(shape)
        }
    }

    /// Returns the unit of a number, or of the numbers in an array; nil if it has none.
    private static func unit(_ shape: Shape) -> String? {
        switch shape {
        case .number(let bounds): return bounds.unit?.rawValue
        case .list(let shape, _): return unit(shape)
        case .either(let shapes): return shapes.lazy.compactMap(unit).first
        case .tuple(let shapes):
            let units = Set(shapes.compactMap(unit))
            return units.count == 1 ? units.first : nil
        default: return nil
        }
    }

    /// The definitions to which messages of sessions refer, directly or not.
    private static var usedDefinitions: [Contract.Definition] {
        var used: Set<String> = []
        var open = [Speaker.client, .daemon].flatMap(messages).flatMap { $0.forms.joined() }
            .flatMap { references(in: $0.shape) }
        while let name = open.popLast() {
            guard used.insert(name).inserted, let shape = definition(name)?.shape else { continue }
            open += references(in: shape)
        }
        return Contract.definitions.filter { used.contains($0.name) }
    }

    private static func references(in shape: Shape) -> [String] {
        switch shape {
        case .reference(let name): [name]
        case .list(let shape, _), .named(let shape, _): references(in: shape)
        case .tuple(let shapes), .either(let shapes): shapes.flatMap(references)
        case .object(let fields): fields.flatMap { references(in: $0.shape) }
        case .anything, .flag, .number, .text, .word, .constant, .absent: []
        }
    }

    // MARK: Examples

    /// The maximum number of characters of a line of an example.
    private static let lineMax = 110

    /// Breaks the JSON text after commas, so that its lines are short.
    private static func folded(_ json: String) -> String {
        lines(of: tokens(json), indent: " ").joined(separator: "\n")
    }

    /// Breaks the text between words, so that its lines are short.
    private static func wrapped(_ text: String) -> String {
        let words = text.split(separator: " ").map { "\($0) " }
        return lines(of: words, indent: "").map { String($0.trimmingSuffix(" ")) }
            .joined(separator: "\n")
    }

    /// Joins the parts to lines of at most `lineMax` characters. `indent` begins each further line.
    private static func lines(of parts: [String], indent: String) -> [String] {
        var lines = [""]
        for part in parts {
            if lines.last.map({ !$0.isEmpty && $0.count + part.count > lineMax }) == true {
                lines.append(indent)
            }
            lines[lines.count - 1] += part
        }
        return lines
    }

    /// Returns the parts of the JSON text. Each part ends with a comma that is not in a string.
    private static func tokens(_ json: String) -> [String] {
        var tokens = [""]
        var isInString = false
        var isEscaped = false
        for character in json {
            tokens[tokens.count - 1].append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isInString.toggle()
            } else if character == ",", !isInString {
                tokens.append("")
            }
        }
        return tokens
    }
}

extension Shape.NumberBounds {
    /// The type and the bounds of the number, such as `integer, 0 to 5`.
    fileprivate var type: String {
        let name = isWhole ? "integer" : "number"
        let number = { (value: Double) in JSONValue.number(value).text }
        return switch (least, most, above) {
        case (let least?, let most?, _) where most < Double(1 << 31) - 1:
            "\(name), \(number(least)) to \(number(most))"
        case (_, let most?, let above?): "\(name), above \(number(above)), up to \(number(most))"
        case (_, _, let above?): "\(name), above \(number(above))"
        case (let least?, _, _) where least == 0: "\(name), 0 or more"
        case (let least?, _, _) where least == 1: "\(name), 1 or more"
        default: name
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ suffix: String) -> SubSequence {
        dropLast(hasSuffix(suffix) ? suffix.count : 0)
    }
}
