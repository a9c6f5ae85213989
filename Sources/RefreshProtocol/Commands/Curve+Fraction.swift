extension Curve {
    /// The fraction of the distance travelled after the fraction `time` (0...1) of the duration.
    package func fraction(at time: Double) -> Double {
        let time = min(max(time, 0), 1)
        return switch self {
        case .linear: time
        case .easeIn: CubicEasing(0.42, 0, 1, 1).value(at: time)
        case .easeOut: CubicEasing(0, 0, 0.58, 1).value(at: time)
        case .easeInOut: CubicEasing(0.42, 0, 0.58, 1).value(at: time)
        }
    }
}
