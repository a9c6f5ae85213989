internal import RefreshProtocol

/// The feeds that a client may attach.
package enum PermittedFeeds: Hashable, Sendable, Codable {
    case all
    /// These names; some may be of no feed that there is.
    case only([String])

    /// Whether a feed is among them, by the bytes of its name.
    package func contain(_ feed: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains { $0.hasBytes(of: feed) }
        }
    }
}
