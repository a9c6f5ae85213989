package import RefreshProtocol

/// The plain spinner: the pull draws its arc. The arc grows when the release would fire, and turns
/// while a load runs. The spinner is IQPullToRefresh's built-in indicator with an arc instead of
/// ticks.
package enum PlainSpinner {
    /// The scale while the edge waits for the release.
    static let eligibleScale = 1.5
    /// The rotation when the release would fire, radians. The spin during a load begins there.
    static let halfTurn = 3.1416
    /// The speed of the spinner while it turns, in radians per second.
    static let spin = 2 * Double.pi

    /// The frame in `state`, at `progress` (0...1) of the distance to the threshold.
    @inline(__always)
    package static func frame(_ state: EdgeState, progress: Double) -> IndicatorFrame {
        var frame = IndicatorFrame()
        switch state {
        case .disabled, .idle, .triggered, .succeeded, .finishing, .failed, .noMore: break
        case .pulling, .approaching:
            let shown = rounded(progress)
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

    /// Rounds a small positive value to four decimal places: finer than any screen shows, and short
    /// on the wire.
    @inline(__always)
    private static func rounded(_ value: Double) -> Double {
        Double(Int64(value * 10_000 + 0.5)) / 10_000
    }
}
