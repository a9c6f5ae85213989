public import RefreshProtocol

/// How the feed of a view is paged. What the feed fixes replaces these values. A member that is nil
/// has its default, or keeps its value. Source: docs/protocol.md, "Paging".
public struct PagingDescription: Hashable, Sendable {
    /// How requests name their page.
    public var style: PagingStyle?
    /// The number of the first page or item, 0 or 1.
    public var first: Int?
    /// The number of items of a page.
    public var size: Int?
    /// Whether the rows in sight decide which pages are requested (`random`). It needs the feature
    /// `visibleRange`, a feed, and the style `page` or `offset`.
    public var access: PagingAccess?

    /// Creates a description.
    public init(
        style: PagingStyle? = nil, first: Int? = nil, size: Int? = nil, access: PagingAccess? = nil
    ) {
        self.style = style
        self.first = first
        self.size = size
        self.access = access
    }

    var json: JSONValue {
        var json = JSONValue.object([])
        json["style"] = style.map { .string($0.rawValue) }
        json["first"] = first.map { .number(Double($0)) }
        json["size"] = size.map { .number(Double($0)) }
        json["access"] = access.map { .string($0.rawValue) }
        return json
    }
}
