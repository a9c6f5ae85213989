internal import Cryptography

/// What a key of the ring seals with while a process runs: a key of its own, made of that one and
/// of a salt that nobody had before. The salt stands in each text, so that whoever has the key of
/// the ring can open it. Source: docs/threat-model.md, "Nonces".
struct DerivedKey: Sendable {
    static let saltCount = 16

    let id: String
    let salt: [UInt8]
    let secret: SymmetricKey

    /// The key that sealed a text with that salt.
    init(_ key: SealingKey, salt: [UInt8]) {
        id = key.id
        self.salt = salt
        secret = HKDFSHA256.key(
            from: key.secret, salt: salt, info: Array("refreshd snapshot".utf8),
            byteCount: SealingKey.byteCount)
    }

    /// A new one.
    init(_ key: SealingKey) {
        self.init(
            key, salt: (0..<Self.saltCount).map { _ in .random(in: .min ... .max) })
    }
}
