/// Detects a connection that is dead without a close frame: no `pong` arrives on it although the
/// client awaits one. Source: docs/coming-back.md, "Reconnect and refresh".
///
/// A connection is checked at regular intervals. Between two checks, everything that has arrived is
/// read. So a client that stood still itself does not mistake its connection for a dead one.
struct LivenessCheck {
    /// The number of intervals between checks in the time in which a `pong` must arrive.
    static let intervals = 10
    /// The same for the `pong` that comes with `welcome`, because the daemon may need time to
    /// authenticate the client.
    static let greetingIntervals = 20

    private var oldest: Int?
    private var passed = 0

    /// Records a check. `oldest` is the number of the oldest ping without a `pong`; nil if there is
    /// none. Returns whether the connection is alive: false if this ping has had no `pong` for this
    /// number of `intervals`.
    mutating func recordCheck(oldest ping: Int?, intervals: Int) -> Bool {
        guard let ping, ping == oldest else {
            oldest = ping
            passed = 0
            return true
        }
        passed += 1
        return passed < intervals
    }
}
