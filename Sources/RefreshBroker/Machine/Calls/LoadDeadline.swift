internal import RefreshProtocol

/// A deadline of a shared load (`SharedLoad`), or of one of its waiters. A waiter is a session's
/// load that waits for the answer to the shared load.
struct LoadDeadline: Due, Hashable {
    let deadline: Instant
    /// The serial number of the waiter, which orders equal deadlines by arrival. For other
    /// deadlines, it is one of the constants below.
    let serial: UInt64
    /// The number of the shared load, or of the series of pages (`PageSeries`), to which the
    /// deadline belongs.
    let flight: UInt64

    /// Marks the time at which the load's phase ends (`SharedLoad.timer`). At the same instant,
    /// this deadline is handled after the deadlines of the load's waiters. Therefore a waiter
    /// with a deadline at the same instant times out, and does not receive the call's failure.
    static let flightSerial = UInt64.max
    /// Marks the time at which delayed progress is delivered.
    static let progressSerial = UInt64.max - 1

    func precedes(_ other: LoadDeadline) -> Bool {
        if deadline != other.deadline { return deadline < other.deadline }
        return serial == other.serial ? flight < other.flight : serial < other.serial
    }
}
