package import RefreshProtocol

/// The spinner of `plain` clients. The pull draws its arc. The arc grows when the pull is so far
/// that a release would fire the edge, and turns while a load runs. The spinner is
/// IQPullToRefresh's built-in indicator, but has an arc instead of ticks.
package enum PlainSpinner {
    /// The scale while the edge waits for the release.
    static let eligibleScale = 1.5
    /// The rotation in radians when the pull is so far that a release would fire the edge. The
    /// rotation during a load begins at this angle.
    static let halfTurn = 3.1416
    /// The speed of the spinner while it turns, in radians per second.
    static let spin = 2 * Double.pi

    /// The frame in `state`, at `progress` of the distance to the threshold. A pull beyond the
    /// threshold is drawn like one at the threshold.
    @inline(__always)
    package static func frame(_ state: EdgeState, progress: Double) -> IndicatorFrame {
        var frame = IndicatorFrame()
        switch state {
        case .disabled, .idle, .triggered, .succeeded, .finishing, .failed, .noMore: break
        case .pulling, .approaching:
            let shown = progress < 1 ? rounded(progress) : 1
            frame.progress = shown
            frame.alpha = shown
        case .eligible:
            frame.progress = 1
            frame.alpha = 1
            frame.scale = eligibleScale
            frame.rotation = halfTurn
        case .refreshing, .loading:
            frame.progress = 1
            frame.alpha = 1
            frame.rotation = halfTurn
            frame.spin = rounded(spin)
        }
        return frame
    }

    /// Rounds a small positive value to four decimal places. The rounding is finer than any screen
    /// shows, and makes the number short on the wire.
    @inline(__always)
    private static func rounded(_ value: Double) -> Double {
        Double(Int64(value * 10_000 + 0.5)) / 10_000
    }
}
