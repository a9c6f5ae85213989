/// The value of one option, as received from or sent to a client.
package enum OptionValue: Hashable, Sendable {
    /// `null`.
    case none
    case flag(Bool)
    /// Points, points per second, a fraction, whole milliseconds, or a count.
    case number(Double)
    case keyword(String)
    case intents(Intents)
    indirect case floor([OptionSetting])

    /// Appends the JSON text of the value.
    package func write(to out: inout ByteBuffer) {
        switch self {
        case .none: out.append(literal: "null")
        case .flag(let value): out.append(value)
        case .number(let value): out.append(value)
        case .keyword(let word): out.appendQuoted(word)
        case .intents(let intents):
            out.append(0x5B as UInt8)
            for (index, intent) in intents.members.enumerated() {
                if index > 0 { out.append(0x2C as UInt8) }
                out.appendQuoted(intent.rawValue)
            }
            out.append(0x5D as UInt8)
        case .floor(let settings):
            out.append(0x7B as UInt8)
            for (index, setting) in settings.enumerated() {
                if index > 0 { out.append(0x2C as UInt8) }
                setting.write(to: &out)
            }
            out.append(0x7D as UInt8)
        }
    }
}

/// One option and its value.
package struct OptionSetting: Hashable, Sendable {
    package var field: OptionField
    package var value: OptionValue

    package init(_ field: OptionField, _ value: OptionValue) {
        self.field = field
        self.value = value
    }

    /// Appends the setting as a member of an object.
    package func write(to out: inout ByteBuffer) {
        out.appendQuoted(field.wireName)
        out.append(0x3A as UInt8)
        value.write(to: &out)
    }
}
