internal import RefreshBroker
internal import RefreshProtocol

/// The state machine of a stream of changes: when it connects, and what its events mean. It has no
/// clock, and its random numbers come from the seed. Source: docs/backends.md, "A stream of
/// changes".
struct ChangeStreamMachine: Sendable {
    enum Input: Hashable {
        case clockAdvanced
        /// The head of the answer has arrived.
        case answered(status: Int, contentType: String?)
        case received([UInt8])
        /// The connection has ended, or could not be made. `failure` is nil if the answer was
        /// complete.
        case ended(failure: String?)
    }

    enum Effect: Hashable {
        /// Send the request. `lastID` is the value of `Last-Event-ID`.
        case connect(lastID: [UInt8])
        /// Close the connection. No `ended` may follow.
        case close
        /// The data of an event.
        case report([UInt8])
        /// Changes may have been missed.
        case missed
        /// The server has sent what it must not send.
        case fault
        case opened
        case closed(reason: String)
        case failed(reason: String)
        /// The backend has no changes to report.
        case stopped
    }

    private enum Phase: Hashable {
        case waiting(until: Instant)
        case connecting(since: Instant)
        case open(since: Instant)
        case stopped
    }

    static let standardRetryMs = 3000
    static let silenceMs = 90_000.0
    /// A connection that was open for this time ends a row of failures.
    static let lastingMs = 10_000.0
    private static let retryMsMax = 60_000.0
    /// The part of a time by which it may differ.
    private static let jitter = 0.1

    private var phase: Phase
    private var parser = EventStreamParser()
    private var random: SeededRandom
    /// The number of connections in a row that have failed, or have ended early.
    private var failures = 0
    /// The time at which the stream was opened; nil if it is not open.
    private var openedAt: Instant?

    init(seed: UInt64, at now: Instant) {
        random = SeededRandom(seed: seed)
        phase = .waiting(until: now)
    }

    /// The time at which `clockAdvanced` is needed; nil if there is none.
    var nextDeadline: Instant? {
        switch phase {
        case .waiting(let time): time
        case .connecting(let time), .open(let time): time.advanced(byMilliseconds: Self.silenceMs)
        case .stopped: nil
        }
    }

    mutating func handle(_ input: Input, at now: Instant, into effects: inout [Effect]) {
        switch (input, phase) {
        case (.clockAdvanced, .waiting(let time)) where time <= now:
            phase = .connecting(since: now)
            effects.append(.connect(lastID: parser.lastID))
        case (.clockAdvanced, .connecting), (.clockAdvanced, .open):
            guard let deadline = nextDeadline, deadline <= now else { return }
            effects.append(.close)
            fail("There was nothing for 90 s.", at: now, into: &effects)
        case (.answered(let status, let type), .connecting):
            answer(status, type, at: now, into: &effects)
        case (.received(let bytes), .open):
            phase = .open(since: now)
            receive(bytes, at: now, into: &effects)
        case (.ended(let failure?), .connecting), (.ended(let failure?), .open):
            fail(failure, at: now, into: &effects)
        case (.ended(nil), .connecting):
            fail("The answer has no head.", at: now, into: &effects)
        case (.ended(nil), .open):
            effects.append(.closed(reason: "The answer has ended."))
            wait(at: now)
        case (.clockAdvanced, _), (.answered, _), (.received, _), (.ended, _): break
        }
    }

    private mutating func answer(
        _ status: Int, _ type: String?, at now: Instant, into effects: inout [Effect]
    ) {
        if status == 204 {
            phase = .stopped
            effects += [.close, .stopped]
            return
        }
        let mediaType = type.map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
        guard status == 200, mediaType == "text/event-stream" else {
            effects.append(.close)
            let reason =
                status == 200
                ? "The answer is not text/event-stream." : "The server answered with \(status)."
            return fail(reason, at: now, into: &effects)
        }
        phase = .open(since: now)
        parser = EventStreamParser(after: parser.lastID, retryMs: parser.retryMs)
        openedAt = now
        effects.append(.opened)
        if parser.lastID.isEmpty { effects.append(.missed) }
    }

    private mutating func receive(
        _ bytes: [UInt8], at now: Instant, into effects: inout [Effect]
    ) {
        var events: [[UInt8]] = []
        var isTooLarge = false
        do throws(EventStreamParser.Overflow) {
            try parser.read(bytes.span, into: &events)
        } catch {
            isTooLarge = true
        }
        effects += events.map { $0.isEmpty ? .missed : .report($0) }
        guard isTooLarge else { return }
        effects += [.fault, .missed, .close]
        fail("A line or an event is too large.", at: now, into: &effects)
    }

    private mutating func fail(
        _ reason: String, at now: Instant, into effects: inout [Effect]
    ) {
        effects.append(.failed(reason: reason))
        wait(at: now)
    }

    /// Waits before the next connection. After the first of several connections in a row that have
    /// failed or ended early, each one doubles the time.
    private mutating func wait(at now: Instant) {
        if let openedAt, now.milliseconds(since: openedAt) >= Self.lastingMs { failures = 0 }
        openedAt = nil
        failures += 1
        let retryMs = Double(parser.retryMs ?? Self.standardRetryMs)
        let factor = Double(1 << min(failures - 1, 16))
        let part = 1 + (2 * random.next().fraction - 1) * Self.jitter
        let delay = min(retryMs * factor, Self.retryMsMax) * part
        phase = .waiting(until: now.advanced(byMilliseconds: delay))
    }
}
