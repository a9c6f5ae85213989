package import RefreshProtocol

/// The budget, in bytes per second, for clock-driven frames: frames of indicators that the daemon
/// sends by its own clock, and not with a change of state or as the answer to a message. After
/// 250 ms without frames, the budget of 250 ms (the credit) may be used at one time.
///
/// At the rate of the budget, the bytes of a frame take a certain time. When this time has passed,
/// the frame is paid for. The next frames wait until all earlier frames are paid for. No frame is
/// rejected or cut. Beyond the budget, frames are sent at a lower rate. Source: docs/operations.md,
/// "When there is too much".
package struct PlayBudget: Hashable, Codable, Sendable {
    /// The time at which all sent frames are paid for. After this time, more frames may be sent.
    package private(set) var paidUntil = past
    /// An instant before all possible moments.
    package static let past = Instant(microseconds: -(1 << 53))

    private static let creditMs = 250.0

    package init() {}

    /// Charges `bytes` bytes that were sent. `perSecond` is the budget per second; 0 means no
    /// limit.
    package mutating func charge(bytes: Int, perSecond: Int, at now: Instant) {
        guard perSecond > 0 else { return }
        let since = max(paidUntil.microseconds, now.microseconds - Int64(Self.creditMs * 1000))
        paidUntil = Instant(microseconds: since)
            .advanced(byMilliseconds: Double(bytes) * 1000 / Double(perSecond))
    }

    /// Limits the debt: at the latest `beyondMs` milliseconds from now, all sent frames are paid
    /// for.
    package mutating func capDebt(beyondMs: Double, at now: Instant) {
        paidUntil = min(paidUntil, now.advanced(byMilliseconds: beyondMs))
    }

    /// Whether the whole credit is available. Such a budget behaves like a new one, so it need not
    /// be kept.
    package func isFull(at now: Instant) -> Bool {
        now.milliseconds(since: paidUntil) >= Self.creditMs
    }
}
