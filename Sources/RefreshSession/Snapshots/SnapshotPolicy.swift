import RefreshProtocol

/// The policy that decides when a session is sealed for its client. Source: docs/protocol.md,
/// "Sealed snapshots".
struct SnapshotPolicy {
    /// The shortest time between two snapshots that a client requests, in milliseconds.
    private static let requestIntervalMs = 250.0

    /// Whether the client wants sealed snapshots, and the daemon can seal them.
    var isEnabled = false {
        didSet { if isEnabled { wasEnabled = true } }
    }
    /// Whether the client may have snapshots of the session, also of an earlier connection.
    var wasEnabled = false
    /// When the client's last request for a snapshot was granted; nil before the first such
    /// request.
    var grantedAt: Instant?
    /// When a waiting request will be granted; nil if no request waits.
    var due: Instant?
    var budget: SealBudget

    init(at now: Instant) {
        budget = SealBudget(now: now)
    }

    /// Handles the client's request for a snapshot, and returns whether it is granted now.
    ///
    /// The first request is granted at once. The next one is granted `requestIntervalMs` later at
    /// the earliest. All requests until then count as one, because sealing takes time that other
    /// sessions need.
    mutating func request(at now: Instant) -> Bool {
        let next = grantedAt?.advanced(byMilliseconds: Self.requestIntervalMs) ?? now
        guard next > now else { return true }
        due = next
        return false
    }

    /// Cancels the request that waits, and the wait of a frame for its snapshot.
    mutating func cancelPending() {
        due = nil
        budget.cancelWait()
    }
}

/// The encoding of the policy in the checkpoint of a journal.
extension SnapshotPolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case isEnabled = "wantsSnapshots"
        case wasEnabled = "hasSnapshots"
        case grantedAt = "snapshotAskedAt"
        case due = "snapshotDue"
        case budget = "sealBudget"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        // If the journal does not contain a budget, the session begins with a full budget.
        budget =
            try members.decodeIfPresent(SealBudget.self, forKey: .budget)
            ?? SealBudget(now: .origin)
        isEnabled = try members.decode(Bool.self, forKey: .isEnabled)
        wasEnabled = try members.decodeIfPresent(Bool.self, forKey: .wasEnabled) ?? isEnabled
        grantedAt = try members.decodeIfPresent(Instant.self, forKey: .grantedAt)
        due = try members.decodeIfPresent(Instant.self, forKey: .due)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(isEnabled, forKey: .isEnabled)
        if wasEnabled != isEnabled { try members.encode(wasEnabled, forKey: .wasEnabled) }
        try members.encodeIfPresent(grantedAt, forKey: .grantedAt)
        try members.encodeIfPresent(due, forKey: .due)
        try members.encode(budget, forKey: .budget)
    }
}
