/// How many frames that are no whole message a peer may still send: so many a second, twice as many
/// at once.
struct LooseFrames {
    private let perSecond: UInt32
    /// How many are missing of twice as many.
    private var missing: UInt32 = 0
    /// When some were last given back, milliseconds of any clock; it may wrap.
    private var sinceMs: UInt32 = 0

    /// Beyond a thousand million it is no bound.
    init(perSecond: Int) {
        self.perSecond = UInt32(clamping: min(perSecond, 1_000_000_000))
    }

    /// Takes one; false if there is none.
    mutating func take(atMs now: UInt32) -> Bool {
        let back = UInt64(now &- sinceMs) * UInt64(perSecond) / 1000
        if back > 0 {
            missing = UInt64(missing) > back ? missing - UInt32(back) : 0
            sinceMs = now
        }
        guard missing < 2 * perSecond else { return false }
        missing += 1
        return true
    }
}
