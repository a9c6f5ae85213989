internal import Cryptography
internal import RefreshProtocol

/// The tokens of the configuration: who may do what. Source: docs/configuration.md, "tokens".
package struct AccessTokens: Sendable {
    /// What somebody wants to do.
    package enum Deed: Hashable, Sendable {
        /// Say that a feed has changed.
        case change(feed: String)
        /// Be a worker for these feeds.
        case work(feeds: [String])
        /// Open sessions.
        case connect
        /// Read the metrics.
        case measure
        /// Ask what an operator may ask.
        case administer
    }

    package enum Verdict: Hashable, Sendable {
        /// By the bearer of the token of that name.
        case allowed(name: String)
        /// There is no such token, or none was said.
        case unknown
        /// The token of that name may not do that, or not with that feed.
        case forbidden(name: String)
    }

    private let settings: [AccessTokenSettings]

    package init(_ settings: [AccessTokenSettings]) { self.settings = settings }

    /// What a bearer may do. All tokens are compared, each in the same time.
    package func verdict(_ token: String?, for deed: Deed) -> Verdict {
        guard let token else { return .unknown }
        let digest = SHA256.digest(of: Array(token.utf8))
        var found: AccessTokenSettings?
        for candidate in settings where SHA256.areEqual(candidate.sha256, digest) {
            found = candidate
        }
        guard let found else { return .unknown }
        return found.allows(deed) ? .allowed(name: found.name) : .forbidden(name: found.name)
    }

    /// The feeds that the bearer of the token of that name may have to do with.
    func feeds(ofTokenNamed name: String) -> PermittedFeeds {
        guard let feeds = settings.first(where: { $0.name.hasBytes(of: name) })?.feeds else {
            return .all
        }
        return .only(feeds)
    }
}

extension AccessTokenSettings {
    fileprivate func allows(_ deed: AccessTokens.Deed) -> Bool {
        switch deed {
        case .change(let feed): may.contains(.change) && serves([feed])
        case .work(let feeds): may.contains(.work) && serves(feeds)
        case .connect: may.contains(.connect)
        case .measure: may.contains(.measure) || may.contains(.administer)
        case .administer: may.contains(.administer)
        }
    }

    private func serves(_ wanted: [String]) -> Bool {
        guard let feeds else { return true }
        return wanted.allSatisfy { feed in feeds.contains { $0.hasBytes(of: feed) } }
    }
}
