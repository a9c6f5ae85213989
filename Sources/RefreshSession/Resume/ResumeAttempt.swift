package import RefreshProtocol

/// A client's request to resume a session, with the client's identity and connection.
package struct ResumeAttempt: Hashable, Sendable {
    package var request: ResumeRequest
    /// The views that the client shows; nil if it shows all views of the session.
    package var shown: [ViewID]?
    /// The authenticated subject; nil if the client is not authenticated.
    package var subject: String?
    /// The feeds that the client may attach.
    package var feeds: PermittedFeeds
    /// The session of the client's new connection, which receives the answer.
    package var requester: SessionKey
    /// When the client's connection was opened.
    package var connectedAt: Instant
    /// Whether this attempt searches for the session a second time. A second search follows if the
    /// first search did not find the session, but another connection registered the session's name
    /// afterwards. There is no third search.
    package var isSecondSearch = false
    /// Whether the other nodes of a cluster permit that the session is rebuilt here.
    package var isClaimed = false

    package init(
        request: ResumeRequest, shown: [ViewID]? = nil, subject: String? = nil,
        feeds: PermittedFeeds = .all, requester: SessionKey, connectedAt: Instant
    ) {
        self.request = request
        self.shown = shown
        self.subject = subject
        self.feeds = feeds
        self.requester = requester
        self.connectedAt = connectedAt
    }
}
