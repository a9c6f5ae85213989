package import RefreshBroker
package import RefreshProtocol

/// What sessions know of a configured feed; where its items come from is the broker's business.
package struct FeedDescription: Hashable, Sendable {
    package var name: String
    /// The parameters that clients may give.
    package var parameters: [FeedParameter]
    /// Lower-case names of the clients' headers that its backend gets.
    package var forward: Set<String>
    /// How the feed is paged; nil: as the client says.
    package var style: PagingStyle?
    package var first: Int?
    package var size: Int?
    /// Where an item's key stands; nil: items have none.
    package var itemKey: JSONPointer?

    package init(
        name: String, parameters: [FeedParameter] = [], forward: Set<String> = [],
        style: PagingStyle? = nil, first: Int? = nil, size: Int? = nil,
        itemKey: JSONPointer? = nil
    ) {
        self.name = name
        self.parameters = parameters
        self.forward = forward
        self.style = style
        self.first = first
        self.size = size
        self.itemKey = itemKey
    }
}
