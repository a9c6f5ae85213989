internal import Foundation

/// The checkpoint of a running session. A journal that an operator requests begins with a
/// checkpoint. The checkpoint contains all state that determines the session's further output, but
/// nothing with which another client could resume the session. Source: docs/journal.md, "Journals
/// on request".
package struct JournalCheckpoint: Sendable {
    var session: SavedSession
    var principal: Principal
    var phase: ConnectionPhase.SavedState
    var credentials: ResumeCredentials
    var snapshotPolicy: SnapshotPolicy
    var outbox: SessionOutbox
    var inbound: InboundGuard
    var renderMode: RenderMode
    var delayedRefreshes: DelayedRefreshes
}

/// The checkpoint is encoded as one object with the members of `SavedSession` and of all parts of
/// the conversation. A part leaves out members that are in `SavedSession`, that are derived, or
/// that only the running process needs. Some members have defaults, because older journals lack
/// them.
extension JournalCheckpoint: Codable {
    package init(from decoder: any Decoder) throws {
        session = try SavedSession(from: decoder)
        principal = try Principal(from: decoder)
        phase = try ConnectionPhase.SavedState(from: decoder)
        credentials = try ResumeCredentials(from: decoder)
        snapshotPolicy = try SnapshotPolicy(from: decoder)
        outbox = try SessionOutbox(from: decoder)
        inbound = try InboundGuard(from: decoder)
        renderMode = try RenderMode(from: decoder)
        delayedRefreshes = try DelayedRefreshes(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        try principal.encode(to: encoder)
        try phase.encode(to: encoder)
        try credentials.encode(to: encoder)
        try snapshotPolicy.encode(to: encoder)
        try outbox.encode(to: encoder)
        try inbound.encode(to: encoder)
        try renderMode.encode(to: encoder)
        try delayedRefreshes.encode(to: encoder)
    }
}

/// Two checkpoints are equal if their texts in a journal are equal.
extension JournalCheckpoint: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.json == other.json }

    package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// The JSON of a session's checkpoint in a journal.
extension JournalCheckpoint {
    // JSON has no infinity and no NaN.
    private static let infinity = "inf"
    private static let minusInfinity = "-inf"
    private static let noNumber = "nan"

    /// The JSON, with its keys in a fixed order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity,
            nan: Self.noNumber)
        let text = try? encoder.encode(self)
        return text.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns nil if the text is not valid.
    init?(json: String) {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity,
            nan: Self.noNumber)
        guard let checkpoint = try? decoder.decode(Self.self, from: Data(json.utf8)) else {
            return nil
        }
        self = checkpoint
    }
}
