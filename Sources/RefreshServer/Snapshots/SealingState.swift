/// The keys that hold, and the one that seals now.
struct SealingState: Sendable {
    /// So many texts are sealed by one derived key. Of so many nonces of 96 random bits two
    /// are alike with a chance of 2^-35, an eighth of what NIST SP 800-38D, 8.3, allows.
    static let sealsMax = 1 << 31

    private(set) var ring: KeyRing
    private var sealing: DerivedKey
    private var seals = 0

    init(_ ring: KeyRing) {
        self.ring = ring
        sealing = DerivedKey(ring.sealing)
    }

    /// The key for one text more.
    mutating func next() -> DerivedKey {
        if seals == Self.sealsMax {
            sealing = DerivedKey(ring.sealing)
            seals = 0
        }
        seals += 1
        return sealing
    }

    /// The key of that name, and with that salt; nil if there is none.
    func key(named id: Substring, salt: [UInt8]) -> DerivedKey? {
        guard let key = ring.key(named: id) else { return nil }
        if salt == sealing.salt, key.id == sealing.id { return sealing }
        return DerivedKey(key, salt: salt)
    }
}
