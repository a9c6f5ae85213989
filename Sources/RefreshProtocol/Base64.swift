/// The encoding base64 with padding. Source: RFC 4648, section 4.
package enum Base64 {
    /// Decodes a text. Returns nil if it is not exactly the encoding of the decoded bytes.
    package static func bytes(of text: String) -> [UInt8]? {
        let characters = text.utf8
        guard characters.count.isMultiple(of: 4) else { return nil }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return Base64Alphabet.standard.bytes(of: characters.dropLast(padding))
    }
}

/// The encoding base64url without padding. Its text needs no escapes in JSON or URLs. Source: RFC
/// 4648, section 5.
package enum Base64URL {
    package static func text(of bytes: [UInt8]) -> String { Base64Alphabet.url.text(of: bytes) }

    /// Decodes a text. Returns nil if it is not exactly the text that `text(of:)` returns for the
    /// decoded bytes.
    package static func bytes(of text: Substring) -> [UInt8]? {
        Base64Alphabet.url.bytes(of: text.utf8)
    }
}

/// The 64 digits of an encoding, each of which stands for six bits.
private struct Base64Alphabet: Sendable {
    private let digits: [UInt8]

    static let standard = Base64Alphabet(last: "+/")
    static let url = Base64Alphabet(last: "-_")

    /// `last`: the digits for 62 and 63. The others are letters and decimal digits.
    private init(last: String) {
        digits = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
    }

    /// Encodes bytes without padding.
    func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text without padding. Returns nil if a character is not a digit, a byte is not
    /// whole, or an unused bit of the last digit is set.
    func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        let length = text.count
        guard length % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }

    private func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case digits[62]: 62
        case digits[63]: 63
        default: nil
        }
    }
}
