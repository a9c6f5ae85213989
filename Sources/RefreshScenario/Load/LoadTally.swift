internal import Histogram

/// What is counted of one target, in one thread or in all. Times are microseconds.
struct LoadTally: Sendable {
    /// Connections that were greeted, that never came to stand, and that were lost.
    var greeted = 0
    var failed = 0
    var lost = 0
    /// Close codes of those that were lost.
    var closeCodes: [UInt16: Int] = [:]
    /// Why the first one that failed did.
    var firstFailure: String?
    /// Frames within the measured time: those sent, and those of them answered so far.
    var sent = 0
    var answered = 0
    /// Bytes of these frames, of the answers and of all else that came in that time.
    var bytesSent = 0
    var bytesReceived = 0
    /// Faults that were told at any time, by code.
    var faults: [String: Int] = [:]
    /// What was said at any time that is no message, by why.
    var unreadable: [UnreadableFrame: Int] = [:]
    /// Frames at any time, and those that nothing answered yet or that are due and were not sent.
    var sentEver = 0
    var pending = 0
    /// From when a frame was due to its answer.
    var latency = Self.histogram
    /// From when a frame was due to when it was sent: how late the generator was itself.
    var lag = Self.histogram
    /// From dialing to the answer to `hello`.
    var greeting = Self.histogram

    /// From a microsecond to an hour, to three digits.
    private static let histogram = Histogram<UInt32>(
        lowestDiscernibleValue: 1, highestTrackableValue: latencyMax,
        numberOfSignificantValueDigits: .three)

    /// What takes longer is counted as that: an hour.
    static let latencyMax: UInt64 = 3_600_000_000

    /// Why nobody was greeted.
    var whyNobody: String {
        if let firstFailure { return firstFailure }
        let told =
            faults.keys.sorted() + unreadable.keys.sorted().map { "it says \($0)" }
            + closeCodes.keys.sorted().map { "closed with \($0)" }
        return "it greets nobody" + (told.isEmpty ? "" : ": " + told.joined(separator: ", "))
    }

    static func += (sum: inout LoadTally, part: LoadTally) {
        sum.greeted += part.greeted
        sum.failed += part.failed
        sum.lost += part.lost
        sum.closeCodes.merge(part.closeCodes, uniquingKeysWith: +)
        sum.firstFailure = sum.firstFailure ?? part.firstFailure
        sum.sent += part.sent
        sum.answered += part.answered
        sum.bytesSent += part.bytesSent
        sum.bytesReceived += part.bytesReceived
        sum.faults.merge(part.faults, uniquingKeysWith: +)
        sum.unreadable.merge(part.unreadable, uniquingKeysWith: +)
        sum.sentEver += part.sentEver
        sum.pending += part.pending
        sum.latency.add(part.latency)
        sum.lag.add(part.lag)
        sum.greeting.add(part.greeting)
    }
}

extension Histogram {
    /// Records a number of microseconds, however large or small.
    mutating func record(microseconds: Int64) {
        record(Swift.min(UInt64(Swift.max(0, microseconds)), LoadTally.latencyMax))
    }
}
