internal import RefreshBroker
internal import RefreshProtocol

/// A named deadline with a serial number. The number is never reused and orders equal deadlines.
struct NumberedDeadline<Name: Sendable>: Due {
    let deadline: Instant
    let serial: UInt64
    let name: Name

    func precedes(_ other: NumberedDeadline) -> Bool {
        deadline == other.deadline ? serial < other.serial : deadline < other.deadline
    }
}

extension DueQueue {
    mutating func insert<Name>(_ name: Name, at deadline: Instant, serial: UInt64)
    where Entry == NumberedDeadline<Name> {
        insert(NumberedDeadline(deadline: deadline, serial: serial, name: name))
    }
}
