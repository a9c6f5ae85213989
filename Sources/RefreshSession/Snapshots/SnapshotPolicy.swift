import RefreshProtocol

/// When a session is sealed for its client. Source: docs/protocol.md, "Sealed snapshots".
struct SnapshotPolicy {
    /// The shortest time between two snapshots that a client requests, milliseconds.
    private static let requestIntervalMs = 250.0

    /// Whether the client wants sealed snapshots, and the daemon can seal them.
    var isWanted = false
    /// When the client's last request for a snapshot was granted.
    var grantedAt: Instant?
    /// When a request that came too soon will be granted; nil if there is none.
    var due: Instant?
    var budget: SealBudget

    init(at now: Instant) {
        budget = SealBudget(now: now)
    }

    /// Handles the client's request for a snapshot. The first request is granted at once, the next
    /// `requestIntervalMs` later at the earliest. Requests before that count as one, because
    /// sealing takes time that other sessions need. Returns whether it is granted now.
    mutating func request(at now: Instant) -> Bool {
        let next = grantedAt?.advanced(byMilliseconds: Self.requestIntervalMs) ?? now
        guard next > now else { return true }
        due = next
        return false
    }

    /// Forgets what waits to be sealed.
    mutating func cancelPending() {
        due = nil
        budget.cancelWait()
    }
}

/// The members that a journal's checkpoint holds.
extension SnapshotPolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case isWanted = "wantsSnapshots"
        case grantedAt = "snapshotAskedAt"
        case due = "snapshotDue"
        case budget = "sealBudget"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        // Without a budget in the journal, it is full.
        budget =
            try members.decodeIfPresent(SealBudget.self, forKey: .budget)
            ?? SealBudget(now: .origin)
        isWanted = try members.decode(Bool.self, forKey: .isWanted)
        grantedAt = try members.decodeIfPresent(Instant.self, forKey: .grantedAt)
        due = try members.decodeIfPresent(Instant.self, forKey: .due)
    }
}
