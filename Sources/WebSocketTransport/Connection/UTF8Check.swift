/// A UTF-8 validator (RFC 3629) for a text that arrives in pieces. The check of libwebsockets costs
/// nine instructions per byte of every message. This validator handles many ASCII bytes at a time.
struct UTF8Check {
    /// The number of bytes missing from the last character.
    private var missing: UInt8 = 0
    /// The range of valid values for the next missing byte.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xbf

    /// Whether the text that was read so far ends with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Checks the next piece. Returns false as soon as no continuation could be valid.
    mutating func validate(_ piece: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < piece.count {
            if missing == 0 {
                while index + 32 <= piece.count, unsafe Self.isASCII(piece, from: index) {
                    index += 32
                }
                while index + 8 <= piece.count,
                    unsafe piece.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                guard index < piece.count else { break }
                // The rest of a long piece is checked in one step, together with some bytes that
                // were already checked.
                if index + 8 > piece.count, piece.count >= 8,
                    unsafe piece.loadUnaligned(fromByteOffset: piece.count - 8, as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    break
                }
            }
            guard validate(unsafe piece[index]) else { return false }
            index += 1
        }
        return true
    }

    /// Returns whether the 32 bytes from `index` on are ASCII.
    @inline(__always)
    private static func isASCII(_ piece: UnsafeRawBufferPointer, from index: Int) -> Bool {
        let first = unsafe piece.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let second = unsafe piece.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
        let third = unsafe piece.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self)
        let fourth = unsafe piece.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
        return (first | second | third | fourth) & 0x8080_8080_8080_8080 == 0
    }

    private mutating func validate(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= low, byte <= high else { return false }
            missing -= 1
            (low, high) = (0x80, 0xbf)
            return true
        }
        switch byte {
        case 0x00...0x7f: return true
        case 0xc2...0xdf: missing = 1
        // The second byte decides whether the encoding is overlong or a surrogate.
        case 0xe0: (missing, low) = (2, 0xa0)
        case 0xed: (missing, high) = (2, 0x9f)
        case 0xe1...0xef: missing = 2
        // The second byte decides whether the encoding is overlong or beyond U+10FFFF.
        case 0xf0: (missing, low) = (3, 0x90)
        case 0xf4: (missing, high) = (3, 0x8f)
        case 0xf1...0xf3: missing = 3
        default: return false
        }
        return true
    }
}
