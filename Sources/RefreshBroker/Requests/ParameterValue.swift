internal import RefreshProtocol

/// A client's value for a declared parameter. Values are equal if they have the same type, and
/// their texts are equal byte by byte.
package enum ParameterValue: Hashable, Sendable, Codable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)

    /// Parses a client's text. Returns nil if the text is not a value of this type. Numbers and
    /// booleans have the notation of JSON.
    package init?(_ text: String, as type: ParameterType) {
        switch type {
        case .text:
            self = .text(text)
        case .integer:
            guard Self.isNumber(text), let value = Int64(text) else { return nil }
            self = .integer(value)
        case .number:
            guard Self.isNumber(text), let value = Double(text), value.isFinite else { return nil }
            // `-0` becomes `0`, so that the backend receives the same text for both.
            self = .number(value == 0 ? 0 : value)
        case .boolean:
            switch text {
            case "true": self = .boolean(true)
            case "false": self = .boolean(false)
            default: return nil
            }
        }
    }

    package static func == (left: ParameterValue, right: ParameterValue) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.hasBytes(of: right)
        case (.integer(let left), .integer(let right)): left == right
        // `init(_:as:)` never makes -0. A -0 from elsewhere differs from 0, because its text
        // differs.
        case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
        case (.boolean(let left), .boolean(let right)): left == right
        case (.text, _), (.integer, _), (.number, _), (.boolean, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .text(let value): value.hashBytes(into: &hasher)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value.bitPattern)
        case .boolean(let value): hasher.combine(value)
        }
    }

    package var type: ParameterType {
        switch self {
        case .text: .text
        case .integer: .integer
        case .number: .number
        case .boolean: .boolean
        }
    }

    /// The text for a URL. It is the same as the JSON text, except that a string has no quotes and
    /// no escapes.
    package var text: String {
        switch self {
        case .text(let value): value
        case .integer(let value): String(value)
        case .number(let value): Self.text(of: value)
        case .boolean(let value): value ? "true" : "false"
        }
    }

    private static func text(of value: Double) -> String {
        var out = ByteBuffer(capacity: 32)
        out.append(value)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    /// Returns whether the text is a number by RFC 8259. Such a number has no sign except `-`, and
    /// no leading zero. If it has a decimal point, there are digits on both sides of the point.
    private static func isNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (try? JSONNumber.skip(bytes.span, at: 0)) == bytes.count
    }
}

/// The type of a feed's parameter. Source: docs/configuration.md, "parameters".
package enum ParameterType: String, CaseIterable, Sendable {
    case text
    /// 64 bits, signed.
    case integer
    /// A finite double.
    case number
    case boolean
}
