package import RefreshProtocol

/// The saved image of a session. It contains the members that all saved forms share.
///
/// - A **hand-over** to another loop needs no encoding. The `Conversation` itself moves, inside a
///   `SessionHandoff`.
/// - A **sealed snapshot** (`SessionSnapshot`) is the image, the time of the sealing, and the
///   claims that the client must prove.
/// - A **checkpoint of a journal** (`JournalCheckpoint`) is the image and the parts of the
///   conversation that concern its connection.
///
/// The extension below is the only code that copies the members. A checkpoint contains the parts of
/// the conversation unchanged. Each part declares the coding keys of its own members, and does not
/// encode the members of the image. A snapshot contains no parts, because the next connection
/// begins with its own budgets, deadlines and queue.
package struct SavedSession: Hashable, Sendable, Codable {
    /// The session's name.
    package var name: String
    /// The sequence number of the last handled message.
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
    /// Returns the image of the session. If `hasDelivery` is true, the views are saved for a
    /// checkpoint. If not, they are saved for a snapshot.
    func saved(hasDelivery: Bool) -> SavedSession {
        SavedSession(
            name: name, ack: inbound.ack, frames: renderMode.settings, headers: headers,
            lastGeneration: lastGeneration, views: views.map { $0.saved(hasDelivery: hasDelivery) })
    }

    /// Restores all members of the image except the views.
    mutating func restoreMembers(of saved: SavedSession) {
        name = saved.name
        inbound.ack = saved.ack
        renderMode.settings = saved.frames
        headers = saved.headers
        lastGeneration = saved.lastGeneration
    }
}
