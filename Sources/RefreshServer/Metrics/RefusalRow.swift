/// One row of the counters of refused upgrades: the upgrades with this status and reason.
package struct RefusalRow: Hashable, Sendable {
    /// The status of the answer; `other` for statuses without their own row.
    package let status: String
    /// The name of a `GateRefusal`; `notWellFormed` if the transport refused the upgrade.
    package let reason: String

    /// The reason of upgrades that the transport refuses.
    static let notWellFormed = "notWellFormed"
    /// The statuses of the transport's refusals.
    static let transportStatuses = [400, 405, 426]

    /// All rows. The index of a row in this list is also the index of its counter.
    package static let all: [RefusalRow] =
        GateRefusal.allCases.map { RefusalRow(status: String($0.status), reason: "\($0)") }
        + transportStatuses.map { RefusalRow(status: String($0), reason: notWellFormed) }
        + [RefusalRow(status: "other", reason: notWellFormed)]

    private static let gateRows = Dictionary(
        uniqueKeysWithValues: GateRefusal.allCases.enumerated().map { ($1, $0) })

    /// Returns the index of the row for a refusal by the gate.
    static func index(of refusal: GateRefusal) -> Int { gateRows[refusal] ?? 0 }

    /// Returns the index of the row for a refusal by the transport with that status.
    static func index(ofTransportStatus status: Int) -> Int {
        GateRefusal.allCases.count
            + (transportStatuses.firstIndex(of: status) ?? transportStatuses.count)
    }
}
