package import RefreshProtocol

/// A client wants to go on with a session.
package struct ResumeWish: Hashable, Sendable {
    package var request: ResumeRequest
    /// The views that it shows; nil: all of the session's.
    package var shown: [ViewID]?
    /// Who the client is; nil: not authenticated.
    package var subject: String?
    /// What it may attach.
    package var feeds: PermittedFeeds
    /// Where its own session is.
    package var asking: SessionKey
    /// When its connection came into being.
    package var connectedAt: Instant
    /// Whether it found nobody at first, and then the name taken: it is not looked for a third
    /// time.
    var isSoughtAgain = false

    package init(
        request: ResumeRequest, shown: [ViewID]? = nil, subject: String? = nil,
        feeds: PermittedFeeds = .all, asking: SessionKey, connectedAt: Instant
    ) {
        self.request = request
        self.shown = shown
        self.subject = subject
        self.feeds = feeds
        self.asking = asking
        self.connectedAt = connectedAt
    }
}
