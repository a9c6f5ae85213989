import RefreshProtocol

/// Changes to a value, for tests that damage one place of a message.
extension JSONValue {
    /// The value with `change` applied at `path`. A change to nil removes the member.
    func editing(
        _ path: some Collection<String>, _ change: (JSONValue) -> JSONValue?
    ) -> JSONValue {
        guard let name = path.first else { return change(self) ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    guard member.name == name else { return member }
                    guard rest.isEmpty else {
                        return Member(name, member.value.editing(rest, change))
                    }
                    return change(member.value).map { Member(name, $0) }
                })
        case .array(let values):
            return .array(
                values.enumerated().map { index, value in
                    String(index) == name ? value.editing(rest, change) : value
                })
        default: return self
        }
    }

    func replacing(_ path: [String], with value: JSONValue?) -> JSONValue {
        editing(path) { _ in value }
    }

    /// The value with `change` applied to the members of every object in it, the innermost first.
    func editingObjects(_ change: ([Member]) -> [Member]) -> JSONValue {
        switch self {
        case .object(let members):
            .object(
                change(members.map { Member($0.name, $0.value.editingObjects(change)) }))
        case .array(let values): .array(values.map { $0.editingObjects(change) })
        default: self
        }
    }

    /// The value with the members of every object sorted by name, for comparisons.
    var sorted: JSONValue { editingObjects { $0.sorted { $0.name < $1.name } } }

    /// The JSON text with every character of every string as an escape.
    var escapedText: String {
        switch self {
        case .string(let text): Self.escaped(text)
        case .array(let values): "[" + values.map(\.escapedText).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { Self.escaped($0.name) + ":" + $0.value.escapedText }
                .joined(separator: ",") + "}"
        default: text
        }
    }

    private static func escaped(_ text: String) -> String {
        "\""
            + text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined() + "\""
    }
}
