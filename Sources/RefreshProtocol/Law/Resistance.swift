/// How far a list is shown beyond its ends for a finger's travel beyond them, as tables of points
/// with straight lines in between; the last line goes on.
package struct Resistance: Hashable, Sendable, Codable {
    /// Where reading begins.
    package var refresh: [Point]
    /// Where it ends; nil: as where it begins.
    package var loadMore: [Point]?

    package init(refresh: [Point], loadMore: [Point]?) {
        self.refresh = refresh
        self.loadMore = loadMore
    }

    package struct Point: Hashable, Sendable, Codable {
        /// The finger's travel beyond the end, points.
        package var travel: Double
        /// What is shown of it, points.
        package var shown: Double

        package init(travel: Double, shown: Double) {
            self.travel = travel
            self.shown = shown
        }
    }
}
