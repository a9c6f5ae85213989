internal import RefreshProtocol

/// When something is due of a load that the broker has.
struct LoadDeadline: Due, Hashable {
    let deadline: Instant
    /// Of a waiter: orders equal deadlines by arrival. Else one of the two below.
    let serial: UInt64
    /// The load that it is about.
    let flight: UInt64

    /// Of the load's own deadline or pause: after those of its waiters at the same instant, so that
    /// a last waiter's deadline is its own and not the call's failure.
    static let flightSerial = UInt64.max
    /// Of progress that waits to be told.
    static let progressSerial = UInt64.max - 1

    func precedes(_ other: LoadDeadline) -> Bool {
        if deadline != other.deadline { return deadline < other.deadline }
        return serial == other.serial ? flight < other.flight : serial < other.serial
    }
}
