/// Parsing of lists and parameters in header values. Source: RFC 9110, 5.6.
enum HeaderText {
    /// Splits a text at separators that are neither in quotes nor between `<` and `>`.
    static func split(_ text: String, at separator: UInt8) -> [String] {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        var isTarget = false
        for byte in text.utf8 {
            if byte == separator, !isQuoted, !isTarget {
                parts.append([])
                continue
            }
            parts[parts.count - 1].append(byte)
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
                isQuoted = byte != UInt8(ascii: "\"")
            } else if isTarget {
                isTarget = byte != UInt8(ascii: ">")
            } else {
                isQuoted = byte == UInt8(ascii: "\"")
                isTarget = byte == UInt8(ascii: "<")
            }
        }
        return parts.map { trimmed(String(decoding: $0, as: UTF8.self)[...]) }
    }

    /// Parses `name=value` or `name="value"`. Returns the name in lower case.
    static func parameter(_ text: String) -> (name: String, value: String?) {
        guard let equals = text.firstIndex(of: "=") else { return (text.lowercased(), nil) }
        let name = trimmed(text[..<equals]).lowercased()
        return (name, unquoted(trimmed(text[text.index(after: equals)...])))
    }

    /// Returns the text without spaces and tabs at its ends.
    static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }

    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var value: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                value.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
