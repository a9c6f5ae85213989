package import RefreshBroker
package import RefreshProtocol

/// What sessions know of a configured feed; where its items come from is the broker's business.
package struct FeedDescription: Hashable, Sendable {
    package var name: String
    /// The parameters that clients may give.
    package var parameters: [FeedParameter]
    /// How the feed is paged; nil: as the client says.
    package var style: PagingStyle?
    package var first: Int?
    package var size: Int?

    package init(
        name: String, parameters: [FeedParameter] = [], style: PagingStyle? = nil,
        first: Int? = nil,
        size: Int? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.style = style
        self.first = first
        self.size = size
    }
}
