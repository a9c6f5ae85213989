internal import Cryptography

/// The key of a user as NATS writes it: an Ed25519 key in base32 (RFC 4648, 6) with a prefix and a
/// checksum. Source: github.com/nats-io/nkeys.
struct NKey {
    /// The 32 bytes from which both keys are derived.
    private let seed: [UInt8]

    private static let userPrefix: UInt8 = 20 << 3

    /// Decodes the seed of a user, which begins with `SU`. Returns nil if the text is not one.
    init?(seed text: some StringProtocol) {
        guard let seed = NKeySeed(Substring(text)) else { return nil }
        self.seed = seed.privateKey
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
        return Base32.text(of: bytes + NKeySeed.checksum(of: bytes[...]))
    }
}
