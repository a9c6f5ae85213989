package import RefreshProtocol

/// How requests name pages. Source: docs/protocol.md, "Paging".
package struct PagingOptions: Hashable, Sendable, Codable {
    package var style: PagingStyle
    /// The number of the first page, or of the first item: 0 or 1.
    package var first: Int
    /// Items of a page.
    package var size: Int

    package init(style: PagingStyle, first: Int, size: Int) {
        self.style = style
        self.first = first
        self.size = size
    }
}
