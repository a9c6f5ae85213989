import RefreshProtocol

/// The views that were detached since the last snapshot. A session that is rebuilt from this
/// snapshot would continue such a view if a new view has its name. Source: docs/coming-back.md.
struct Detachments: Hashable, Sendable {
    /// The largest number of names. Beyond it, all names count as those of detached views.
    static let namesMax = 128

    /// By name, the number of the last `detach`.
    private var numbers: [String: UInt64] = [:]
    /// The number of the last `detach` of any other view.
    private var othersNumber: UInt64 = 0
    /// The number for which a snapshot was requested.
    private var requestedNumber: UInt64 = 0

    init() {}

    /// Continues what `saved` has returned.
    init(_ saved: JSONValue?) {
        othersNumber = saved?["others"]?.sequence ?? 0
        guard case .object(let members)? = saved?["views"] else { return }
        for member in members { record(member.name, seq: member.value.sequence ?? 0) }
    }

    /// The value for a saved state.
    var saved: JSONValue {
        let views = numbers.sorted { $0.key < $1.key }
            .map { JSONValue.Member($0.key, .number(Double($0.value))) }
        return .object([
            .init("others", .number(Double(othersNumber))), .init("views", .object(views)),
        ])
    }

    mutating func record(_ name: String, seq: UInt64) {
        numbers[name] = seq
        guard numbers.count > Self.namesMax else { return }
        othersNumber = max(othersNumber, numbers.values.max() ?? 0)
        numbers = [:]
    }

    /// A snapshot has arrived that contains the effects of the messages up to this number.
    mutating func settle(upTo ack: UInt64) { numbers = numbers.filter { $0.value > ack } }

    /// The smallest `ack` of a snapshot that has no earlier views with these names.
    func requiredAck(for names: Set<String>) -> UInt64 {
        names.reduce(othersNumber) { max($0, numbers[$1] ?? 0) }
    }

    /// Whether a snapshot with this `ack` must be requested. It is true once for each number.
    mutating func shouldRequest(_ required: UInt64) -> Bool {
        defer { requestedNumber = max(requestedNumber, required) }
        return required > requestedNumber
    }
}

extension SessionLink {
    /// Whether the snapshot may have an earlier view with one of these names.
    func isSnapshotOutdated(for names: Set<String>) -> Bool {
        guard let snapshot else { return false }
        return snapshot.ack < detachments.requiredAck(for: names)
    }

    /// Whether the client should request a snapshot in place of an outdated one.
    mutating func shouldReplaceSnapshot(for names: Set<String>) -> Bool {
        let required = detachments.requiredAck(for: names)
        guard isSnapshotOutdated(for: names), ack >= required else { return false }
        return detachments.shouldRequest(required)
    }
}
