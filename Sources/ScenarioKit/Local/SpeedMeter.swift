internal import RefreshProtocol

/// The smoothed velocity of a list. Source: docs/protocol.md, "What a client sends", 9.
struct SpeedMeter {
    /// The speed in points per millisecond.
    private(set) var speed = 0.0
    private var offset = 0.0
    private var t = -Double.infinity

    /// Resets the velocity, because a finger came down or the list rests.
    mutating func reset(at offset: Double, t: Double, rests: Bool = false) {
        speed = 0
        self.offset = offset
        // If the list rests, the measurement of the next motion must not start at the time of this
        // sample.
        if !rests { self.t = t }
    }

    mutating func record(_ offset: Double, t: Double) {
        let (distance, time) = (offset - self.offset, t - self.t)
        self.offset = offset
        self.t = t
        if time >= 200 {
            speed = 0
        } else if time >= 1 {
            speed += (distance / time - speed) / 4
        }
    }

    /// Sets the offset after a command has moved the list.
    mutating func rebase(to offset: Double) { self.offset = offset }
}
