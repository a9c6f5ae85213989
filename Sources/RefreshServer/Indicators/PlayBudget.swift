import RefreshProtocol

/// What frames by the clock cost: so many bytes a second. After a quiet quarter of a second
/// what that allows may go at once.
///
/// What has gone out is paid with time, and the next frames wait until all of it is paid. So
/// nothing is refused and nothing is half sent: beyond the budget frames come at a lower rate.
/// Source: docs/operations.md, "When there is too much".
struct PlayBudget: Hashable, Codable, Sendable {
    /// When all that was sent is paid: from then on there may be more.
    private(set) var paidUntil = past
    /// Before all moments that there may be.
    static let past = Instant(microseconds: -(1 << 53))

    private static let creditMs = 250.0

    /// So many bytes have gone out. `perSecond`: what is paid in a second; 0: there is no bound.
    mutating func charge(bytes: Int, perSecond: Int, at now: Instant) {
        guard perSecond > 0 else { return }
        let since = max(paidUntil.microseconds, now.microseconds - Int64(Self.creditMs * 1000))
        paidUntil = Instant(microseconds: since)
            .advanced(byMilliseconds: Double(bytes) * 1000 / Double(perSecond))
    }

    /// What would be paid later than so many ms from now is not owed any more.
    mutating func forgive(beyondMs: Double, at now: Instant) {
        paidUntil = min(paidUntil, now.advanced(byMilliseconds: beyondMs))
    }

    /// Whether nothing is owed, so that another budget would be as good.
    func isFull(at now: Instant) -> Bool {
        now.milliseconds(since: paidUntil) >= Self.creditMs
    }
}
