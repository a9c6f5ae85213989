import RefreshProtocol

/// How the client draws, and the state of the indicator frames that the daemon sends to it.
struct RenderMode {
    /// How the session handles frequent messages.
    enum Path {
        /// Only the engine handles the messages. The client is `plain` and has sent `hello`. There
        /// is no observer, and there are no diagnostics and no valid previous resume token.
        case fast
        /// Indicators are played for a `stream` client.
        case playing
        case general
    }

    var settings = FrameSettings()
    var path = Path.general
    /// The budget for clock-driven frames. These are frames that are sent because time has passed,
    /// while an indicator plays.
    var budget = PlayBudget()
    /// Clock-driven frames wait until this time because of frames that were sent to other clients
    /// of the same network.
    var heldUntil = PlayBudget.past
    /// The bytes of clock-driven frames that were written since the last call of
    /// `consumePlayedBytes`.
    var playedBytes = 0

    /// Whether views have a `ViewPresentation`, because the client is `stream` or `local`.
    var hasPresentations: Bool {
        // This is a pattern, because `!=` of an enum in another module would be a function call for
        // each message.
        @inline(__always) get { if case .plain = settings.mode { false } else { true } }
    }

    var isFast: Bool {
        @inline(__always) get { path == .fast }
    }

    /// Whether indicators are played for the client.
    var playsIndicators: Bool {
        @inline(__always) get { path == .playing }
    }

    /// Selects the path. `isInspected` states whether code other than the engine needs the client's
    /// messages.
    mutating func choosePath(isInspected: Bool) {
        path =
            switch settings.mode {
            case .stream: .playing
            case .plain where !isInspected: .fast
            case .plain, .local: .general
            }
    }
}

/// The members that a journal's checkpoint contains. The settings are in `SavedSession` instead.
extension RenderMode: Codable {
    private enum CodingKeys: String, CodingKey {
        case budget = "playBudget"
        case heldUntil = "framesHeldUntil"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        budget = try members.decodeIfPresent(PlayBudget.self, forKey: .budget) ?? PlayBudget()
        heldUntil =
            try members.decodeIfPresent(Instant.self, forKey: .heldUntil) ?? PlayBudget.past
    }
}
