package import RefreshProtocol

/// How requests identify pages. Source: docs/protocol.md, "Paging".
package struct PagingOptions: Hashable, Sendable, Codable {
    // Each view contains two copies of the members. They are therefore as small as their ranges
    // allow, and the largest is first.
    private var itemsOfPage: UInt32
    package var style: PagingStyle
    private var firstNumber: UInt8

    package init(style: PagingStyle, first: Int, size: Int) {
        self.style = style
        self.firstNumber = UInt8(clamping: first)
        self.itemsOfPage = UInt32(clamping: size)
    }

    /// The number of the first page or of the first item: 0 or 1.
    package var first: Int { Int(firstNumber) }

    /// The number of items of a page.
    package var size: Int { Int(itemsOfPage) }
}
