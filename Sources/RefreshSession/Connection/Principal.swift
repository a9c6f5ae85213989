import RefreshProtocol

/// The authenticated client of a session: its subject, its permissions, and their expiry.
struct Principal: Codable {
    /// The authenticated subject; nil if the client is not authenticated.
    var subject: String?
    /// The feeds that the client may attach.
    var permittedFeeds = PermittedFeeds.all
    /// When the client must authenticate again, by the daemon's clock.
    var expires = Instant.never
    /// The expiry by the wall clock, in seconds since 1970; infinite if there is no expiry by the
    /// wall clock.
    var expiresUnixSeconds = Double.infinity

    /// The members that are written to a journal's checkpoint.
    private enum CodingKeys: String, CodingKey {
        case subject, permittedFeeds
        case expires = "identityExpires"
    }

    init(subject: String?) {
        self.subject = subject
    }

    init(_ identity: Identity) {
        subject = identity.subject
        permittedFeeds = identity.feeds
        expires = identity.expires ?? .never
        expiresUnixSeconds = identity.expiresUnixSeconds ?? .infinity
    }

    var identity: Identity {
        Identity(
            subject: subject, feeds: permittedFeeds,
            expires: expires == .never ? nil : expires,
            expiresUnixSeconds: expiresUnixSeconds.isFinite ? expiresUnixSeconds : nil)
    }
}
