import RefreshProtocol

/// The list on its way back from a released over-scroll.
struct SpringBack: Hashable, Sendable, Codable {
    /// Milliseconds.
    static let duration = 500.0

    /// Points.
    var from: Double
    var command: OffsetCommand

    var end: Instant { command.timeline.start.advanced(byMilliseconds: command.timeline.duration) }

    /// Where the list is at `now`, points.
    func offset(at now: Instant) -> Double {
        let time = now.milliseconds(since: command.timeline.start) / command.timeline.duration
        return from + (command.target - from) * command.timeline.curve.fraction(at: time)
    }
}
