package import RefreshBroker
package import RefreshProtocol

/// What sessions need to know about a configured feed. Only the broker has the feed's backend.
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
    package var itemKey: JSONPointer? {
        didSet { itemKeyText = itemKey?.text }
    }
    /// The text of `itemKey`.
    package private(set) var itemKeyText: String?
    /// The location of the value that names the section of an item; nil without sections.
    package var sectionKey: JSONPointer?
    /// Whether the broker caches pages of the feed, so that a look-up can find one.
    package var keepsPages: Bool
    /// The operations that clients may send as edits.
    package var edits: Set<ItemOperation.Kind>
    /// How long a new query waits, in milliseconds, because a further query may replace it. A
    /// client may set another value.
    package var debounceMs: Int

    package init(
        name: String, parameters: [FeedParameter] = [], forward: Set<String> = [],
        style: PagingStyle? = nil, first: Int? = nil, size: Int? = nil,
        itemKey: JSONPointer? = nil, sectionKey: JSONPointer? = nil, keepsPages: Bool = false,
        edits: Set<ItemOperation.Kind> = [], debounceMs: Int = 0
    ) {
        self.name = name
        self.parameters = parameters
        self.forward = forward
        self.style = style
        self.first = first
        self.size = size
        self.itemKey = itemKey
        itemKeyText = itemKey?.text
        self.sectionKey = sectionKey
        self.keepsPages = keepsPages
        self.edits = edits
        self.debounceMs = debounceMs
    }
}
