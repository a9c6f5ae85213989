/// A value in the query of a URL from a server.
enum QueryValue {
    /// Returns the first value of that name, decoded. Returns nil if there is none, or if it is not
    /// UTF-8.
    static func named(_ name: String, in url: String) -> String? {
        let text = url.prefix { $0 != "#" }
        guard let mark = text.firstIndex(of: "?") else { return nil }
        for pair in text[text.index(after: mark)...].split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard decoded(pair[..<equals]) == name else { continue }
            return decoded(pair[equals...].dropFirst())
        }
        return nil
    }

    /// Decodes form encoding, in which `+` is a space. A `%` that is not part of `%XX` is kept.
    private static func decoded(_ text: Substring) -> String? {
        let bytes = Array(text.utf8)
        var value: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                value.append(high << 4 | low)
                index += 3
            } else {
                value.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
                index += 1
            }
        }
        return String(validating: value, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
