/// One backslash escape of a JSON string. Source: RFC 8259, section 7.
package struct JSONEscape {
    package var scalar: Unicode.Scalar
    /// The number of bytes of the escape: 2, 6, or 12 for a surrogate pair.
    package var length: Int

    /// Returns nil if there is no escape at `index`. A lone surrogate does not count as an escape.
    package init?(in bytes: Span<UInt8>, at index: Int) {
        guard index + 1 < bytes.count, bytes[index] == 0x5C else { return nil }
        if let scalar = Self.shortEscape(bytes[index + 1]) {
            self.scalar = scalar
            self.length = 2
            return
        }
        guard bytes[index + 1] == 0x75, let first = Self.unit(in: bytes, at: index + 2) else {
            return nil
        }
        if let scalar = Unicode.Scalar(first) {
            self.scalar = scalar
            self.length = 6
            return
        }
        guard first < 0xDC00, index + 7 < bytes.count,
            bytes[index + 6] == 0x5C, bytes[index + 7] == 0x75,
            let second = Self.unit(in: bytes, at: index + 8), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { return nil }
        self.scalar = scalar
        self.length = 12
    }

    /// The length of the escape at `index` in bytes; nil if there is none.
    package static func length(in bytes: Span<UInt8>, at index: Int) -> Int? {
        JSONEscape(in: bytes, at: index)?.length
    }

    private static func shortEscape(_ letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case 0x22: "\""
        case 0x5C: "\\"
        case 0x2F: "/"
        case 0x62: "\u{8}"
        case 0x66: "\u{C}"
        case 0x6E: "\n"
        case 0x72: "\r"
        case 0x74: "\t"
        default: nil
        }
    }

    private static func unit(in bytes: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for offset in 0..<4 {
            let byte = bytes[index + offset]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
