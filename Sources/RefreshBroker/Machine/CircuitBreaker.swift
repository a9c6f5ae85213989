internal import RefreshProtocol

/// Stops asking a backend that fails again and again. Source: docs/backends.md, "Circuit breaker".
///
/// ```
///            `failures` in a row                 its time is over: one call, the probe
///  closed ─────────────────────────▶ open(until) ──────────────────────────────▶ probing
///     ▲                               ▲     ▲                                  │ │ │
///     │                               │     └─ cancelled: ask again at once ───┘ │ │
///     │                               └─ failed: twice as long, at most ten times┘ │
///     └── the probe was answered ──────────────────────────────────────────────────┘
/// ```
///
/// It has no timer: nothing happens at the end of the time but that the next load is let through.
struct CircuitBreaker: Hashable, Sendable {
    /// What the end of a call says of the backend.
    enum Verdict: Hashable, Sendable {
        case alive
        case failed
        /// The call was cancelled: nobody knows.
        case unknown

        /// What a failure of that code says.
        init(_ code: FaultCode) {
            switch code {
            case .backendUnavailable, .backendTimedOut, .backendFailed: self = .failed
            default: self = .alive
            }
        }
    }

    /// That no call may begin now.
    struct Refusal: Hashable, Sendable {
        /// Milliseconds until one may, at least 1; nil: when the probe is back.
        let retryAfterMs: Int?
    }

    private enum Phase: Hashable, Sendable {
        /// Calls begin; so many in a row have failed. Becomes `open`.
        case closed(failures: Int)
        /// None begins before `until`, the first after it makes it `probing`.
        case open(until: Instant, lengthMs: Int)
        /// One call runs and no other begins. Becomes `closed` or `open`.
        case probing(lengthMs: Int)
    }

    private let failuresMax: Int
    private let openMs: Int
    private var phase = Phase.closed(failures: 0)
    /// How often it opened, also anew after a probe.
    private(set) var timesOpened: Int

    init(_ policy: BackendPolicy.Breaker, timesOpened: Int = 0) {
        self.timesOpened = timesOpened
        failuresMax = max(0, policy.failures)
        openMs = max(1, policy.openMs)
    }

    var state: BreakerState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .probing: .halfOpen
        }
    }

    /// Whether a call may begin at `now`; nil: it may.
    func refusal(at now: Instant) -> Refusal? {
        switch phase {
        case .closed:
            return nil
        case .open(let until, _):
            guard now < until else { return nil }
            return Refusal(retryAfterMs: Int((until.microseconds - now.microseconds + 999) / 1000))
        case .probing:
            return Refusal(retryAfterMs: nil)
        }
    }

    /// A call that was not refused begins. True: it is the probe.
    mutating func callBegan() -> Bool {
        guard case .open(_, let lengthMs) = phase else { return false }
        phase = .probing(lengthMs: lengthMs)
        return true
    }

    /// A call ended. What others than the probe say counts only while it is closed: they began
    /// before it opened.
    mutating func callEnded(_ verdict: Verdict, wasProbe: Bool, at now: Instant) {
        switch (phase, verdict) {
        case (.closed, .alive):
            phase = .closed(failures: 0)
        case (.closed(let failures), .failed):
            guard failuresMax > 0 else { return }
            if failures + 1 >= failuresMax {
                open(forMs: openMs, at: now)
            } else {
                phase = .closed(failures: failures + 1)
            }
        case (.probing, .alive):
            if wasProbe { phase = .closed(failures: 0) }
        case (.probing(let lengthMs), .failed):
            if wasProbe { open(forMs: min(2 * lengthMs, 10 * openMs), at: now) }
        case (.probing(let lengthMs), .unknown):
            if wasProbe { phase = .open(until: now, lengthMs: lengthMs) }
        case (.closed, .unknown), (.open, _):
            break
        }
    }

    private mutating func open(forMs lengthMs: Int, at now: Instant) {
        timesOpened += 1
        phase = .open(
            until: now.advanced(byMilliseconds: Double(lengthMs)), lengthMs: lengthMs)
    }
}
