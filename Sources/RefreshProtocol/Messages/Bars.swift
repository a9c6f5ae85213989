/// What covers the top of a view, points. Source: docs/protocol.md, "geometry"; the first seed.
package struct Bars: Hashable, Sendable, Codable {
    /// The bottom of the navigation bar: its y plus its height.
    package var navigationBottom: Double
    /// The height of the status bar.
    package var status: Double
    /// The height of the search bar while it is active, else 0.
    package var activeSearch: Double

    package init(navigationBottom: Double = 0, status: Double = 0, activeSearch: Double = 0) {
        self.navigationBottom = navigationBottom
        self.status = status
        self.activeSearch = activeSearch
    }

    package static let none = Bars()
}
