internal import Cryptography
package import RefreshBroker

/// The keys for snapshots. The first key encrypts new snapshots (seals them). Each key decrypts the
/// snapshots that were sealed with it (opens them).
package struct KeyRing: Sendable {
    private let first: SealingKey
    private let others: [SealingKey]
    /// Hashes item keys (the values that identify items). The hash function is the same in each
    /// process whose ring has the same first key.
    package let itemHash: SipHash
    /// Whether the ring exists only in memory, so that it is lost when the process ends.
    package let isEphemeral: Bool

    package init(first: SealingKey, others: [SealingKey] = [], isEphemeral: Bool = false) {
        self.first = first
        self.others = others
        self.isEphemeral = isEphemeral
        let material = HKDFSHA256.key(
            from: first.secret, info: Array("refreshd item keys".utf8), byteCount: 16
        ).bytes
        let words = [0, 8].map { start in
            material[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        itemHash = SipHash(key: words[0], words[1])
    }

    /// Returns a ring with one key. The ring is lost when the process ends.
    package static func ephemeral() -> KeyRing {
        KeyRing(first: .random(), isEphemeral: true)
    }

    /// Returns a ring of the keys of this ring, followed by the keys of another ring. The first key
    /// of this ring seals.
    package func followed(by other: KeyRing) -> KeyRing {
        KeyRing(
            first: first, others: others + [other.first] + other.others, isEphemeral: isEphemeral)
    }

    var sealingKey: SealingKey { first }

    func key(named id: Substring) -> SealingKey? {
        if first.id.utf8.elementsEqual(id.utf8) { return first }
        return others.first { $0.id.utf8.elementsEqual(id.utf8) }
    }
}
