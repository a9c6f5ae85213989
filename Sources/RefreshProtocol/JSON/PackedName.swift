/// A name of 1 to 16 bytes, zero-padded in two words, for fast comparison and hashing.
struct PackedName: Hashable, Sendable {
    let low: UInt64
    let high: UInt64
    let count: Int

    @inline(__always)
    init(low: UInt64, high: UInt64, count: Int) {
        self.low = low
        self.high = high
        self.count = count
    }

    static let empty = PackedName(low: 0, high: 0, count: 0)

    /// Returns nil if there are no bytes or too many.
    init?(_ bytes: Span<UInt8>, at range: Range<Int>) {
        count = range.count
        guard count > 0, count <= 16 else { return nil }
        low = ByteLanes.lowest(count, of: bytes.word(at: range.lowerBound))
        high =
            count > 8
            ? ByteLanes.lowest(count - 8, of: bytes.word(at: range.lowerBound + 8)) : 0
    }

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, at: 0..<bytes.count)
    }

    /// Whether all bytes are printable ASCII other than the backslash. If so, a JSON string of
    /// these bytes has no escapes.
    @inline(__always)
    var isPlain: Bool {
        !ByteLanes.hasSpecial(min(count, 8), of: low)
            && (count <= 8 || !ByteLanes.hasSpecial(count &- 8, of: high))
    }

    @inline(__always)
    var hash: Int {
        let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed &>> 40)
    }

    @inline(__always)
    static func == (a: PackedName, b: PackedName) -> Bool {
        a.low == b.low && (a.high ^ b.high) | UInt64(bitPattern: Int64(a.count ^ b.count)) == 0
    }

    var text: String {
        var bytes: [UInt8] = []
        for index in 0..<count {
            let word = index < 8 ? low : high
            bytes.append(UInt8(truncatingIfNeeded: word &>> UInt64((index & 7) * 8)))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
