/// The encoding base32 without padding. Source: RFC 4648, section 6.
package enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[bits >> count & 31])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(digits[bits << (5 - count) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes `text`. Returns nil if `text` is not exactly the text that `text(of:)` returns for
    /// the decoded bytes.
    package static func bytes(of text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            bits = bits << 5 | digit
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count))
            bits &= 1 << count - 1
        }
        // The comparison rejects a text with a superfluous character, and a text whose last
        // character has unused bits that are set.
        guard self.text(of: bytes).utf8.elementsEqual(text.utf8) else { return nil }
        return bytes
    }
}
