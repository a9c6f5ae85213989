/// What a load is for.
package enum LoadKind: String, CaseIterable, Sendable, Codable {
    /// Begin anew; success replaces the list.
    case refresh
    /// The next page; success appends.
    case more

    /// The role of the edge that asks for it.
    package var role: EdgeRole { self == .refresh ? .refresh : .loadMore }
}
