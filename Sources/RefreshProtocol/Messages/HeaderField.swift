/// A header that a client supplies for backends. Its name is in lower case. Headers are compared by
/// their bytes. Source: docs/protocol.md, "hello".
package struct HeaderField: Hashable, Sendable, Codable {
    @Bytewise package var name: String
    @Bytewise package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Validates a client's header. The name of the header may have any case. Returns nil if the
    /// name is not a token, or if the value contains anything other than visible ASCII and spaces.
    /// Source: RFC 9110, sections 5.1 and 5.5.
    package init?(checking name: String, _ value: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { return nil }
        self.init(name: name.lowercased(), value: value)
    }

    /// Source: RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
