import RefreshProtocol

/// A client with one view that keeps docs/protocol.md to the letter: what it was told, what it has
/// to say again, and what it must never hear.
struct ReturningClient {
    /// How a load that it was told of stands.
    enum Stand: Int {
        case running = 1
        /// It ran when the connection was lost.
        case unsure
        case ended
        /// It ended on an earlier connection.
        case past
    }

    /// The line that it listens on.
    var line: Int?
    var isWelcomed = false
    var isResumed = false
    /// What it comes back with; nil: there is nothing to come back to.
    var claim: ReturnClaim?
    /// What it came with before the last welcome.
    var oldClaim: ReturnClaim?
    /// The session that its last `hello` asked for.
    var asked: String?
    var seq = 0
    var kept: [ReturnIntent] = []
    var snapshotAck = 0
    var loads: [String: Stand] = [:]
    var accepted: Set<String> = []
    /// Where the time was when it was welcomed last.
    var welcomedAt = 0
    /// Whether something has happened for which it may lose its session.
    var mayLose = false

    /// The connection is gone, or given up.
    mutating func lose() {
        line = nil
        isWelcomed = false
        for (load, stand) in loads {
            switch stand {
            case .running, .unsure: loads[load] = .unsure
            case .ended, .past: loads[load] = .past
            }
        }
    }

    /// The session is another one.
    mutating func startAfresh() {
        kept = []
        snapshotAck = 0
        loads = [:]
        accepted = []
        mayLose = false
    }

    mutating func handled(upTo ack: Int) {
        guard var known = claim else { return }
        known.ack = max(known.ack, ack)
        claim = known
        let mark = known.snapshot == nil ? known.ack : snapshotAck
        kept.removeAll { $0.seq <= mark }
    }

    /// - Returns: why that must not be.
    mutating func begin(_ load: String) -> String? {
        defer { loads[load] = .running }
        switch loads[load] {
        case .running: return "load \(load) began twice"
        case .ended: return "load \(load) began after it had ended"
        case .unsure, .past, nil: return nil
        }
    }

    /// - Returns: why that must not be.
    mutating func end(_ load: String) -> String? {
        defer { loads[load] = .ended }
        switch loads[load] {
        case .ended: return "load \(load) ended twice"
        case nil where !isResumed: return "load \(load) ended and never began"
        case .running, .unsure, .past, nil: return nil
        }
    }

    /// - Returns: why that must not be.
    mutating func take(itemsOf load: String) -> String? {
        claim?.received = load
        let mistake = end(load)
        return accepted.insert(load).inserted ? mistake : "items of \(load) came twice"
    }
}
