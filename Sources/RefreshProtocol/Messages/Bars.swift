/// What covers the top of a view, points; nil keeps the value. Source: docs/protocol.md,
/// "geometry"; the first seed.
package struct Bars: Hashable, Sendable {
    /// The height of the status bar.
    package var status: Double?
    /// Where the navigation bar begins.
    package var navigationY: Double?
    package var navigationHeight: Double?
    package var searchHeight: Double?
    /// Whether the search bar takes its height from the list.
    package var isSearchActive: Bool?

    package init() {}

    /// All bars at once; what is left out is not there.
    package init(
        navigationBottom: Double = 0, status: Double = 0, activeSearch: Double = 0
    ) {
        self.status = status
        navigationY = 0
        navigationHeight = navigationBottom
        searchHeight = activeSearch
        isSearchActive = activeSearch > 0
    }

    /// No bar at all.
    package static let none = Bars(navigationBottom: 0)
}
