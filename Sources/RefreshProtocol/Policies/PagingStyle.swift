/// How a request identifies a page. Source: docs/protocol.md, "Paging".
package enum PagingStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    case page
    case offset
    case cursor
    /// A single page without a next page.
    case none
}
