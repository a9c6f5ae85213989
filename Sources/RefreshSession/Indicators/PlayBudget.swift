package import RefreshProtocol

/// The budget for clock-driven frames, in bytes per second. After 250 ms without frames, the budget
/// of 250 ms may be used at one time.
///
/// A sent frame is paid for when the time has passed that its bytes take at the budget's rate. The
/// next frames wait until all earlier frames are paid for. No frame is rejected or cut. Beyond the
/// budget, frames are sent at a lower rate. Source: docs/operations.md, "When there is too much".
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

    /// Whether the budget is full. A full budget can be replaced by a new budget.
    package func isFull(at now: Instant) -> Bool {
        now.milliseconds(since: paidUntil) >= Self.creditMs
    }
}
