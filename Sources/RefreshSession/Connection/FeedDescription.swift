package import RefreshBroker
package import RefreshProtocol

/// The properties of a configured feed that sessions use. Only the broker has the feed's backend.
package struct FeedDescription: Hashable, Sendable {
    package var name: String
    /// The parameters that clients may set.
    package var parameters: [FeedParameter]
    /// Lower-case names of the client's headers that are forwarded to the backend.
    package var forward: Set<String>
    /// How the feed is paged; nil if the client decides.
    package var style: PagingStyle?
    package var first: Int?
    package var size: Int?
    /// The location of the key in an item; nil if items have no keys.
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
