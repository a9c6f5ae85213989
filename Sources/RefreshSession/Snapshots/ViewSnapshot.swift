package import RefreshBroker
package import RefreshEngine
package import RefreshProtocol

/// One view of a session that outlives its process.
package struct ViewSnapshot: Hashable, Sendable, Codable {
    /// The state of a view's feed.
    package struct Feed: Hashable, Sendable, Codable {
        package var name: String
        /// The client's values, in the types that the feed declared at the time.
        package var parameters: [LoadParameter]
        /// The number of the last load whose items were sent; 0 if none were.
        package var delivered: UInt32
        /// The key hashes of the items that the view has shown, oldest first.
        package var shownItems: [UInt64]
        /// The hash function of these; nil if it is that of the snapshot.
        package var itemHash: SipHash?

        package init(
            name: String, parameters: [LoadParameter] = [], delivered: UInt32 = 0,
            shownItems: [UInt64] = [], itemHash: SipHash? = nil
        ) {
            self.name = name
            self.parameters = parameters
            self.delivered = delivered
            self.shownItems = shownItems
            self.itemHash = itemHash
        }
    }

    /// The indicator of an edge.
    package struct Indicator: Hashable, Sendable, Codable {
        package var role: EdgeRole
        /// The name of its programme; nil if the edge has none.
        package var name: String?

        package init(role: EdgeRole, name: String?) {
            self.role = role
            self.name = name
        }
    }

    package var id: ViewID
    package var profile: Profile
    /// The feed of the view; nil if the client is the backend.
    package var feed: Feed?
    package var engine: Engine
    /// One for each edge of the view, if the client draws indicators.
    package var indicators: [Indicator]
    /// Whether the client moves the list by `pan`.
    package var pans: Bool

    package init(
        id: ViewID, profile: Profile, feed: Feed? = nil, engine: Engine,
        indicators: [Indicator] = [], pans: Bool = false
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.engine = engine
        self.indicators = indicators
        self.pans = pans
    }
}
