package import RefreshProtocol

/// What a session was opened with, as far as it decides what the session says: the first line of
/// its journal. Source: docs/journal.md, "The header".
package struct JournalHeader: Hashable, Sendable {
    /// The name and version of the format.
    package static let format = "refreshd-journal/1"

    /// The version of the daemon that recorded.
    package var server: String
    /// When the session began, RFC 3339; for people.
    package var started: String
    /// When the session began, for the session.
    package var at: Instant
    /// The session's name.
    package var session: String
    package var key: SessionKey
    /// Who the client is; nil: not authenticated.
    package var subject: String?
    /// What coming back to it takes, as `welcome` tells; nil: nobody can.
    package var token: ResumeToken?
    /// Whether the daemon gives sealed snapshots.
    package var seals: Bool
    package var limits: Limits
    package var feeds: [FeedDescription]
    /// Those that the configuration adds to the built-in ones.
    package var indicators: [NamedProgramme]

    package init(
        server: String = DaemonVersion.current, started: String, at: Instant, session: String,
        key: SessionKey, subject: String? = nil, token: ResumeToken? = nil, seals: Bool = false,
        limits: Limits,
        feeds: [FeedDescription],
        indicators: [NamedProgramme] = []
    ) {
        self.server = server
        self.started = started
        self.at = at
        self.session = session
        self.key = key
        self.subject = subject
        self.token = token
        self.seals = seals
        self.limits = limits
        self.feeds = feeds
        self.indicators = indicators
    }
}
