/// A name of 1 to 16 bytes without NUL, zero-padded in two words: compares and hashes at once.
struct PackedName: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Nil if the bytes are none, or too many, or hold a NUL.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, at range: Range<Int>) {
        guard range.count <= 16, range.count > 0 else { return nil }
        var shift: UInt64 = 0
        for index in range {
            let byte = UInt64(bytes[index])
            guard byte != 0 else { return nil }
            if shift < 64 {
                low |= byte &<< shift
            } else {
                high |= byte &<< (shift &- 64)
            }
            shift &+= 8
        }
    }

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, at: 0..<bytes.count)
    }

    @inline(__always)
    var hash: Int {
        let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed &>> 40)
    }
}
