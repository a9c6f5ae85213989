internal import RefreshProtocol

/// The checksum at the end of a journal's line: FNV-1a, 32 bits. A change of one byte always
/// changes the checksum.
struct LineSum: Equatable {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 0x0100_0193
    }

    init(_ bytes: Span<UInt8>) {
        for index in bytes.indices { add(bytes[index]) }
    }

    /// Eight hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
