import RefreshProtocol

/// When the sessions of a loop that is about to stop go.
struct Departures {
    /// Those that have a while yet, the next one last.
    private var waiting: [(at: Instant, session: SessionKey)] = []
    /// Those whose moment has come, and whose loads have not ended.
    private(set) var lingering: Set<SessionKey> = []
    /// When those go too.
    let patienceEnds: Instant

    init(patienceEnds: Instant) { self.patienceEnds = patienceEnds }

    /// When somebody goes next; nil: all are gone.
    var nextDeadline: Instant? {
        waiting.last.map { min($0.at, patienceEnds) } ?? (lingering.isEmpty ? nil : patienceEnds)
    }

    /// Those sessions go at those moments.
    mutating func plan(_ sessions: [(at: Instant, session: SessionKey)]) {
        waiting = sessions.sorted { $0.at > $1.at }
    }

    /// Takes a session whose moment has come.
    mutating func popDue(at now: Instant) -> SessionKey? {
        guard let next = waiting.last, next.at <= now else { return nil }
        waiting.removeLast()
        return next.session
    }

    /// The session's loads are waited for.
    mutating func linger(_ session: SessionKey) { lingering.insert(session) }

    /// Takes those whose loads are waited for no longer.
    mutating func popLingering() -> Set<SessionKey> {
        defer { lingering = [] }
        return lingering
    }

    /// The session is waited for no more; whether it was.
    mutating func release(_ session: SessionKey) -> Bool { lingering.remove(session) != nil }
}
