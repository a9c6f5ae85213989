/// Well-formed UTF-8 beyond ASCII. Source: Unicode Standard, table 3-7; RFC 3629.
package enum UTF8Sequence {
    /// The number of bytes (2...4) of the sequence at `index`; nil if the sequence is ill-formed.
    package static func length(in bytes: Span<UInt8>, at index: Int) -> Int? {
        let first = bytes[index]
        let second: ClosedRange<UInt8>
        let length: Int
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        default: return nil
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
        for offset in 2..<max(length, 2) {
            guard (0x80...0xBF).contains(bytes[index + offset]) else { return nil }
        }
        return length
    }
}
