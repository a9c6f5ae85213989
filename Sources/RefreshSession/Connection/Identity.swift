package import RefreshProtocol

/// An authenticated client and its permissions. Source: docs/configuration.md, "auth".
package struct Identity: Hashable, Sendable {
    /// Separates the client's answers from those of other subjects, and binds its sessions. Nil:
    /// clients are not authenticated.
    @Bytewise<String?> package var subject: String?
    package var feeds: PermittedFeeds
    /// When the client must authenticate again, by the daemon's clock; nil: never.
    package var expires: Instant?
    /// The same by the wall clock, in seconds since 1970, if the wall clock decides. Nil: it does
    /// not, or the identity never expires.
    package var expiresUnixSeconds: Double?

    /// The identity of every client where none is authenticated. It never expires.
    package static let anybody = Identity(subject: nil)

    /// The longest subject, in bytes of UTF-8. The shortest has 1.
    package static let subjectBytesMax = 256

    /// A hundred years. A longer lifetime counts as unlimited, and would not fit the clock.
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

    /// Returns whether a text can be a subject: not empty, not longer than what is sent to
    /// backends, and without control characters, which a header cannot carry.
    package static func isValidSubject(_ text: String) -> Bool {
        (1...subjectBytesMax).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
