import RefreshProtocol

/// The tokens that let a client resume its session, and the session's history of openings. Source:
/// docs/protocol.md, "Coming back".
struct ResumeCredentials {
    /// A time in milliseconds. If a message arrives later than this after a `welcome`, it proves
    /// that the client received the `welcome`.
    static let welcomeLossMs = 10_000.0

    /// The token that a client needs to resume; nil if the session cannot be resumed.
    var token: ResumeToken?
    /// The previous token. A client that did not receive the last `welcome` still has it. It is
    /// valid until `previousTokenEnds` at the latest.
    var previousToken: ResumeToken?
    /// When `previousToken` becomes void. The time is counted from the first `welcome` that
    /// replaced the token. Later resumes with the previous token do not extend the time.
    var previousTokenEnds = Instant.never
    /// The number of the `welcome` that contained `previousToken`, counted in the last step of
    /// `history`. It is 0 if this `welcome` belongs to an earlier step.
    var previousTokenWelcomes: UInt64 = 0
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
    func accepts(_ text: String, from connectedAt: Instant, at now: Instant) -> Bool {
        if token?.matches(text) == true { return true }
        return now < previousTokenEnds && previousToken?.matches(text) == true
            && connectedAt >= self.connectedAt
    }

    /// Whether a client with a snapshot of the history `other` has continued this session
    /// elsewhere.
    ///
    /// While the client is disconnected, it is not known whether it received the last `welcome`,
    /// even if this `welcome` was sent long ago.
    func isSuperseded(by other: ResumeHistory, isConnected: Bool, at now: Instant) -> Bool {
        let mayBeLost = previousToken != nil && (now < previousTokenEnds || !isConnected)
        return history.isSuperseded(
            by: other, received: mayBeLost ? previousTokenWelcomes : history.welcomes)
    }

    /// Replaces the token for the next `welcome`. The token that the client presented stays valid
    /// for `validMs` milliseconds, or until a message proves that the client has received the new
    /// one. If the client presents the previous token again, the validity of that token is not
    /// extended.
    mutating func replaceToken(
        by newToken: ResumeToken?, presentedToken: String?, validMs: Double, at now: Instant
    ) {
        welcomedAt = now
        defer {
            token = newToken
            history.recordWelcome()
        }
        if let presentedToken, token?.matches(presentedToken) != true,
            previousToken?.matches(presentedToken) == true
        {
            return
        }
        previousToken = presentedToken.flatMap { ResumeToken($0) } ?? token
        previousTokenEnds = now.advanced(byMilliseconds: validMs)
        previousTokenWelcomes = history.welcomes
    }

    /// If the last `welcome` is old enough, voids the previous token after a message of the client.
    /// The message proves that the client received this `welcome`. Returns whether the token was
    /// voided.
    mutating func voidPreviousToken(at now: Instant) -> Bool {
        guard now >= welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs) else { return false }
        previousToken = nil
        return true
    }
}

/// The members in a journal's checkpoint. They do not include tokens, but state whether there is a
/// previous token.
extension ResumeCredentials: Codable {
    private enum CodingKeys: String, CodingKey {
        case welcomedAt
        case hasPreviousToken = "hasLastToken"
        case previousTokenEnds = "lastTokenEnds"
        case previousTokenWelcomes = "lastTokenWelcomes"
        case history = "lineage"
        // The session's name. `SavedSession` encodes it, and this type only decodes it.
        case name
    }

    /// The credentials without the token, and with the mask in place of the previous token.
    var withoutTokens: ResumeCredentials {
        var copy = self
        copy.token = nil
        copy.previousToken = previousToken.map { _ in .masked }
        return copy
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            token: nil, openedAs: try members.decode(String.self, forKey: .name),
            at: try members.decode(Instant.self, forKey: .welcomedAt))
        previousToken =
            try members.decode(Bool.self, forKey: .hasPreviousToken) ? .masked : nil
        previousTokenEnds =
            try members.decodeIfPresent(Instant.self, forKey: .previousTokenEnds)
            ?? welcomedAt.advanced(byMilliseconds: Self.welcomeLossMs)
        previousTokenWelcomes =
            try members.decodeIfPresent(UInt64.self, forKey: .previousTokenWelcomes) ?? 0
        history = try members.decodeIfPresent(ResumeHistory.self, forKey: .history) ?? history
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(previousToken != nil, forKey: .hasPreviousToken)
        try members.encode(previousTokenEnds, forKey: .previousTokenEnds)
        try members.encode(previousTokenWelcomes, forKey: .previousTokenWelcomes)
        try members.encode(history, forKey: .history)
        try members.encode(welcomedAt, forKey: .welcomedAt)
    }
}
