import RefreshProtocol

/// Polling: silent refreshes at regular intervals while the view is in sight. Source:
/// docs/protocol.md, "Polling".
///
/// While no refresh loads, `Deadlines.refreshLoad` is the time of the next poll.
extension Engine {
    /// Milliseconds from the end of a refresh to the next poll; 0 if the view does not poll.
    private var pollMs: UInt32 {
        refresh.phase == .disabled ? 0 : options.refresh?.pollMs ?? 0
    }

    /// Whether the view is in sight. If it is, the client has a connection, and has not reported
    /// that the view disappeared.
    private var isInSight: Bool {
        refresh.background.isDisjoint(with: [.isOutOfSight, .isDisconnected])
    }

    /// Sets a number that shifts the polls of this session, so that they do not coincide with those
    /// of other sessions.
    package mutating func setPollSeed(_ seed: UInt8) { refresh.pollSeed = seed }

    /// Schedules the next poll, because a refresh has ended or the interval has changed. While a
    /// refresh loads or a first page is awaited, no poll is scheduled, because the end of the load
    /// schedules it.
    mutating func schedulePoll(at now: Instant) {
        guard refreshLoad == nil, refresh.awaited == .none else { return }
        if refresh.background.remove(.isVerificationLater) != nil {
            // The refresh that has ended was requested before the order was uncertain.
            handleUncertainOrder()
            guard !refresh.background.contains(.isVerification) else { return }
        }
        discardDuePoll()
        guard pollMs > 0 else {
            refresh.background.remove(.isPollScheduled)
            deadlines.refreshLoad = .never
            return
        }
        refresh.background.insert(.isPollScheduled)
        deadlines.refreshLoad = now.advanced(byMilliseconds: pollDelayMs)
    }

    /// Cancels the scheduled poll. It is not needed, because the view will request a first page for
    /// another reason.
    mutating func suspendPolling() {
        discardDuePoll()
        guard refresh.background.remove(.isPollScheduled) != nil else { return }
        deadlines.refreshLoad = .never
    }

    private mutating func discardDuePoll() {
        refresh.background.subtract([.isVerification, .isVerificationLater])
        if refresh.background.remove(.isPollDue) != nil { changes.isPending = false }
    }

    /// Schedules the next poll after new options, if necessary.
    mutating func adaptPolling(from oldMs: UInt32, at now: Instant) {
        // The driver reports the connection only for views that poll.
        if options.refresh?.pollMs ?? 0 == 0 { refresh.background.remove(.isDisconnected) }
        guard refresh.awaited == .none else { return }
        // A verification is due whatever the interval is.
        let isScheduled =
            deadlines.refreshLoad != .never
            || refresh.background.intersection([.isPollDue, .isVerification]) == .isPollDue
        if pollMs != oldMs || isScheduled != (pollMs > 0) { schedulePoll(at: now) }
    }

    /// The time to the next poll. It is the interval, lengthened after failures, and then changed
    /// by at most 10 %. The change depends on the view and on the number of its last load, so
    /// that the polls of many views do not coincide.
    private var pollDelayMs: Double {
        let usual = Double(max(pollMs, UInt32(OptionKind.intervalMin)))
        // As with `backOff` of a load-more edge, each further failure doubles the time.
        let doublings = refresh.hasFailed ? min(Int(refresh.request.attempt), 4) : 0
        let delay = min(usual * Double(1 << doublings), max(usual, Self.pollBackOffMaxMs))
        let identity =
            UInt64(refresh.pollSeed) << 56 ^ UInt64(generation) << 24 ^ UInt64(lastLoadNumber)
        return delay * (0.9 + 0.2 * identity.mixed.fraction)
    }

    /// The maximum delay after failures, unless the interval is longer.
    private static var pollBackOffMaxMs: Double { Double(OptionKind.timeMax) }

    /// Handles the time of a poll.
    mutating func handlePollTime(at now: Instant) {
        refresh.background.remove(.isPollScheduled)
        deadlines.refreshLoad = .never
        // A refresh that waits replaces the poll. The end of the refresh schedules the next poll.
        guard pollMs > 0, !changes.isPending else { return }
        refresh.background.insert(.isPollDue)
        changes.isPending = isInSight
    }

    /// Handles the report that the order of earlier operations is uncertain. A poll verifies the
    /// list, also in a view that does not poll. If a refresh waits, it delivers the list. A refresh
    /// that runs may not.
    mutating func handleUncertainOrder() {
        guard acceptsOperations(areOwn: false), refresh.phase != .disabled,
            !changes.isPending || refresh.background.contains(.isPollDue)
        else { return }
        guard refreshLoad == nil else {
            refresh.background.insert(.isVerificationLater)
            return
        }
        refresh.background.formUnion([.isPollDue, .isVerification])
        changes.isPending = isInSight
    }

    /// Begins a poll that is due, as soon as nothing prevents the poll.
    mutating func handlePendingPoll(at now: Instant, into effects: inout [Effect]) {
        guard pollMs > 0 || refresh.background.contains(.isVerification) else {
            return schedulePoll(at: now)
        }
        guard canRefreshInBackground, !wouldLosePlace else { return }
        // A refresh would show the arrivals that are held back.
        if refresh.background.contains(.isVerification), changes.heldCount > 0 { return }
        beginSilentRefresh(because: .poll, at: now, into: &effects)
    }

    mutating func handleDisappearance() { recordSight(.isOutOfSight, isInSight: false) }

    mutating func handleReturn() { recordSight(.isOutOfSight, isInSight: true) }

    /// Handles the loss or the return of the connection. The driver also reports the connection
    /// when it attaches a view that polls.
    mutating func handleConnection(_ isConnected: Bool, at now: Instant) {
        recordSight(.isDisconnected, isInSight: isConnected)
        if isConnected { adaptPolling(from: pollMs, at: now) }
    }

    /// Records a reason why the view is not in sight, or that this reason has ended. If no reason
    /// is left, a poll that was due in the meantime begins.
    private mutating func recordSight(_ reason: BackgroundState, isInSight: Bool) {
        if isInSight {
            refresh.background.remove(reason)
        } else {
            refresh.background.insert(reason)
        }
        if refresh.background.contains(.isPollDue) { changes.isPending = self.isInSight }
    }
}
