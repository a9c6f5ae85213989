/// What the options of the built-in indicators may be. Source: docs/indicators.md, "Programmes of
/// your own".
package enum IndicatorBounds {
    /// Points: how large an indicator may be, across, and how far its parts may lie from each
    /// other.
    package static let size = 1000.0
    /// Points of a half of the compass; with less, the halves would hold fast at rest.
    package static let width = 1...size
    package static let ticks = 3...24
    /// Milliseconds of one turn, blink or step.
    package static let period = 50.0...4000
    /// The largest scale.
    package static let scale = 10.0
    package static let letters = 1...24
    package static let colors = 1...12
    package static let parts = 1...16
    package static let smoothing = 0...PathLimits.smoothingMax
}
