internal import RefreshProtocol

/// How fast a list goes, smoothed. Source: docs/protocol.md, "What a client sends", 8.
struct PaceMeter {
    /// Points per millisecond.
    private(set) var speed = 0.0
    private var offset = 0.0
    private var t = -Double.infinity

    /// A finger came down, or the list rests.
    mutating func stand(at offset: Double, t: Double, rests: Bool = false) {
        speed = 0
        self.offset = offset
        // Rest says nothing of the time.
        if !rests { self.t = t }
    }

    mutating func note(_ offset: Double, t: Double) {
        let (way, time) = (offset - self.offset, t - self.t)
        self.offset = offset
        self.t = t
        if time >= 200 {
            speed = 0
        } else if time >= 1 {
            speed += (way / time - speed) / 4
        }
    }

    /// The list was moved by others.
    mutating func move(to offset: Double) { self.offset = offset }
}
