package import RefreshBroker
package import RefreshEngine
package import RefreshProtocol

/// One view in the saved image of a session.
package struct SavedView: Hashable, Sendable {
    /// The state of a view's feed.
    package struct Feed: Hashable, Sendable, Codable {
        package var name: String
        /// The client's values. They have the types that the feed declared when the client sent
        /// them.
        package var parameters: [LoadParameter]
        /// The number of the last load whose items were sent; 0 if no items were sent.
        package var delivered: UInt32
        /// The key hashes of the items that the view has shown, oldest first.
        package var shownItems: [UInt64]
        /// The hash function of `shownItems`; nil if it is the function of the snapshot.
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

    /// The saved indicator of an edge.
    package struct Indicator: Hashable, Sendable, Codable {
        package var role: EdgeRole
        /// The name of the indicator's programme; nil if the edge has no programme.
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
    /// The indicators, one for each edge of the view, if the client draws indicators. Only a
    /// snapshot contains them.
    package var indicators: [Indicator]
    /// Whether the client reports the finger by `pan`, so that the engine moves the list. Only a
    /// snapshot contains this value.
    package var pans: Bool
    /// The state of delivery: the last sent state and the unsent update. Only a checkpoint contains
    /// it, because a client that resumes from a snapshot receives the whole state.
    var delivery: ViewSlot.Delivery?

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

/// A view is encoded as one object, which also contains the members of `delivery`.
extension SavedView: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, profile, feed, engine, indicators, pans
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decode(ViewID.self, forKey: .id),
            profile: try members.decode(Profile.self, forKey: .profile),
            feed: try members.decodeIfPresent(Feed.self, forKey: .feed),
            engine: try members.decode(Engine.self, forKey: .engine))
        if members.contains(.pans) {
            pans = try members.decode(Bool.self, forKey: .pans)
            indicators = try members.decode([Indicator].self, forKey: .indicators)
        } else {
            delivery = try ViewSlot.Delivery(from: decoder)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(profile, forKey: .profile)
        try members.encodeIfPresent(feed, forKey: .feed)
        try members.encode(engine, forKey: .engine)
        if let delivery { return try delivery.encode(to: encoder) }
        try members.encode(indicators, forKey: .indicators)
        try members.encode(pans, forKey: .pans)
    }
}
