package import RefreshProtocol

/// An authenticated client and its permissions. Source: docs/configuration.md, "auth".
package struct Identity: Hashable, Sendable {
    /// The client's subject. Cached answers and sessions of one subject are not available to other
    /// subjects. Nil if clients are not authenticated.
    @Bytewise<String?> package var subject: String?
    package var feeds: PermittedFeeds
    /// When the client must authenticate again, by the daemon's clock; nil for never.
    package var expires: Instant?
    /// The expiry by the wall clock, in seconds since 1970. Nil if the identity does not expire by
    /// the wall clock.
    package var expiresUnixSeconds: Double?

    /// The identity of every client if clients are not authenticated. It never expires.
    package static let anonymous = Identity(subject: nil)

    /// The length of the longest subject, in bytes of UTF-8. The shortest subject has one byte.
    package static let subjectBytesMax = 256

    /// The longest lifetime: a hundred years, in seconds. A longer lifetime counts as unlimited,
    /// because the clock could not represent its end.
    package static let lifetimeSecondsMax = 3_155_760_000.0

    package init(
        subject: String?, feeds: PermittedFeeds = .all, expires: Instant? = nil,
        expiresUnixSeconds: Double? = nil
    ) {
        self.expiresUnixSeconds = expiresUnixSeconds
        self._subject = Bytewise(wrappedValue: subject)
        self.feeds = feeds
        self.expires = expires
    }

    /// Returns whether a text is a valid subject. It must not be empty or longer than
    /// `subjectBytesMax`. It must not contain control characters, because the value of a header
    /// cannot contain them.
    package static func isValidSubject(_ text: String) -> Bool {
        (1...subjectBytesMax).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
