package import RefreshIndicator
package import RefreshProtocol

/// The first line of a journal: the settings of the session that determine its output. Source:
/// docs/journal.md, "The header".
package struct JournalHeader: Hashable, Sendable {
    /// The name and version of the format.
    package static let format = "refreshd-journal/1"

    /// The version of the daemon that wrote the journal.
    package var server: String
    /// When the journal began, in the format of RFC 3339, for people.
    package var started: String
    /// When the journal began, by the daemon's clock.
    package var at: Instant
    /// The session's name.
    package var session: String
    package var key: SessionKey
    /// The client's subject; nil if the client is not authenticated.
    package var subject: String?
    /// The resume token that `welcome` sends; nil if the session cannot be resumed.
    package var token: ResumeToken?
    /// Whether the daemon sends sealed snapshots.
    package var seals: Bool
    package var limits: Limits
    package var feeds: [FeedDescription]
    /// The indicators that the configuration adds to the built-in ones.
    package var indicators: [NamedProgramme]
    /// The recorder, if a recorder between the client and the server wrote the journal; nil if the
    /// daemon wrote it. A recorder cannot know most of the settings above.
    package var recorder: JournalRecorder?

    package init(
        server: String = DaemonVersion.current, started: String, at: Instant, session: String,
        key: SessionKey, subject: String? = nil, token: ResumeToken? = nil, seals: Bool = false,
        limits: Limits,
        feeds: [FeedDescription],
        indicators: [NamedProgramme] = [],
        recorder: JournalRecorder? = nil
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
        self.recorder = recorder
    }
}

/// What a recorder between a client and a server writes about itself into the header of a journal.
/// Source: docs/journal.md, "Recorded connections".
package struct JournalRecorder: Hashable, Sendable {
    /// The name and version of the program.
    package var program: String
    /// The URL of the server. The values of its query are masked.
    package var url: String
    /// The number of the connection, from 1.
    package var connection: Int

    package init(program: String, url: String, connection: Int) {
        self.program = program
        self.url = url
        self.connection = connection
    }
}
