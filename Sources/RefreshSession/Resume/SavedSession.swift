package import RefreshProtocol

/// The image of a session: the members that the forms share in which a session is saved.
///
/// - A **hand-over** to another loop needs no coding. The conversation itself moves, inside a
///   `SessionHandoff`.
/// - A **sealed snapshot** (`SessionSnapshot`) is the image, what its client must prove, and its
///   age.
/// - A **checkpoint of a journal** (`JournalCheckpoint`) is the image and the parts of the
///   conversation that concern its connection.
///
/// Each member is copied in one place, below. The parts in a checkpoint are not copied member by
/// member: a checkpoint holds them as they are. Each part states the keys of its members, and its
/// coding leaves out what is here. A snapshot holds no parts, because the next connection begins
/// with budgets, deadlines and a queue of its own.
package struct SavedSession: Hashable, Sendable, Codable {
    /// The session's name.
    package var name: String
    /// The last sequence number that was handled.
    package var ack: UInt64
    /// How the client draws.
    package var frames: FrameSettings
    /// The client's headers for backends.
    package var headers: [HeaderField]
    /// The generation of the view that was attached last, whether or not it still exists.
    package var lastGeneration: UInt32
    package var views: [SavedView]

    package init(
        name: String, ack: UInt64 = 0, frames: FrameSettings = FrameSettings(),
        headers: [HeaderField] = [], lastGeneration: UInt32 = 0, views: [SavedView] = []
    ) {
        self.name = name
        self.ack = ack
        self.frames = frames
        self.headers = headers
        self.lastGeneration = lastGeneration
        self.views = views
    }
}

extension Conversation {
    /// Returns the image of the session. The views are those of a checkpoint if `hasDelivery`, and
    /// otherwise those of a snapshot.
    func saved(hasDelivery: Bool) -> SavedSession {
        SavedSession(
            name: name, ack: inbound.ack, frames: renderMode.settings, headers: headers,
            lastGeneration: lastGeneration, views: views.map { $0.saved(hasDelivery: hasDelivery) })
    }

    /// Continues as the session of the image, except for its views.
    mutating func restoreMembers(of saved: SavedSession) {
        name = saved.name
        inbound.ack = saved.ack
        renderMode.settings = saved.frames
        headers = saved.headers
        lastGeneration = saved.lastGeneration
    }
}
