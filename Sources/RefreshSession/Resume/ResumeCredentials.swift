import RefreshProtocol

/// The tokens that let a client resume its session, and the session's history of openings. Source:
/// docs/protocol.md, "Coming back".
struct ResumeCredentials {
    /// If a message arrives at least this many milliseconds after a `welcome`, it proves that the
    /// client has received the `welcome`.
    static let welcomeLossMs = 10_000.0

    /// The token that a client needs to resume; nil if the session cannot be resumed.
    var token: ResumeToken?
    /// The previous token. A client that did not receive the last `welcome` still uses the previous
    /// token. This token is valid until `previousResumeTokenEnds` at the latest.
    var previousResumeToken: ResumeToken?
    /// When `previousResumeToken` becomes void. The time is counted from the first `welcome` that
    /// replaced the token. Later resumes with the previous token do not extend the time.
    var previousResumeTokenEnds = Instant.never
    /// The number of the `welcome` that contained `previousResumeToken`, counted from the start of
    /// the last line of `history` (see `ResumeHistory`). It is 0 if this `welcome` belongs to an
    /// earlier line.
    var previousResumeTokenWelcomes: UInt64 = 0
    /// The session's history of openings and rebuilds.
    var history: ResumeHistory
    /// When the last `welcome` was sent.
    var welcomedAt: Instant
    /// When the connection of the last `welcome` was opened.
    var connectedAt: Instant

    init(token: ResumeToken?, openedAs name: String, at now: Instant) {
        self.token = token
        history = ResumeHistory(openedAs: name)
        welcomedAt = now
        connectedAt = now
    }

    /// Whether the token is valid for a client whose connection was opened at `connectedAt`. A
    /// client that has not received the newest token resumes with the previous one. If its
    /// connection is older than the connection of the last `welcome`, the previous token is
    /// rejected. The client has abandoned such a connection, and its request is late.
    func acceptsResumeToken(_ text: String, from connectedAt: Instant, at now: Instant) -> Bool {
        if token?.matches(text) == true { return true }
        return now < previousResumeTokenEnds && previousResumeToken?.matches(text) == true
            && connectedAt >= self.connectedAt
    }

    /// Whether a client with a snapshot of the history `other` has continued this session
    /// elsewhere.
    func isSuperseded(by other: ResumeHistory, isConnected: Bool, at now: Instant) -> Bool {
        history.isSuperseded(
            by: other, received: receivedWelcomes(isConnected: isConnected, at: now))
    }

    /// The number of the last `welcome` on the last line of `history` that the client has certainly
    /// received.
    ///
    /// While the client is disconnected, the session does not know whether the client received the
    /// last `welcome`, even if this `welcome` was sent long ago.
    func receivedWelcomes(isConnected: Bool, at now: Instant) -> UInt64 {
        let mayBeLost =
            previousResumeToken != nil && (now < previousResumeTokenEnds || !isConnected)
        return mayBeLost ? previousResumeTokenWelcomes : history.welcomes
    }

    /// Replaces the token for the next `welcome`. The token that the client presented stays valid
    /// for `validMs` milliseconds, but only until a message proves that the client has received the
    /// new token. If the client presents the previous token again, the validity of that token is
    /// not extended.
    mutating func replaceResumeToken(
        by newToken: ResumeToken?, presentedToken: String?, validMs: Double, at now: Instant
    ) {
        welcomedAt = now
        defer {
            token = newToken
            history.recordWelcome()
        }
        if let presentedToken, token?.matches(presentedToken) != true,
            previousResumeToken?.matches(presentedToken) == true
        {
            return
        }
        previousResumeToken = presentedToken.flatMap { ResumeToken($0) } ?? token
        previousResumeTokenEnds = now.advanced(byMilliseconds: validMs)
        previousResumeTokenWelcomes = history.welcomes
    }

    /// Handles the arrival of a message from the client. If the last `welcome` is older than
    /// `welcomeLossMs`, the message proves that the client received this `welcome`, so the previous
    /// token is voided. Returns whether the token was voided.
    mutating func voidPreviousResumeToken(at now: Instant) -> Bool {
        guard now >= welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs) else { return false }
        previousResumeToken = nil
        return true
    }
}

/// The members in a journal's checkpoint. They do not include tokens, but state whether there is a
/// previous token.
extension ResumeCredentials: Codable {
    private enum CodingKeys: String, CodingKey {
        case welcomedAt
        case hasPreviousToken = "hasLastToken"
        case previousResumeTokenEnds = "lastTokenEnds"
        case previousResumeTokenWelcomes = "lastTokenWelcomes"
        case history = "lineage"
        // The session's name. `SavedSession` encodes it, and this type only decodes it.
        case name
    }

    /// The credentials without the token, and with the mask in place of the previous token.
    var withoutTokens: ResumeCredentials {
        var copy = self
        copy.token = nil
        copy.previousResumeToken = previousResumeToken.map { _ in .masked }
        return copy
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            token: nil, openedAs: try members.decode(String.self, forKey: .name),
            at: try members.decode(Instant.self, forKey: .welcomedAt))
        previousResumeToken =
            try members.decode(Bool.self, forKey: .hasPreviousToken) ? .masked : nil
        previousResumeTokenEnds =
            try members.decodeIfPresent(Instant.self, forKey: .previousResumeTokenEnds)
            ?? welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs)
        previousResumeTokenWelcomes =
            try members.decodeIfPresent(UInt64.self, forKey: .previousResumeTokenWelcomes) ?? 0
        history = try members.decodeIfPresent(ResumeHistory.self, forKey: .history) ?? history
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(previousResumeToken != nil, forKey: .hasPreviousToken)
        try members.encode(previousResumeTokenEnds, forKey: .previousResumeTokenEnds)
        try members.encode(previousResumeTokenWelcomes, forKey: .previousResumeTokenWelcomes)
        try members.encode(history, forKey: .history)
        try members.encode(welcomedAt, forKey: .welcomedAt)
    }
}
