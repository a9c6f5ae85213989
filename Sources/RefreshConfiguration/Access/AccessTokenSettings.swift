/// A token of the configuration: its hash, its permissions, and the feeds to which the permissions
/// apply. Source: docs/configuration.md, "tokens".
package struct AccessTokenSettings: Hashable, Sendable {
    /// An action that the bearer of a token may perform.
    package enum Permission: String, CaseIterable, Sendable {
        /// Connect as a worker.
        case work
        /// Report that a feed has changed.
        case change
        /// Open sessions, if `auth` has the mode `token`.
        case connect
        /// Read the metrics.
        case measure
        /// Send any admin request.
        case administer
    }

    /// The token's name in logs.
    package let name: String
    /// SHA-256 of the token's UTF-8, 32 bytes. The token itself is not stored.
    package let sha256: [UInt8]
    package let may: Set<Permission>
    /// The feeds that the permissions apply to; nil means all feeds.
    package let feeds: [String]?

    package init(name: String, sha256: [UInt8], may: Set<Permission>, feeds: [String]? = nil) {
        self.name = name
        self.sha256 = sha256
        self.may = may
        self.feeds = feeds
    }
}
