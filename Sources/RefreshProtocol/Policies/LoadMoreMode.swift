/// The position of the load-more threshold. Source: docs/protocol.md, "Profiles and edge options".
package enum LoadMoreMode: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Beyond the end of the content, by the edge's length.
    case user
    /// At the end of the content.
    case limit
}
