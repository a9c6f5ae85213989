internal import Cryptography
package import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession

/// The tokens of the configuration and their permissions. Source: docs/configuration.md, "tokens".
package struct AccessTokens: Sendable {
    /// An action that needs a permission.
    package enum Action: Hashable, Sendable {
        /// Report that the data of a feed has changed.
        case change(feed: String)
        /// Connect as a worker for these feeds.
        case work(feeds: [String])
        /// Open sessions.
        case connect
        /// Read the metrics.
        case measure
        /// Send admin requests.
        case administer
    }

    package enum Verdict: Hashable, Sendable {
        /// The token named `name` permits the action.
        case allowed(name: String)
        /// The token is missing or unknown.
        case unknown
        /// The token named `name` does not permit the action, or permits it only for other feeds.
        case forbidden(name: String)
    }

    private let settings: [AccessTokenSettings]

    package init(_ settings: [AccessTokenSettings]) { self.settings = settings }

    /// Returns whether the bearer of a token may perform an action. The hash of the token is
    /// compared with all configured hashes, each in constant time.
    package func verdict(_ token: String?, for action: Action) -> Verdict {
        guard let token else { return .unknown }
        let digest = SHA256.digest(of: Array(token.utf8))
        var found: AccessTokenSettings?
        for candidate in settings where SHA256.areEqual(candidate.sha256, digest) {
            found = candidate
        }
        guard let found else { return .unknown }
        return found.allows(action) ? .allowed(name: found.name) : .forbidden(name: found.name)
    }

    /// Returns the feeds that the token named `name` permits.
    func feeds(ofTokenNamed name: String) -> PermittedFeeds {
        guard let feeds = settings.first(where: { $0.name.hasBytes(of: name) })?.feeds else {
            return .all
        }
        return .only(feeds)
    }
}

extension AccessTokenSettings {
    fileprivate func allows(_ action: AccessTokens.Action) -> Bool {
        switch action {
        case .change(let feed): may.contains(.change) && permitsFeeds([feed])
        case .work(let feeds): may.contains(.work) && permitsFeeds(feeds)
        case .connect: may.contains(.connect)
        case .measure: may.contains(.measure) || may.contains(.administer)
        case .administer: may.contains(.administer)
        }
    }

    private func permitsFeeds(_ requested: [String]) -> Bool {
        guard let feeds else { return true }
        return requested.allSatisfy { feed in feeds.contains { $0.hasBytes(of: feed) } }
    }
}
