/// A token that the configuration declares: by its hash, what it may do, and with which feeds.
/// Source: docs/configuration.md, "tokens".
package struct AccessTokenSettings: Hashable, Sendable {
    /// What the bearer of a token may do.
    package enum Permission: String, CaseIterable, Sendable {
        /// Be a worker.
        case work
        /// Say that a feed has changed.
        case change
        /// Open sessions, where `auth` is by tokens.
        case connect
        /// Read the metrics.
        case measure
        /// All that an operator may ask.
        case administer
    }

    /// How logs call it.
    package let name: String
    /// SHA-256 of the token's UTF-8, 32 bytes. The token itself stands nowhere.
    package let sha256: [UInt8]
    package let may: Set<Permission>
    /// The only feeds that it may do that with; nil: all.
    package let feeds: [String]?

    package init(name: String, sha256: [UInt8], may: Set<Permission>, feeds: [String]? = nil) {
        self.name = name
        self.sha256 = sha256
        self.may = may
        self.feeds = feeds
    }
}
