import RefreshProtocol

/// A client with one view that follows docs/protocol.md exactly. This value contains what the
/// client has received and what the client must send again. Its methods report messages that the
/// client must never receive.
struct ReturningClient {
    /// The state of a load that the client has received a `loading` message about.
    enum LoadState: Int {
        case running = 1
        /// The load ran when the connection was lost.
        case unsure
        case ended
        /// The load ended on an earlier connection.
        case past
    }

    /// The number of the connection that the client listens on.
    var line: Int?
    var isWelcomed = false
    var isResumed = false
    /// The credentials for a resume. Nil if there is no session to resume.
    var claim: ReturnClaim?
    /// The credentials before the last `welcome`.
    var oldClaim: ReturnClaim?
    /// The session that the last `hello` asked to resume.
    var requestedSession: String?
    var seq = 0
    var unacknowledged: [ReturnIntent] = []
    var snapshotAck = 0
    var loads: [String: LoadState] = [:]
    var accepted: Set<String> = []
    /// The value of `ReturnWorld.passed` at the last `welcome`.
    var welcomedAt = 0
    /// Whether an event has occurred that may cost the client its session.
    var mayLose = false

    /// The connection is lost, or the client has given it up.
    mutating func lose() {
        line = nil
        isWelcomed = false
        for (load, state) in loads {
            switch state {
            case .running, .unsure: loads[load] = .unsure
            case .ended, .past: loads[load] = .past
            }
        }
    }

    /// Clears the state, because a new session begins.
    mutating func startAfresh() {
        unacknowledged = []
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
        unacknowledged.removeAll { $0.seq <= mark }
    }

    /// - Returns: why the load must not begin. Nil if it may.
    mutating func begin(_ load: String) -> String? {
        defer { loads[load] = .running }
        switch loads[load] {
        case .running: return "load \(load) began twice"
        case .ended: return "load \(load) began after it had ended"
        case .unsure, .past, nil: return nil
        }
    }

    /// - Returns: why the load must not end. Nil if it may.
    mutating func end(_ load: String) -> String? {
        defer { loads[load] = .ended }
        switch loads[load] {
        case .ended: return "load \(load) ended twice"
        case nil where !isResumed: return "load \(load) ended before it began"
        case .running, .unsure, .past, nil: return nil
        }
    }

    /// - Returns: why the items must not arrive. Nil if they may.
    mutating func accept(itemsOf load: String) -> String? {
        claim?.received = load
        let mistake = end(load)
        return accepted.insert(load).inserted ? mistake : "the items of \(load) arrived twice"
    }
}
