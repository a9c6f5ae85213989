/// One row of the upgrades that were refused: the status, and why.
package struct RefusalRow: Hashable, Sendable {
    /// As in the answer; `other` for those that no refusal of ours has.
    package let status: String
    /// The name of a `GateRefusal`; `notWellFormed` for what the transport refuses by itself.
    package let reason: String

    /// The reason of what the transport refuses by itself.
    static let notWellFormed = "notWellFormed"
    /// The statuses that the transport refuses with.
    static let transportStatuses = [400, 405, 426]

    /// All rows, in the order in which they are counted.
    package static let all: [RefusalRow] =
        GateRefusal.allCases.map { RefusalRow(status: String($0.status), reason: "\($0)") }
        + transportStatuses.map { RefusalRow(status: String($0), reason: notWellFormed) }
        + [RefusalRow(status: "other", reason: notWellFormed)]

    private static let gateRows = Dictionary(
        uniqueKeysWithValues: GateRefusal.allCases.enumerated().map { ($1, $0) })

    /// The place of a refusal of the gate among all rows.
    static func index(of refusal: GateRefusal) -> Int { gateRows[refusal] ?? 0 }

    /// The place of a refusal of the transport with that status.
    static func index(ofTransportStatus status: Int) -> Int {
        GateRefusal.allCases.count
            + (transportStatuses.firstIndex(of: status) ?? transportStatuses.count)
    }
}
