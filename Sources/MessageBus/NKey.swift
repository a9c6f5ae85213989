internal import Cryptography

/// The key of a user as NATS writes it: an Ed25519 key in base32 (RFC 4648, 6) with a prefix and a
/// checksum. Source: github.com/nats-io/nkeys.
struct NKey {
    /// The 32 bytes from which both keys are derived.
    private let seed: [UInt8]

    private static let seedPrefix: UInt8 = 18 << 3
    private static let userPrefix: UInt8 = 20 << 3
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Decodes the seed of a user, which begins with `SU`. Returns nil if the text is not one.
    init?(seed text: some StringProtocol) {
        guard let bytes = Self.base32(text.utf8), bytes.count == 36 else { return nil }
        let checksum = UInt16(bytes[34]) | UInt16(bytes[35]) << 8
        guard Self.checksum(bytes[..<34]) == checksum else { return nil }
        // The seed's prefix has five bits, and the prefix of its kind has eight.
        guard bytes[0] & 0xF8 == Self.seedPrefix,
            bytes[0] << 5 | bytes[1] >> 3 == Self.userPrefix
        else { return nil }
        seed = Array(bytes[2..<34])
    }

    /// Finds the seed in the contents of a file. The seed is a line of its own.
    init?(file bytes: [UInt8]) {
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
        let line = lines.lazy.map { String(decoding: $0, as: UTF8.self) }.first {
            $0.hasPrefix("SU")
        }
        guard let line else { return nil }
        self.init(seed: line.filter { $0 != " " })
    }

    /// The public key, which begins with `U`. The configuration of a server contains it.
    var publicText: String? {
        guard let key = Ed25519.publicKey(seed: seed) else { return nil }
        let bytes = [Self.userPrefix] + key
        let checksum = Self.checksum(bytes[...])
        return Self.base32(bytes + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)])
    }

    /// The checksum CRC-16/XMODEM.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var rest: UInt16 = 0
        for byte in bytes {
            rest ^= UInt16(byte) << 8
            for _ in 0..<8 { rest = rest & 0x8000 != 0 ? rest << 1 ^ 0x1021 : rest << 1 }
        }
        return rest
    }

    static func base32(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func base32(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= (1 << count) - 1
        }
        return bytes
    }
}
