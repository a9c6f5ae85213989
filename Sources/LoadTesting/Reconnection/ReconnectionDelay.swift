/// The time between a lost connection and the next attempt to connect. Source: docs/protocol.md,
/// "Coming back".
enum ReconnectionDelay {
    private static let shortest: Int64 = 100_000
    private static let longest: Int64 = 1_000_000
    private static let limit: Int64 = 30_000_000
    /// After this time with a connection, the next attempt counts as the first again.
    static let steady: Int64 = 5_000_000

    /// Whether the client ends with its connection, because a further attempt would fail too.
    static func isFinal(_ code: UInt16) -> Bool {
        code == 1007 || code == 1009 || (4000..<4100).contains(code)
    }

    /// The range of the delay before attempt `number`, counted from 0, in microseconds.
    static func range(ofAttempt number: Int) -> Range<Int64> {
        let factor = Int64(1) << Int64(min(max(number, 0), 16))
        let lower = min(shortest * factor, limit / 10)
        return lower..<max(lower + 1, min(longest * factor, limit))
    }
}
