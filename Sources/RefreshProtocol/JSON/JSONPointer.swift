/// A JSON pointer: a place in a JSON value. Source: RFC 6901.
package struct JSONPointer: Hashable, Sendable {
    /// The names and indices on the path. An empty list denotes the whole value.
    package let tokens: [String]

    /// Parses a pointer such as `/a/b~1c/0`. A pointer is empty or begins with `/`, and each `~` in
    /// it is followed by 0 or 1. Returns nil for any other text.
    package init?(_ text: String) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for token in text.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let name = Self.unescaped(Array(token)) else { return nil }
            tokens.append(name)
        }
        self.tokens = tokens
    }

    /// The text of the pointer, in the form that `init` parses.
    package var text: String {
        // A combining character after a `~` or `/` does not make it another character.
        var text = String.UnicodeScalarView()
        for token in tokens {
            text.append("/")
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text.append(contentsOf: "~0".unicodeScalars)
                case "/": text.append(contentsOf: "~1".unicodeScalars)
                default: text.append(scalar)
                }
            }
        }
        return String(text)
    }

    private static func unescaped(_ token: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in token {
            switch (isEscaped, byte) {
            case (true, UInt8(ascii: "0")): bytes.append(UInt8(ascii: "~"))
            case (true, UInt8(ascii: "1")): bytes.append(UInt8(ascii: "/"))
            case (true, _): return nil
            case (false, UInt8(ascii: "~")): break
            case (false, _): bytes.append(byte)
            }
            isEscaped = !isEscaped && byte == UInt8(ascii: "~")
        }
        return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
