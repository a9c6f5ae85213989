internal import RefreshProtocol

/// When something of that name is due, by a number that is never used twice and orders equal
/// deadlines.
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
