package import RefreshBroker
internal import RefreshEngine
package import RefreshProtocol

/// The saved image of a session. The image outlives the session's connection, process and machine.
///
/// The instants in the image are times of the clock of the process that created the image.
package struct SessionSnapshot: Hashable, Sendable {
    package var session: SavedSession
    /// The SHA-256 of the token that was last sent to the client, 32 bytes.
    package var tokenHash: [UInt8]
    /// The authenticated subject; nil if the client is not authenticated.
    package var subject: String?
    /// Whether the client wants sealed snapshots.
    package var wantsSnapshots: Bool
    /// The hash function of the item keys, for all views whose `itemHash` is nil. It is nil if
    /// there are no hashes.
    package var itemHash: SipHash?
    /// The session's history up to the `welcome` with the token of `tokenHash`; nil if it was not
    /// recorded.
    package var history: ResumeHistory?
    /// When the snapshot was sealed; nil if it is not sealed.
    package var sealedAt: SealedMoment?

    package init(
        _ session: SavedSession, tokenHash: [UInt8], subject: String? = nil,
        wantsSnapshots: Bool = true, history: ResumeHistory? = nil
    ) {
        self.session = session
        self.tokenHash = tokenHash
        self.subject = subject
        self.wantsSnapshots = wantsSnapshots
        self.history = history
    }

    /// Converts the instants to a clock that is ahead by `microseconds`.
    package mutating func shift(byMicroseconds microseconds: Int64) {
        for index in session.views.indices {
            session.views[index].engine.shift(byMicroseconds: microseconds)
        }
        if let instant = sealedAt?.instant {
            sealedAt?.instant = instant.shifted(byMicroseconds: microseconds)
        }
    }

    /// Converts the snapshot for a process that hashes item keys with `own`. A view whose hashes
    /// have another function keeps that function. Hashes of an unknown function are dropped.
    package mutating func convertItemHashes(to own: SipHash) {
        for index in session.views.indices {
            guard let feed = session.views[index].feed else { continue }
            let hash = feed.itemHash ?? itemHash
            session.views[index].feed?.itemHash =
                hash == own || feed.shownItems.isEmpty ? nil : hash
            if hash == nil { session.views[index].feed?.shownItems = [] }
        }
        itemHash = own
    }
}

/// The snapshot is encoded as one object. The members of `session` are directly in this object.
extension SessionSnapshot: Codable {
    private enum CodingKeys: String, CodingKey {
        case tokenHash, subject, wantsSnapshots, itemHash, sealedAt
        // The compression dictionary of sealed snapshots contains the word `origin`.
        case history = "origin"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try SavedSession(from: decoder),
            tokenHash: try members.decode([UInt8].self, forKey: .tokenHash),
            subject: try members.decodeIfPresent(String.self, forKey: .subject),
            wantsSnapshots: try members.decode(Bool.self, forKey: .wantsSnapshots),
            history: try members.decodeIfPresent(ResumeHistory.self, forKey: .history))
        itemHash = try members.decodeIfPresent(SipHash.self, forKey: .itemHash)
        sealedAt = try members.decodeIfPresent(SealedMoment.self, forKey: .sealedAt)
    }

    package func encode(to encoder: any Encoder) throws {
        try session.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(tokenHash, forKey: .tokenHash)
        try members.encodeIfPresent(subject, forKey: .subject)
        try members.encode(wantsSnapshots, forKey: .wantsSnapshots)
        try members.encodeIfPresent(itemHash, forKey: .itemHash)
        try members.encodeIfPresent(history, forKey: .history)
        try members.encodeIfPresent(sealedAt, forKey: .sealedAt)
    }
}
