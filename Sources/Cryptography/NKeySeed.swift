/// The seed of the nkey of a user: an Ed25519 private key, with which a client of NATS
/// authenticates. Source: the documentation of NATS, "NKeys".
///
/// The text of a seed is base32 of 36 bytes: a prefix, the private key, and a checksum. It has 58
/// characters and begins with `SU`.
package struct NKeySeed: Sendable {
    /// The private key: 32 bytes.
    package let privateKey: [UInt8]

    /// The prefix, which states that the text is a seed, and that the key is a user's.
    private static let prefix: [UInt8] = [0x95, 0x00]

    /// Decodes a text. Returns nil if the text is not the seed of a user.
    package init?(_ text: Substring) {
        guard let bytes = Base32.bytes(of: text), bytes.count == 36,
            bytes.starts(with: Self.prefix),
            Self.checksum(of: bytes.dropLast(2)) == Array(bytes.suffix(2))
        else { return nil }
        privateKey = Array(bytes.dropFirst(2).dropLast(2))
    }

    /// Returns the checksum with which nkeys end: CRC-16/XMODEM (polynomial 0x1021), in
    /// little-endian order.
    package static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
        return [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }
}
