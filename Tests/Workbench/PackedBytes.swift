/// Produces compressed formats without a compression library. Texts are in stored (uncompressed)
/// blocks, and only a decompression bomb is compressed. Sources: RFC 1950 to 1952.
package enum PackedBytes {
    /// Returns `bytes`, at most 65,535, in the format for `Content-Encoding: gzip`.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        gzipHead + stored(bytes) + littleEndian(crc(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// Returns `bytes`, at most 65,535, in the format for `Content-Encoding: deflate`.
    package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01] + stored(bytes) + littleEndian(high << 16 | low).reversed()
    }

    private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// The beginning of a gzip bomb. A test sends `bomb` after it, any number of times. Both unpack
    /// to spaces.
    package static var bombHead: [UInt8] { gzipHead + bits(matches: 8).prefix(14) }

    /// 13 bytes that unpack to 2,064 spaces, repeated 1,000 times: about 2 MB of spaces.
    package static var bomb: [UInt8] {
        let period = bits(matches: 24)[14..<27]
        return (0..<1000).flatMap { _ in period }
    }

    /// The beginning of a block with fixed codes: a space, followed by `matches` runs of 258
    /// spaces. Eight runs take 13 bytes.
    private static func bits(matches: Int) -> [UInt8] {
        var bits: [UInt8] = [0, 1, 0]
        func append(_ code: Int, _ count: Int) {
            for shift in (0..<count).reversed() { bits.append(UInt8(code >> shift & 1)) }
        }
        append(0x30 + 0x20, 8)
        for _ in 0..<matches {
            append(0b1100_0101, 8)
            append(0, 5)
        }
        return stride(from: 0, to: bits.count - 7, by: 8).map { start in
            (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
        }
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        return [
            1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8),
        ]
            + bytes
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
