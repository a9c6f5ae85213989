/// The shown distance of a list beyond its ends, for each travel of a finger beyond these ends:
/// tables of points with linear interpolation. Beyond the last point, the last segment continues.
package struct Resistance: Hashable, Sendable, Codable {
    /// The end at which reading begins.
    package var refresh: [Point]
    /// The end at which reading ends; nil: the same table as at the other end.
    package var loadMore: [Point]?

    package init(refresh: [Point], loadMore: [Point]?) {
        self.refresh = refresh
        self.loadMore = loadMore
    }

    package struct Point: Hashable, Sendable, Codable {
        /// The finger's travel beyond the end, points.
        package var travel: Double
        /// The shown distance beyond the end, points.
        package var shown: Double

        package init(travel: Double, shown: Double) {
            self.travel = travel
            self.shown = shown
        }
    }
}
