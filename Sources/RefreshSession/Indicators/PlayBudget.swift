package import RefreshProtocol

/// The budget for clock-driven frames, in bytes a second. After a quiet quarter of a second, the
/// bytes of that time may be sent at once.
///
/// Sent frames are paid for with time, and the next frames wait until all of them are paid for. So
/// no frame is rejected or cut: beyond the budget, frames come at a lower rate. Source:
/// docs/operations.md, "When there is too much".
package struct PlayBudget: Hashable, Codable, Sendable {
    /// When everything sent is paid for. From then on more may be sent.
    package private(set) var paidUntil = past
    /// An instant before all possible moments.
    package static let past = Instant(microseconds: -(1 << 53))

    private static let creditMs = 250.0

    package init() {}

    /// Charges `bytes` bytes that were sent. `perSecond`: the budget a second; 0 means no limit.
    package mutating func charge(bytes: Int, perSecond: Int, at now: Instant) {
        guard perSecond > 0 else { return }
        let since = max(paidUntil.microseconds, now.microseconds - Int64(Self.creditMs * 1000))
        paidUntil = Instant(microseconds: since)
            .advanced(byMilliseconds: Double(bytes) * 1000 / Double(perSecond))
    }

    /// Forgives what would be paid later than so many ms from now.
    package mutating func capDebt(beyondMs: Double, at now: Instant) {
        paidUntil = min(paidUntil, now.advanced(byMilliseconds: beyondMs))
    }

    /// Whether nothing is owed, so that a new budget would be equivalent.
    package func isFull(at now: Instant) -> Bool {
        now.milliseconds(since: paidUntil) >= Self.creditMs
    }
}
