/// A JSON value as the probe sees it: read independently of the daemon's own decoder, fields in order.
package enum WireValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([WireValue])
    case object([Member])

    /// A field of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: WireValue

        package init(_ name: String, _ value: WireValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a field; nil if this is no object or has none of that name. Setting nil removes it.
    package subscript(name: String) -> WireValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    /// The text, if it is one.
    package var asText: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, if it is one.
    package var asNumber: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// What this becomes when `change` is merged into it: objects field by field, all else replaced.
    package func merged(with change: WireValue) -> WireValue {
        guard case .object = self, case .object(let members) = change else { return change }
        var result = self
        for member in members {
            let value = result[member.name]
            result[member.name] = value.map { $0.merged(with: member.value) } ?? member.value
        }
        return result
    }

    /// The shortest text of a number; whole ones without a fraction.
    package static func text(of number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 {
            return String(Int64(number))
        }
        return String(number)
    }
}

extension WireValue: CustomStringConvertible {
    /// JSON on one line.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): Self.text(of: number)
        case .text(let text): Self.quoted(text)
        case .array(let elements):
            "[" + elements.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { Self.quoted($0.name) + ":" + $0.value.description }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
