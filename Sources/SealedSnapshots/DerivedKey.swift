internal import Cryptography

/// A key that is derived from a key of the `KeyRing` and a new random salt. A process seals with
/// derived keys only. The salt is part of each sealed text, so any daemon with the key of the ring
/// can open the text. Source: docs/threat-model.md, "Nonces".
struct DerivedKey: Sendable {
    static let saltCount = 16

    let id: String
    let salt: [UInt8]
    let secret: SymmetricKey

    /// Derives the key that sealed a text with that salt.
    init(_ key: SealingKey, salt: [UInt8]) {
        id = key.id
        self.salt = salt
        secret = HKDFSHA256.key(
            from: key.secret, salt: salt, info: Array("refreshd snapshot".utf8),
            byteCount: SealingKey.byteCount)
    }

    /// Derives a new key with a random salt.
    init(_ key: SealingKey) {
        self.init(
            key, salt: (0..<Self.saltCount).map { _ in .random(in: .min ... .max) })
    }
}
