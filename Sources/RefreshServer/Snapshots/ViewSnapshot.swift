package import RefreshBroker
package import RefreshEngine
package import RefreshProtocol

/// One view of a session that outlives its process.
package struct ViewSnapshot: Hashable, Sendable, Codable {
    /// What a view knows of its feed.
    package struct Feed: Hashable, Sendable, Codable {
        package var name: String
        /// As the client gave them, by the types that the feed declared then.
        package var parameters: [LoadParameter]
        /// The number of the last load whose items were sent; 0: none were.
        package var delivered: UInt32
        /// The hashes of the keys of the items that it has shown, the oldest first.
        package var shownItems: [UInt64]
        /// What those were made with; nil: what the snapshot says.
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
        /// Nil: the edge has none.
        package var name: String?

        package init(role: EdgeRole, name: String?) {
            self.role = role
            self.name = name
        }
    }

    package var id: ViewID
    package var profile: Profile
    /// Nil: the client is the backend.
    package var feed: Feed?
    package var engine: Engine
    /// Of a client that draws them: one of each edge that the view has.
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
