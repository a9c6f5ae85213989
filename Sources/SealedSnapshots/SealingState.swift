/// The current keys, and the derived key that seals at present.
struct SealingState: Sendable {
    /// The maximum number of texts (snapshots) that are sealed with one derived key. With this many
    /// random nonces of 96 bits, two nonces are equal with a probability of 2^-35. This is an
    /// eighth of the probability that NIST SP 800-38D, 8.3, permits.
    static let sealsMax = 1 << 31

    private(set) var ring: KeyRing
    private var derivedKey: DerivedKey
    private var sealCount = 0

    init(_ ring: KeyRing) {
        self.ring = ring
        derivedKey = DerivedKey(ring.sealingKey)
    }

    /// Returns the key for one more text.
    mutating func nextKey() -> DerivedKey {
        if sealCount == Self.sealsMax {
            derivedKey = DerivedKey(ring.sealingKey)
            sealCount = 0
        }
        sealCount += 1
        return derivedKey
    }

    /// Returns the key with that name and salt; nil if the ring has no key with that name.
    func key(named id: Substring, salt: [UInt8]) -> DerivedKey? {
        guard let key = ring.key(named: id) else { return nil }
        if salt == derivedKey.salt, key.id == derivedKey.id { return derivedKey }
        return DerivedKey(key, salt: salt)
    }
}
