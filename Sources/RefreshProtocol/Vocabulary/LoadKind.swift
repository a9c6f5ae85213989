/// The purpose of a load.
package enum LoadKind: String, CaseIterable, Sendable, Codable {
    /// A load from the beginning; success replaces the list.
    case refresh
    /// The next page; success appends it.
    case more

    /// The role of the edge that requests this load.
    package var role: EdgeRole { self == .refresh ? .refresh : .loadMore }
}
