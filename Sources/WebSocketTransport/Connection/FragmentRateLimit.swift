/// A rate limit for a peer's frames that are not a complete message: `perSecond` on average, and
/// twice as many in a burst.
struct FragmentRateLimit {
    private let perSecond: UInt32
    /// The number of frames used from the burst allowance.
    private var missing: UInt32 = 0
    /// The time of the last refill, in milliseconds. Any clock can be used, and the value may wrap.
    private var sinceMs: UInt32 = 0

    /// Creates a limit. Values above 1,000,000,000 are clamped to that.
    init(perSecond: Int) {
        self.perSecond = UInt32(clamping: min(perSecond, 1_000_000_000))
    }

    /// Consumes the allowance for one frame. Returns false if the allowance is empty.
    mutating func consume(atMs now: UInt32) -> Bool {
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

/// The rule that a peer's message breaks, so that the transport closes the connection.
package enum MessageBreach: String, CaseIterable, Sendable {
    /// The message is larger than the accepted `UpgradeDecision` allows. The close code is 1009.
    case tooBig
    /// The text message is not UTF-8. The close code is 1007.
    case notText
    /// The peer sent more fragments and pongs in a second than the accepted `UpgradeDecision`
    /// allows. The close code is 4104.
    case tooManyFrames
}
