/// How requests name a page. Source: docs/protocol.md, "Paging".
package enum PagingStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    case page
    case offset
    case cursor
    /// One page, and never more.
    case none
}
