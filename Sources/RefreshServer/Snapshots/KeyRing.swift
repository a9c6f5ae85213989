internal import Cryptography
package import RefreshBroker

/// The keys of snapshots: the first one seals, all of them open.
package struct KeyRing: Sendable {
    private let first: SealingKey
    private let others: [SealingKey]
    /// Hashes the keys of items: the same in each process with the same first key.
    package let itemHash: SipHash
    /// Whether nothing of it is kept: it dies with the process.
    let isEphemeral: Bool

    init(first: SealingKey, others: [SealingKey] = [], isEphemeral: Bool = false) {
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

    /// A ring of one key that dies with the process.
    package static func ephemeral() -> KeyRing {
        KeyRing(first: .random(), isEphemeral: true)
    }

    /// The same keys before those of another ring: the first of these seals.
    package func followed(by other: KeyRing) -> KeyRing {
        KeyRing(
            first: first, others: others + [other.first] + other.others, isEphemeral: isEphemeral)
    }

    var sealing: SealingKey { first }

    func key(named id: Substring) -> SealingKey? {
        if first.id.utf8.elementsEqual(id.utf8) { return first }
        return others.first { $0.id.utf8.elementsEqual(id.utf8) }
    }
}
