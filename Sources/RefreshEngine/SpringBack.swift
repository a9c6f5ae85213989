import RefreshProtocol

/// The list on its way back from a released over-scroll.
struct SpringBack: Hashable, Sendable, Codable {
    /// Milliseconds.
    static let duration = 500.0

    /// Points.
    var from: Double
    var command: OffsetCommand

    var end: Instant { command.start.advanced(byMilliseconds: command.duration) }

    /// Where the list is at `now`, points.
    func offset(at now: Instant) -> Double {
        let time = now.milliseconds(since: command.start) / command.duration
        return from + (command.target - from) * Curve.spring.fraction(at: time)
    }
}
