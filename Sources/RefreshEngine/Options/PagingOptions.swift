package import RefreshProtocol

/// How requests identify pages. Source: docs/protocol.md, "Paging".
package struct PagingOptions: Hashable, Sendable, Codable {
    // Each view contains two copies of the members. They are therefore as small as their ranges
    // allow, and the largest is first.
    private var itemsOfPage: UInt32
    package var style: PagingStyle
    private var firstNumber: UInt8
    /// Which pages the view requests.
    @OmittedIfUsual package var access: PagingAccess

    package init(
        style: PagingStyle, first: Int, size: Int, access: PagingAccess = .sequential
    ) {
        self.style = style
        self.firstNumber = UInt8(clamping: first)
        self.itemsOfPage = UInt32(clamping: size)
        self.access = access
    }

    /// The number of the first page or of the first item: 0 or 1.
    package var first: Int { Int(firstNumber) }

    /// The number of items of a page.
    package var size: Int { Int(itemsOfPage) }
}

extension PagingAccess: UsualValue {
    package static var usual: PagingAccess { .sequential }
}
