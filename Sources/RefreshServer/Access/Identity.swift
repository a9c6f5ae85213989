package import RefreshProtocol

/// Who a client is, and what it may. Source: docs/configuration.md, "auth".
package struct Identity: Hashable, Sendable {
    /// Keeps its answers apart from others', and binds its sessions; nil: nobody asked.
    @Bytewise<String?> package var subject: String?
    package var feeds: PermittedFeeds
    /// When it has to prove itself anew, by the daemon's clock; nil: never.
    package var expires: Instant?
    /// The same by the calendar's clock, in seconds since 1970, if it is that which decides; nil:
    /// it is not, or it never ends.
    package var expiresUnixSeconds: Double?

    /// Where nobody is asked: everybody, for ever.
    package static let anybody = Identity(subject: nil)

    /// UTF-8 bytes that a subject may have, 1 to so many.
    package static let subjectBytesMax = 256

    package init(
        subject: String?, feeds: PermittedFeeds = .all, expires: Instant? = nil,
        expiresUnixSeconds: Double? = nil
    ) {
        self.expiresUnixSeconds = expiresUnixSeconds
        self._subject = Bytewise(wrappedValue: subject)
        self.feeds = feeds
        self.expires = expires
    }

    /// Whether a text can be a subject: neither empty nor longer than backends are told, and
    /// without control characters, which no header could carry.
    static func canBeSubject(_ text: String) -> Bool {
        (1...subjectBytesMax).contains(text.utf8.count)
            && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }
}
