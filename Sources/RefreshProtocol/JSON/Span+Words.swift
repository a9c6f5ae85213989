extension Span<UInt8> {
    /// The eight bytes from `index` on. The first byte is the least significant one. Zeros replace
    /// bytes past the end.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        guard index &+ 8 <= count else { return lastWord(at: index) }
        // The load is within bounds, and any eight bytes are a valid integer.
        return UInt64(
            littleEndian: unsafe bytes.unsafeLoadUnaligned(
                fromByteOffset: index, as: UInt64.self))
    }

    private func lastWord(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var position = index
        while position < count {
            word |= UInt64(self[position]) &<< shift
            shift &+= 8
            position &+= 1
        }
        return word
    }
}

/// Operations on eight bytes at once. Source: H. S. Warren, "Hacker's Delight", 6-1.
enum ByteLanes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Returns the lowest `count` bytes of `word`, and zeros for its other bytes. `count` is 0...8.
    @inline(__always)
    static func lowest(_ count: Int, of word: UInt64) -> UInt64 {
        count >= 8 ? word : word & ((1 &<< UInt64(count &* 8)) &- 1)
    }

    /// Whether a byte of `word` equals `byte`.
    @inline(__always)
    static func has(_ byte: UInt8, in word: UInt64) -> Bool {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & tops != 0
    }

    /// The index of the first byte of `word` that equals `byte`; 8 if there is none.
    @inline(__always)
    static func firstIndex(of byte: UInt8, in word: UInt64) -> Int {
        let difference = word ^ (ones &* UInt64(byte))
        let zeros = (difference &- ones) & ~difference & tops
        return zeros.trailingZeroBitCount &>> 3
    }

    /// Whether the lowest `count` bytes of `word` include a control character, a backslash, DEL or
    /// a byte outside ASCII. All other bytes of `word` must be 0.
    @inline(__always)
    static func hasSpecial(_ count: Int, of word: UInt64) -> Bool {
        // Bytes beyond `count` become spaces.
        let rest = ~lowest(count, of: ~0)
        let bytes = word | (rest & (ones &* 0x20))
        let controls = (bytes &- ones &* 0x20) & ~bytes
        let difference = bytes ^ (ones &* 0x5C)
        let backslashes = (difference &- ones) & ~difference
        return (controls | backslashes | bytes | (bytes &+ ones)) & tops != 0
    }

    /// The number of bytes of `word` before the first one that is a control character, a quote, a
    /// backslash or outside ASCII; 8 if there is none. DEL does not count as a control character.
    @inline(__always)
    static func plainCount(in word: UInt64) -> Int {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        // A borrow can only mark bytes after the first special one, which alone counts. The zeros
        // after the end of a text count as control characters.
        let special =
            ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
            | ((backslash &- ones) & ~backslash) | word
        return (special & tops).trailingZeroBitCount &>> 3
    }
}
