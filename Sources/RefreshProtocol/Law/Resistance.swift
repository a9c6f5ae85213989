/// How far a list follows a finger beyond an end of the list. Each table contains points, with
/// linear interpolation. Beyond the last point of a table, its last segment continues.
package struct Resistance: Hashable, Sendable, Codable {
    /// The table for the end at which reading begins.
    package var refresh: [Point]
    /// The table for the end at which reading ends; nil if it is the same table as for the other
    /// end.
    package var loadMore: [Point]?

    package init(refresh: [Point], loadMore: [Point]?) {
        self.refresh = refresh
        self.loadMore = loadMore
    }

    package struct Point: Hashable, Sendable, Codable {
        /// The finger's travel beyond the end, in points.
        package var travel: Double
        /// The shown distance beyond the end, in points.
        package var shown: Double

        package init(travel: Double, shown: Double) {
            self.travel = travel
            self.shown = shown
        }
    }
}
