internal import RefreshProtocol

/// The feeds that a client may attach.
package enum PermittedFeeds: Hashable, Sendable, Codable {
    case all
    /// Only the feeds with these names. The configuration need not contain such feeds.
    case only([String])

    /// Returns whether a feed is permitted. Names are compared byte by byte.
    package func contains(_ feed: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains { $0.hasBytes(of: feed) }
        }
    }
}
