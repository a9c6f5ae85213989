/// Decides when a server that does not answer is lost.
///
/// `BusLoop` sends a ping each second, waits a second for its answer, and at once sends the next
/// one if none has come. The connection is lost after about three seconds without an answer and
/// without progress, so three to four seconds after the server has become silent. These are signs
/// of progress:
///
/// - Bytes were received. The answer may be behind them, so that the next wait is longer: two and
///   then four seconds. A server with such long round trips is lost within ten seconds.
/// - The peer's kernel has accepted bytes that precede the first ping without an answer.
///
/// A server that sends bytes, but answers no ping, is lost after 30 seconds.
struct NATSLiveness {
    /// Numbers of bytes: those that the peer's kernel has acknowledged so far, those that wait for
    /// this, and those that were received so far.
    struct Traffic {
        var acknowledged: UInt64 = 0
        var waiting: UInt64 = 0
        var received: UInt64 = 0
    }

    /// The time between two pings, and the shortest time to wait for an answer, in milliseconds.
    static let intervalMs: Int64 = 1000
    /// The longest time to wait for an answer, in milliseconds. libnats does not recognize an
    /// answer that comes later.
    private static let waitMaxMs: Int64 = 4000

    /// The number of unanswered pings after which the connection is lost, and the time that must
    /// have passed. A wait of libnats may end some milliseconds early. The number is needed if this
    /// process has stood still: the answer may be in the socket then.
    private static let pingsMax = 3
    private static let silenceMaxMs: Int64 = 2900
    private static let answerMaxMs: Int64 = 30_000

    /// The time without an answer.
    private struct Silence {
        /// The time of the last progress, or of the first ping.
        var sinceMs: Int64
        /// The unanswered pings since then, and all of them.
        var pings = 0
        var allPings = 0
        /// The time since which the first ping waits for its answer.
        var deliveredMs: Int64
        /// The number of acknowledged bytes from which on the peer's kernel has the first ping.
        let deliveredAt: UInt64
        var traffic: Traffic
    }

    private var silence: Silence?

    /// The time of the next ping.
    private(set) var nextPingMs: Int64

    /// The time to wait for the answer of the next ping, in milliseconds.
    private(set) var waitMs = Self.intervalMs

    init(at nowMs: Int64) { nextPingMs = nowMs + Self.intervalMs }

    /// A ping is sent. `traffic.waiting` includes the bytes that wait in libnats.
    mutating func begin(at nowMs: Int64, _ traffic: Traffic) {
        nextPingMs = nowMs + Self.intervalMs
        guard silence == nil else { return }
        silence = Silence(
            sinceMs: nowMs, deliveredMs: nowMs,
            deliveredAt: traffic.acknowledged + traffic.waiting, traffic: traffic)
    }

    /// The ping was answered.
    mutating func answer() {
        silence = nil
        waitMs = Self.intervalMs
    }

    /// The ping was not answered in time. Returns the reason, as a sentence, if the connection is
    /// lost.
    mutating func miss(at nowMs: Int64, _ traffic: Traffic) -> String? {
        guard var current = silence else { return nil }
        current.pings += 1
        current.allPings += 1
        let sends =
            current.traffic.acknowledged < current.deliveredAt
            && current.traffic.acknowledged != traffic.acknowledged
        if sends { current.deliveredMs = nowMs }
        let receives = current.traffic.received != traffic.received
        waitMs = receives ? min(2 * waitMs, Self.waitMaxMs) : Self.intervalMs
        if sends || receives {
            current.sinceMs = nowMs
            current.pings = 0
        }
        current.traffic = traffic
        silence = current
        nextPingMs = nowMs
        if current.pings >= Self.pingsMax, nowMs - current.sinceMs >= Self.silenceMaxMs {
            return "The server did not answer for about 3 s."
        }
        return current.allPings < Self.pingsMax || nowMs - current.deliveredMs < Self.answerMaxMs
            ? nil : "The server sent messages, but did not answer pings for 30 s."
    }
}
