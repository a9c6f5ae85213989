/// What a load is for.
package enum LoadKind: String, CaseIterable, Sendable {
    /// Begin anew; success replaces the list.
    case refresh
    /// The next page; success appends.
    case more

    package var edge: Edge { self == .refresh ? .top : .bottom }
}
