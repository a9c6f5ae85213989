package import RefreshProtocol

/// The display of a view at one moment.
package struct DisplayState: Hashable, Sendable {
    /// The content offset, points.
    package var offset: Double
    /// The daemon's shares of the insets by edge, points.
    package var insets: [String: Double]
    package var edges: [String: Edge]
    package var floor: String

    package struct Edge: Hashable, Sendable {
        package var state: EdgeState
        /// 0...1 in states with progress, otherwise 0.
        package var progress: Double
    }
}
