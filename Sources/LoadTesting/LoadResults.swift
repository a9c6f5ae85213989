internal import Histogram

/// The report of a load test.
package struct LoadResults: Sendable {
    /// Percentiles of one or more measured times, in microseconds. Each percentile is accurate to a
    /// thousandth.
    package struct Times: Hashable, Sendable {
        package var count: UInt64
        package var mean: Double
        package var p50: UInt64
        package var p90: UInt64
        package var p99: UInt64
        package var p999: UInt64
        package var max: UInt64
    }

    /// The results for one target.
    package struct Target: Sendable {
        package var url: String
        /// The number of sessions that received `welcome`. `failed` is the number of connections
        /// that failed, and `lost` is the number of sessions that were lost.
        package var connections: Int
        package var failed: Int
        package var lost: Int
        package var closeCodes: [UInt16: Int]
        package var faults: [String: Int]
        /// The number of received frames that are not messages of the protocol, by reason.
        package var unreadable: [UnreadableFrame: Int] = [:]
        package var sent: Int
        package var answered: Int
        package var messagesPerSecond: Double
        package var bytesSent: Int
        package var bytesReceived: Int
        /// The latency of answered frames; nil if none was answered.
        package var latency: Times?
        package var greeting: Times?
        /// The resource usage of the server process. Nil if the command line names no process, or
        /// if the process has ended.
        package var server: ProcessShare?
        /// The id of the server process, if the process ended before the end of the measurement.
        package var endedProcess: Int32?

        /// What happened to the clients that lost their connection; nil if they do not connect
        /// again.
        package var returns: Returns?

        /// The number of frames without an answer, except those whose connection was lost if
        /// clients connect again.
        package var unanswered: Int { sent - answered - (returns?.interrupted ?? 0) }

        /// Whether every connection worked, and every frame was answered without a fault. If
        /// clients connect again, connections may be lost, but no items.
        package var isSound: Bool {
            failed == 0 && unanswered == 0 && faults.isEmpty && unreadable.isEmpty
                && (returns?.isSound ?? (lost == 0))
        }
    }

    /// The clients that lost their connection and connected again.
    package struct Returns: Hashable, Sendable {
        /// The number of sessions that were resumed.
        package var resumed: Int
        /// The number of sessions that could not be resumed, by the reason of the daemon.
        package var fresh: [String: Int]
        /// The number of messages that were sent again.
        package var repeated: Int
        /// The number of attempts to connect that failed.
        package var failedAttempts: Int
        /// The number of connections that daemons closed because they stopped.
        package var draining: Int
        /// The number of frames whose connection was lost before their answer.
        package var interrupted: Int
        /// The number of loads whose items came twice.
        package var itemsRepeated: Int
        /// The number of frames after which the number of items was not the one that the daemon
        /// counts.
        package var itemsMissing: Int
        /// The number of clients without a connection at the end.
        package var away: Int
        /// The times from the loss of a connection to the answer to `hello`; nil if none was lost.
        package var times: Times?

        /// Whether each client returned, and received each of its items once.
        package var isSound: Bool { itemsRepeated == 0 && itemsMissing == 0 && away == 0 }
    }

    package var connections: Int
    package var threads: Int
    package var pace: LoadPlan.Pace
    package var seconds: Double
    package var targets: [Target]
    package var generator: ProcessShare?
    /// The lag of the load test itself: the times by which it sent frames too late. Nil if it sent
    /// nothing.
    package var lag: Times?

    package var isSound: Bool { targets.allSatisfy(\.isSound) }

    /// Whether the load test itself makes the measured latencies considerably longer. This is true
    /// if its threads were busy for more than 90 % of the time, or if one frame in a hundred was
    /// sent more than a millisecond late.
    package var isGeneratorAtItsLimit: Bool {
        (lag?.p99 ?? 0) > 1_000 || (generator?.cpuPercent ?? 0) > 90 * Double(threads)
    }

    /// Returns a number of microseconds as text, with three digits and a unit.
    package static func time(_ microseconds: UInt64) -> String {
        let (value, unit) =
            switch microseconds {
            case ..<1_000: (Double(microseconds) / 1_000, "ms")
            case ..<1_000_000: (Double(microseconds) / 1_000, "ms")
            default: (Double(microseconds) / 1_000_000, "s")
            }
        return "\(digits(value)) \(unit)"
    }

    /// Returns a number with three significant digits, and at most three digits after the decimal
    /// point.
    static func digits(_ value: Double) -> String {
        let places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
        return fixed(value, places)
    }

    package static func fixed(_ value: Double, _ places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let whole = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard places > 0 else { return sign + grouped(whole) }
        let fraction = String(whole % scale)
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(sign)\(grouped(whole / scale)).\(zeros)\(fraction)"
    }

    /// Returns a number with commas between thousands.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}

extension LoadResults.Times {
    /// Creates the percentiles. Nil if nothing was measured.
    init?(_ histogram: Histogram<UInt32>) {
        count = histogram.totalCount
        guard count > 0 else { return nil }
        mean = histogram.mean
        p50 = histogram.valueAtPercentile(50)
        p90 = histogram.valueAtPercentile(90)
        p99 = histogram.valueAtPercentile(99)
        p999 = histogram.valueAtPercentile(99.9)
        max = histogram.maxRecorded
    }
}

extension LoadResults.Target {
    init(
        url: String, tally: LoadTally, seconds: Double, process: Int32?, reconnects: Bool = false,
        server: ProcessShare?
    ) {
        self.url = url
        connections = tally.greeted
        failed = tally.failed
        lost = tally.lost
        closeCodes = tally.closeCodes
        faults = tally.faults
        unreadable = tally.unreadable
        sent = tally.sent
        answered = tally.answered
        messagesPerSecond = Double(tally.sent) / seconds
        bytesSent = tally.bytesSent
        bytesReceived = tally.bytesReceived
        latency = LoadResults.Times(tally.latency)
        greeting = LoadResults.Times(tally.greeting)
        self.server = server
        endedProcess = server == nil ? process : nil
        returns = reconnects ? LoadResults.Returns(tally.returns) : nil
    }
}

extension LoadResults.Returns {
    init(_ tally: LoadTally.Returns) {
        resumed = tally.resumed
        fresh = tally.fresh
        repeated = tally.repeated
        failedAttempts = tally.failedAttempts
        draining = tally.draining
        interrupted = tally.interrupted
        itemsRepeated = tally.itemsRepeated
        itemsMissing = tally.itemsMissing
        away = tally.away + tally.ended
        times = LoadResults.Times(tally.times)
    }
}
