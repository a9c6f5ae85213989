package import RefreshBroker
internal import RefreshEngine
package import RefreshProtocol

/// Everything of a session that outlives its connection, its process and its machine.
///
/// Its instants are those of the clock that it was made with.
package struct SessionSnapshot: Hashable, Sendable, Codable {
    /// The session's name.
    package var name: String
    /// The SHA-256 of the token that the client was given last, 32 bytes.
    package var tokenHash: [UInt8]
    /// The authenticated subject; nil if the client is not authenticated.
    package var subject: String?
    /// The last sequence number that was handled.
    package var ack: UInt64
    /// How the client draws.
    package var frames: FrameSettings
    /// The client's headers for backends.
    package var headers: [HeaderField]
    /// Whether the client wants sealed snapshots.
    package var wantsSnapshots: Bool
    /// The generation of the view that was attached last, whether or not it still exists.
    package var lastGeneration: UInt32
    package var views: [ViewSnapshot]
    /// The hash function of the views' item keys, unless a view has another one; nil if there are
    /// no hashes.
    package var itemHash: SipHash?
    /// The session's history up to the `welcome` with that token; nil if it was not recorded.
    package var lineage: ResumeHistory?
    /// When the snapshot was sealed; nil if it was not.
    package var sealedAt: SealedMoment?

    private enum CodingKeys: String, CodingKey {
        case name, tokenHash, subject, ack, frames, headers, wantsSnapshots, lastGeneration, views
        case itemHash, sealedAt
        // A word that the dictionary of sealed snapshots contains.
        case lineage = "origin"
    }

    package init(
        name: String, tokenHash: [UInt8], subject: String? = nil, ack: UInt64 = 0,
        frames: FrameSettings = FrameSettings(), headers: [HeaderField] = [],
        wantsSnapshots: Bool = true, lastGeneration: UInt32 = 0, views: [ViewSnapshot] = []
    ) {
        self.name = name
        self.tokenHash = tokenHash
        self.subject = subject
        self.ack = ack
        self.frames = frames
        self.headers = headers
        self.wantsSnapshots = wantsSnapshots
        self.lastGeneration = lastGeneration
        self.views = views
    }

    /// Converts the instants to a clock that shows `microseconds` more at the same moment.
    package mutating func shift(byMicroseconds microseconds: Int64) {
        for index in views.indices { views[index].engine.shift(byMicroseconds: microseconds) }
        if let instant = sealedAt?.instant {
            sealedAt?.instant = instant.shifted(byMicroseconds: microseconds)
        }
    }

    /// Converts the snapshot for a process that hashes item keys with `own`. Views with another
    /// hash function record it from now on. Hashes of an unknown function are dropped.
    package mutating func convertItemHashes(to own: SipHash) {
        for index in views.indices {
            guard let feed = views[index].feed else { continue }
            let hash = feed.itemHash ?? itemHash
            views[index].feed?.itemHash = hash == own || feed.shownItems.isEmpty ? nil : hash
            if hash == nil { views[index].feed?.shownItems = [] }
        }
        itemHash = own
    }
}
