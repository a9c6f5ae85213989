import RefreshProtocol

/// The secret that a client needs to resume a session: 128 random bits, new with each `welcome`.
/// Source: docs/protocol.md, "Coming back".
package struct ResumeToken: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates a token from unpredictable bits.
    package init(_ high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the wire form. Returns nil if `text` is not valid.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length else { return nil }
        var bits = UInt128(0)
        var last: UInt64 = 0
        for (index, byte) in text.utf8.enumerated() {
            guard let digit = Self.digits.firstIndex(of: byte) else { return nil }
            if index == Self.length - 1 {
                last = UInt64(digit)
            } else {
                bits = bits << 6 | UInt128(digit)
            }
        }
        // The last digit contains two bits of the token and four bits that must be 0.
        guard last & 0xF == 0 else { return nil }
        bits = bits << 2 | UInt128(last >> 4)
        self.init(UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits))
    }

    /// The token that replaces every token in journals. A session has this token with a probability
    /// of 2^-128.
    static let masked = ResumeToken(0, 0)

    /// The number of digits of the wire form.
    private static let length = 22
    /// The digits of base64url. Source: RFC 4648, 5.
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The wire form: base64url without padding.
    package var text: String {
        let bits = UInt128(high) << 64 | UInt128(low)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        for shift in stride(from: 122, through: 2, by: -6) {
            bytes.append(Self.digits[Int(truncatingIfNeeded: bits >> UInt128(shift)) & 0x3F])
        }
        bytes.append(Self.digits[Int(truncatingIfNeeded: bits << 4) & 0x3F])
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether `text` is the wire form of this token. The comparison takes constant time for texts
    /// of the right length.
    func matches(_ text: String) -> Bool {
        let own = Array(self.text.utf8)
        let other = Array(text.utf8)
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
