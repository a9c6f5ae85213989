/// The ranges of the built-in indicators' options. Source: docs/indicators.md, "Programmes of your
/// own".
package enum IndicatorBounds {
    /// Points: the maximum size of an indicator, and the maximum distance between its parts.
    package static let size = 1000.0
    /// The width of a half of the compass, points. With less, the halves would already snap
    /// together at rest.
    package static let width = 1...size
    package static let ticks = 3...24
    /// The duration of one turn, blink or step, milliseconds.
    package static let period = 50.0...4000
    /// The largest scale.
    package static let scale = 10.0
    package static let letters = 1...24
    package static let colors = 1...12
    package static let parts = 1...16
    package static let smoothing = 0...PathLimits.smoothingMax
}
