/// One line of the log, as plain text or as JSON.
///
/// Values may come from peers. Both formats escape everything that could end a line, so that a peer
/// cannot forge lines.
package struct LogLine: Sendable {
    /// RFC 3339, UTC.
    package var time: String
    package var level: String
    package var message: String
    /// The keys and values, in the order in which they are written.
    package var metadata: [(key: String, value: String)]

    package init(
        time: String, level: String, message: String, metadata: [(key: String, value: String)]
    ) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }

    /// `TIME LEVEL MESSAGE key=value key="with spaces"`, without a line break.
    package var text: String {
        var line = "\(time) \(level) \(message)"
        for (key, value) in metadata {
            line += " \(key)="
            line += Self.quotedIfNeeded(value)
        }
        return line
    }

    /// One JSON object, without a line break.
    package var json: String {
        var line = "{\"time\":\"\(time)\",\"level\":\"\(level)\",\"message\":"
        line += Self.quoted(message)
        for (key, value) in metadata {
            line += ",\(Self.quoted(key)):\(Self.quoted(value))"
        }
        return line + "}"
    }

    /// Returns the value unchanged if it can be read only as one value. If not, returns it quoted.
    package static func quotedIfNeeded(_ value: String) -> String {
        isPlain(value) ? value : quoted(value)
    }

    /// Returns the text unchanged, except that characters with an effect on terminals are escaped
    /// as in JSON. If `keepsLines` is true, line feeds are not escaped.
    package static func escapingControlCharacters(in text: String, keepsLines: Bool = false)
        -> String
    {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory.endsLines, !(keepsLines && scalar == "\n") {
                result += escaped(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
            }
    }

    /// Returns a JSON string; all kinds of control characters are escaped.
    static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.properties.generalCategory.endsLines: result += escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}

extension Unicode.GeneralCategory {
    /// Whether a character of this category is a control character, a format character or a line
    /// separator. A terminal or a log reader may interpret such a character.
    fileprivate var endsLines: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
