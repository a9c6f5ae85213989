/// The paging options that a client changes. Source: docs/protocol.md, "Paging".
package struct PagingOverrides: Hashable, Sendable {
    package var style: PagingStyle?
    /// The number of the first page or offset: 0 or 1.
    package var first: Int?
    /// Items.
    package var size: Int?

    package init() {}
}
