internal import RefreshProtocol

/// Stops calls to a backend that fails repeatedly. Source: docs/backends.md, "Circuit breaker".
///
/// ```
///            `failures` in a row                 its time is over: one call, the probe
///  closed ─────────────────────────▶ open(until) ──────────────────────────────▶ probing
///     ▲                               ▲     ▲                                  │ │ │
///     │                               │     └─ cancelled: next load probes ────┘ │ │
///     │                               └─ failed: twice as long, at most ten times┘ │
///     └── the probe was answered ──────────────────────────────────────────────────┘
/// ```
///
/// The breaker has no timer. When its open time is over, the breaker stays open until the next
/// load. The call of this load is the probe.
struct CircuitBreaker: Hashable, Sendable {
    /// What the end of a call reveals about the backend.
    enum Verdict: Hashable, Sendable {
        case alive
        case failed
        /// The call was cancelled, so its result is not known.
        case unknown

        /// Derives from the code of a failure what the failure reveals about the backend.
        init(_ code: FaultCode) {
            switch code {
            case .backendUnavailable, .backendTimedOut, .backendFailed: self = .failed
            default: self = .alive
            }
        }
    }

    /// The refusal of a call.
    struct Refusal: Hashable, Sendable {
        /// The milliseconds until a call may start, at least 1; nil if no call may start before the
        /// probe returns.
        let retryAfterMs: Int?
    }

    private enum Phase: Hashable, Sendable {
        /// Calls may start. `failures` consecutive calls have failed. The next phase is `open`.
        case closed(failures: Int)
        /// No call may start before `until`. With the first call after `until`, the phase becomes
        /// `probing`.
        case open(until: Instant, lengthMs: Int)
        /// One call, the probe, runs, and no other call may start. The next phase is `closed` or
        /// `open`.
        case probing(lengthMs: Int)
    }

    private let failuresMax: Int
    private let openMs: Int
    private var phase = Phase.closed(failures: 0)
    /// How many times the breaker has opened, including the times after a failed probe.
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

    /// Returns nil if a call may start at `now`, and the refusal if it may not.
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

    /// Records the start of a call that was not refused. Returns true if the call is the probe.
    mutating func recordCallStart() -> Bool {
        guard case .open(_, let lengthMs) = phase else { return false }
        phase = .probing(lengthMs: lengthMs)
        return true
    }

    /// Records the end of a call. A call other than the probe counts only while the breaker is
    /// closed. If the breaker is not closed, such a call started before the breaker opened.
    mutating func recordCallEnd(_ verdict: Verdict, wasProbe: Bool, at now: Instant) {
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

/// The state of a backend's circuit breaker. Source: docs/backends.md, "Circuit breaker".
package enum BreakerState: String, CaseIterable, Sendable {
    /// Calls are made.
    case closed
    /// No calls are made until the open time is over and a new load arrives.
    case open
    /// One call, the probe, is running to find out whether the backend works.
    case halfOpen
}

/// A state change of a backend's circuit breaker.
package struct BreakerChange: Hashable, Sendable {
    /// The name of the group of feeds that use the backend.
    package let backend: String
    package let state: BreakerState

    package init(_ backend: String, _ state: BreakerState) {
        self.backend = backend
        self.state = state
    }
}
