/// Parsing of the HTTP headers that decide an upgrade (RFC 9110, 5.6).
enum HeaderText {
    /// Returns whether the byte is allowed in a token.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Returns the tokens of a comma-separated list, or nil if an element is not a token.
    static func tokens(_ list: String) -> [String]? {
        var tokens: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let token = part.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
            guard !token.isEmpty, token.allSatisfy({ $0.utf8.allSatisfy(isTokenByte) }) else {
                return nil
            }
            tokens.append(String(token))
        }
        return tokens
    }

    /// Returns whether a list contains a token, ignoring case. Its other elements are not checked.
    static func list(_ list: String, contains token: String) -> Bool {
        list.split(separator: ",").contains { part in
            part.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
                .elementsEqual(token, by: { $0.lowercased() == $1.lowercased() })
        }
    }

    /// Returns the value of a Content-Length header, or nil if it is not a number. A value of more
    /// than `lengthBytesMax` bytes does not count as a number.
    static func length(_ text: String) -> Int? {
        guard text.utf8.count <= lengthBytesMax else { return nil }
        let part = text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        let digits = String(part)
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int(digits)
    }

    /// The maximum size in bytes of the value of a Content-Length header. libwebsockets ignores a
    /// value of 31 bytes or more.
    private static let lengthBytesMax = 18

    /// Returns whether the text is the base64 form of 16 bytes, as Sec-WebSocket-Key must be.
    static func isNonce(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[22] == UInt8(ascii: "=") && bytes[23] == UInt8(ascii: "=")
            && bytes[..<22].allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }

    private static func isBlank(_ character: Character) -> Bool {
        character == " " || character == "\t"
    }
}
