internal import Histogram

/// The counts for one target, either in one thread or in all threads. Times are in microseconds.
struct LoadTally: Sendable {
    /// The number of connections that received `welcome`. `failed` is the number of connections
    /// that were never established, and `lost` is the number of connections that were lost.
    var greeted = 0
    var failed = 0
    var lost = 0
    /// The number of clients that have received no `welcome` and may still receive one.
    var awaitingWelcome = 0
    /// The close codes of lost connections.
    var closeCodes: [UInt16: Int] = [:]
    /// The reason of the first failed connection.
    var firstFailure: String?
    /// The number of frames that were sent within the measurement. `answered` is the number of
    /// these frames that were answered.
    var sent = 0
    var answered = 0
    /// The number of bytes in the frames that were sent within the measurement. `bytesReceived` is
    /// the number of bytes that were received during the measurement.
    var bytesSent = 0
    var bytesReceived = 0
    /// The number of `error` messages received during the whole load test, by code.
    var faults: [String: Int] = [:]
    /// The number of frames received during the whole load test that are not messages of the
    /// protocol, by reason.
    var unreadable: [UnreadableFrame: Int] = [:]
    /// The number of frames sent during the whole load test. `pending` is the number of frames that
    /// are unanswered, or that are due and not yet sent.
    var totalSent = 0
    var pending = 0
    /// For each answered frame, the time from the due time to the answer.
    var latency = Self.histogram
    /// For each sent frame, the time from the due time until the frame was sent. This is the lag of
    /// the load test itself.
    var lag = Self.histogram
    /// For each session, the time from the dialing to the answer to `hello`.
    var greeting = Self.histogram

    /// What happened to clients that lost their connection, if they connect again.
    var returns = Returns()

    /// The counts of reconnections.
    struct Returns: Sendable {
        /// The number of sessions that were resumed.
        var resumed = 0
        /// The number of sessions that could not be resumed, by the reason of the daemon.
        var fresh: [String: Int] = [:]
        /// The number of messages that were sent again.
        var repeated = 0
        /// The number of attempts to connect that failed.
        var failedAttempts = 0
        /// The number of `error` messages with which daemons that stop closed connections.
        var draining = 0
        /// The number of frames within the measurement whose connection was lost before the answer.
        var interrupted = 0
        /// The number of loads whose items came twice, and of frames after which the number of
        /// items was not the one that the daemon counts.
        var itemsRepeated = 0
        var itemsMissing = 0
        /// The number of clients that have lost their connection, and have no other one yet.
        /// `ended` is the number of clients that do not connect again, because of their close code.
        var away = 0
        var ended = 0
        /// For each return, the time from the loss of the connection to the answer to `hello`.
        var times = LoadTally.histogram

        static func += (sum: inout Returns, part: Returns) {
            sum.resumed += part.resumed
            sum.fresh.merge(part.fresh, uniquingKeysWith: +)
            sum.repeated += part.repeated
            sum.failedAttempts += part.failedAttempts
            sum.draining += part.draining
            sum.interrupted += part.interrupted
            sum.itemsRepeated += part.itemsRepeated
            sum.itemsMissing += part.itemsMissing
            sum.away += part.away
            sum.ended += part.ended
            sum.times.add(part.times)
        }
    }

    /// An empty histogram for times from a microsecond to an hour, with three significant digits.
    fileprivate static let histogram = Histogram<UInt32>(
        lowestDiscernibleValue: 1, highestTrackableValue: latencyMax,
        numberOfSignificantValueDigits: .three)

    /// One hour. Longer times are counted as one hour.
    static let latencyMax: UInt64 = 3_600_000_000

    /// The reason why no session received a `welcome`.
    var noGreetingReason: String {
        if let firstFailure { return firstFailure }
        let parts =
            faults.keys.sorted() + unreadable.keys.sorted().map { "it sends \($0)" }
            + closeCodes.keys.sorted().map { "closed with \($0)" }
        return "it sends no `welcome`" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    static func += (sum: inout LoadTally, part: LoadTally) {
        sum.greeted += part.greeted
        sum.failed += part.failed
        sum.lost += part.lost
        sum.awaitingWelcome += part.awaitingWelcome
        sum.closeCodes.merge(part.closeCodes, uniquingKeysWith: +)
        sum.firstFailure = sum.firstFailure ?? part.firstFailure
        sum.sent += part.sent
        sum.answered += part.answered
        sum.bytesSent += part.bytesSent
        sum.bytesReceived += part.bytesReceived
        sum.faults.merge(part.faults, uniquingKeysWith: +)
        sum.unreadable.merge(part.unreadable, uniquingKeysWith: +)
        sum.totalSent += part.totalSent
        sum.pending += part.pending
        sum.latency.add(part.latency)
        sum.lag.add(part.lag)
        sum.greeting.add(part.greeting)
        sum.returns += part.returns
    }
}

extension Histogram {
    /// Records a number of microseconds, clamped to the range of the histogram.
    mutating func record(microseconds: Int64) {
        record(Swift.min(UInt64(Swift.max(0, microseconds)), LoadTally.latencyMax))
    }
}

/// The reason why a received frame is not a message of the protocol.
package enum UnreadableFrame: String, Comparable, Hashable, Sendable, CustomStringConvertible {
    case binary
    case noMessage
    case invalidNumber

    package var description: String {
        switch self {
        case .binary: "binary frames"
        case .noMessage: "text that is not a JSON message or batch"
        case .invalidNumber: "messages with a number that the protocol does not allow"
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
