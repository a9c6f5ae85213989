/// The bars that cover the top of a view. All values are in points. A nil value leaves the current
/// value unchanged. Source: docs/protocol.md, "geometry".
package struct Bars: Hashable, Sendable {
    /// The height of the status bar.
    package var status: Double?
    /// The y coordinate of the top of the navigation bar.
    package var navigationY: Double?
    package var navigationHeight: Double?
    package var searchHeight: Double?
    /// Whether the search bar is active. An active search bar covers a part of the view, below the
    /// other bars.
    package var isSearchActive: Bool?

    package init() {}

    /// Sets all bars at once. A bar without an argument is not present.
    package init(
        navigationBottom: Double = 0, status: Double = 0, activeSearch: Double = 0
    ) {
        self.status = status
        navigationY = 0
        navigationHeight = navigationBottom
        searchHeight = activeSearch
        isSearchActive = activeSearch > 0
    }

    /// No bars.
    package static let none = Bars(navigationBottom: 0)
}
