internal import RefreshProtocol

/// The feeds that a client may attach.
package enum PermittedFeeds: Hashable, Sendable, Codable {
    case all
    /// These names. A feed of that name need not exist.
    case only([String])

    /// Returns whether a feed is permitted, by the bytes of its name.
    package func contains(_ feed: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains { $0.hasBytes(of: feed) }
        }
    }
}
