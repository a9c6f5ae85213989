/// A name of 1 to 16 bytes without NUL, zero-padded in two words: compares and hashes at once.
struct PackedName: Hashable, Sendable {
    private var low: UInt64
    private var high: UInt64

    @inline(__always)
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    static let empty = PackedName(low: 0, high: 0)

    /// Nil if the bytes are none or too many, or end with a NUL, which the padding would swallow.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, at range: Range<Int>) {
        let count = range.count
        guard count > 0, count <= 16, bytes[range.upperBound &- 1] != 0 else { return nil }
        low = ByteLanes.lowest(count, of: bytes.word(at: range.lowerBound))
        high =
            count > 8
            ? ByteLanes.lowest(count &- 8, of: bytes.word(at: range.lowerBound &+ 8)) : 0
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

    @inline(__always)
    static func == (a: PackedName, b: PackedName) -> Bool {
        a.low == b.low && a.high == b.high
    }
}
