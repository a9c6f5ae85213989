/// The FNV-1a hash of all frames that clients sent and received.
///
/// Sealed texts are left out, because sealing is random.
struct TraceHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func record(_ number: Int) {
        var rest = UInt64(truncatingIfNeeded: number)
        for _ in 0..<8 {
            mix(UInt8(truncatingIfNeeded: rest))
            rest &>>= 8
        }
    }

    mutating func record(_ frame: [UInt8]) {
        var isSealed = false
        for (index, byte) in frame.enumerated() {
            if byte == UInt8(ascii: "\"") { isSealed = false }
            if byte == UInt8(ascii: "v"), index > 0, index + 2 < frame.count,
                frame[index - 1] == UInt8(ascii: "\""),
                (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(frame[index + 1]),
                frame[index + 2] == UInt8(ascii: ".")
            {
                isSealed = true
            }
            if !isSealed { mix(byte) }
        }
    }

    private mutating func mix(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
