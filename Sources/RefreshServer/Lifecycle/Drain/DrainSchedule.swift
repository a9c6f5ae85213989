import RefreshProtocol
internal import RefreshSession

/// The schedule by which the sessions of a loop close while the daemon stops.
struct DrainSchedule {
    /// The sessions that are not due yet, sorted by time. The next session to close is last.
    private var waiting: [(at: Instant, session: SessionKey)] = []
    /// The sessions that are due, but are closed only after their loads have ended.
    private(set) var awaitingLoads: Set<SessionKey> = []
    /// The time at which sessions that wait for their loads are closed, even if the loads still
    /// run.
    let loadsDeadline: Instant

    init(loadsDeadline: Instant) { self.loadsDeadline = loadsDeadline }

    /// When the next session closes; nil if no session is left.
    var nextDeadline: Instant? {
        waiting.last.map { min($0.at, loadsDeadline) }
            ?? (awaitingLoads.isEmpty ? nil : loadsDeadline)
    }

    /// Sets the times at which sessions close.
    mutating func schedule(_ sessions: [(at: Instant, session: SessionKey)]) {
        waiting = sessions.sorted { $0.at > $1.at }
    }

    /// Removes and returns a session that is due.
    mutating func popDue(at now: Instant) -> SessionKey? {
        guard let next = waiting.last, next.at <= now else { return nil }
        waiting.removeLast()
        return next.session
    }

    /// Keeps a due session until its loads have ended.
    mutating func deferUntilLoadsEnd(_ session: SessionKey) { awaitingLoads.insert(session) }

    /// Removes and returns the sessions that have waited long enough for their loads.
    mutating func removeAllAwaitingLoads() -> Set<SessionKey> {
        defer { awaitingLoads = [] }
        return awaitingLoads
    }

    /// Ends the wait for the session's loads. Returns whether the session was waiting.
    mutating func endWait(of session: SessionKey) -> Bool { awaitingLoads.remove(session) != nil }
}
