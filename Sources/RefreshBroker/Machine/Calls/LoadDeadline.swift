internal import RefreshProtocol

/// A deadline of a load or of one of its waiters.
struct LoadDeadline: Due, Hashable {
    let deadline: Instant
    /// The serial number of the waiter, which orders equal deadlines by arrival. For other
    /// deadlines, it is one of the constants below.
    let serial: UInt64
    /// The load that the deadline belongs to.
    let flight: UInt64

    /// Marks the deadline of the load's call, or the end of the load's pause. It comes after the
    /// deadlines of the load's waiters at the same instant. Therefore the last waiter times out,
    /// and does not receive the call's failure.
    static let flightSerial = UInt64.max
    /// Marks progress that is waiting for delivery.
    static let progressSerial = UInt64.max - 1

    func precedes(_ other: LoadDeadline) -> Bool {
        if deadline != other.deadline { return deadline < other.deadline }
        return serial == other.serial ? flight < other.flight : serial < other.serial
    }
}
