package import RefreshProtocol

extension JSONValue {
    /// The value as indented text with a final line break, for files that people read. A value that
    /// fits into one line is not divided into several lines.
    package var lines: String { lines(indent: 0, used: 0) + "\n" }

    /// The maximum length of a line, in characters.
    private static let width = 110

    private func lines(indent: Int, used: Int) -> String {
        let short = text
        if indent * 2 + used + short.count < Self.width { return short }
        let margin = String(repeating: "  ", count: indent + 1)
        let end = "\n" + String(repeating: "  ", count: indent)
        switch self {
        case .object(let members):
            let parts = members.map { member in
                let name = JSONValue.string(member.name).text + ": "
                return margin + name
                    + member.value.lines(indent: indent + 1, used: name.count + 1)
            }
            return "{\n" + parts.joined(separator: ",\n") + end + "}"
        case .array(let values):
            let parts = values.map { margin + $0.lines(indent: indent + 1, used: 1) }
            return "[\n" + parts.joined(separator: ",\n") + end + "]"
        case .null, .bool, .number, .string: return short
        }
    }
}
