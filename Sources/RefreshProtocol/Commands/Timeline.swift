/// The start, duration and easing of a command. Source: docs/protocol.md, "Commands and timelines".
package struct Timeline: Hashable, Sendable, Codable {
    package var start: Instant
    /// The duration in milliseconds; 0: the change is immediate.
    package var duration: Double
    package var curve: Curve

    package init(start: Instant, duration: Double, curve: Curve) {
        self.start = start
        self.duration = duration
        self.curve = curve
    }
}

/// The easing of a timeline from its start to its end.
public enum Curve: String, CaseIterable, Sendable, Codable {
    case linear
    case easeIn
    case easeOut
    case easeInOut
}

extension Curve {
    /// The fraction of the change that is complete when the fraction `time` (0...1) of the duration
    /// has passed.
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
