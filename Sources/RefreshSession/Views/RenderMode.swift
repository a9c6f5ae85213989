import RefreshProtocol

/// How the client draws, and what that means for the frames that it is sent.
struct RenderMode {
    /// How the session handles the messages that come at display rate.
    enum Path {
        /// A `plain` client that has sent `hello`, without an observer, diagnostics, or a previous
        /// token that is still valid: nothing but its engine is involved.
        case fast
        /// Indicators are played for a `stream` client.
        case playing
        case general
    }

    var settings = FrameSettings()
    var path = Path.general
    /// The budget for clock-driven frames.
    var budget = PlayBudget()
    /// Until when clock-driven frames wait because of those for other clients of the same address.
    var heldUntil = PlayBudget.past
    /// Bytes of clock-driven frames that were written since the host last asked.
    var playedBytes = 0

    /// Whether views have a `ViewPresentation`, as the client is `stream` or `local`.
    var hasPresentations: Bool {
        // A pattern, as `!=` of an enum of another module is a call for each message.
        @inline(__always) get { if case .plain = settings.mode { false } else { true } }
    }

    var isFast: Bool {
        @inline(__always) get { path == .fast }
    }

    /// Whether indicators are played for the client.
    var playsIndicators: Bool {
        @inline(__always) get { path == .playing }
    }

    /// Selects the path. `isInspected`: more than the engine needs to see the client's messages.
    mutating func choosePath(isInspected: Bool) {
        path =
            switch settings.mode {
            case .stream: .playing
            case .plain where !isInspected: .fast
            case .plain, .local: .general
            }
    }
}

/// The members that a journal's checkpoint holds, except for the settings, which the image has.
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
