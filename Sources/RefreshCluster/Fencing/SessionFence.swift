package import RefreshBroker
package import RefreshProtocol

/// The state machine that keeps a session at one node. A node that rebuilds a session from a
/// snapshot first claims it: it writes the head of the session's history into a `HeadStore`, by a
/// compare-and-set. The order of the writes decides which node holds the session.
///
/// ```
/// loop ──claim──▶ SessionFence ──send──▶ JetStream
///      ◀─answer──             ◀─received─
///      ◀─inspect, close──
/// ```
///
/// A claim is answered within `claimMs` after it was made. The owner then rebuilds the session,
/// also if its events arrive late. Without an answer of the store, the session is rebuilt
/// nevertheless, and its head is written later. If the head of another node stands by then, the
/// histories decide, and this node may have to close its session.
///
/// A `SessionFence` is a value without clock, task or socket. The owner passes every event to
/// `handle` with the time, performs the effects in order, and sends `.clockAdvanced` at
/// `nextDeadline`. No event causes a trap. Source: docs/cluster.md, "One holder of a session".
package struct SessionFence: Sendable {
    /// An input of the state machine.
    package enum Event: Hashable, Sendable {
        /// The bus is connected, for the first time or again.
        case connected
        case disconnected
        /// This node has sessions. The owner sends this before `connected`.
        case hasSessions
        /// A message of the bus has arrived.
        case received(HeadStore.Arrival, [UInt8])
        /// Time has passed, and nothing else has happened.
        case clockAdvanced
        /// A session would be rebuilt here, with this head. The claim was made at `askedAt`, and is
        /// answered by `answer`. No two claims have the same number.
        case claim(UInt64, session: String, SessionHead, askedAt: Instant)
        /// A claimed session was rebuilt.
        case rebuilt(session: String)
        /// A session of this node was resumed by its client here at this time, and had this head
        /// then.
        case resumed(session: String, SessionHead, at: Instant)
        /// The client of a session of this node has certainly received the last `welcome`.
        case confirmed(session: String)
        /// The head of a session of this node, the answer to `inspect`; nil if it is not here.
        case inspected(session: String, SessionHead?)
        /// A session of this node has ended, whose history has `line` as its last line. If its
        /// client has ended it by `bye`, and has snapshots, `revoking` is the last head.
        case ended(session: String, line: String, revoking: SessionHead?)
    }

    /// An output of the state machine.
    package enum Effect: Hashable, Sendable {
        case send(HeadStore.Message)
        /// Rebuild the session of this claim, or refuse it.
        case answer(UInt64, ClaimVerdict)
        /// Report the head of a session with `inspected`, also if the session is not at this node.
        case inspect(session: String)
        /// Another node holds the session. Close it, if its history has the last line of this head,
        /// and its client has not returned since this head. If the session is not closed, report
        /// its head with `inspected`.
        case close(session: String, SessionHead)
        /// The store can be used.
        case available
        /// The store cannot be used. The reason is a sentence.
        case unavailable(reason: String)
    }

    /// The time in milliseconds in which a claim is answered.
    package static let claimMs = 250.0
    /// The time in milliseconds after which a request without an answer counts as lost.
    static let requestMs = 1000.0
    /// The time in milliseconds after which an entry is read a second time, because the message
    /// about its write may have been faster than the write.
    static let rereadMs = 1000.0
    /// The time in milliseconds after which a lost request is repeated.
    static let retryMs = 1000.0
    /// The time in milliseconds between two inspections of a session whose client may not have
    /// received the last `welcome`. See `ResumeCredentials.welcomeLossMs`.
    static let inspectionMs = 10_000.0
    /// The time in milliseconds between two requests for the state of the bucket, while the store
    /// can be used.
    static let probeMs = 10_000.0
    /// The same while the store cannot be used: the first time, which doubles up to the last one.
    static let failedProbeMs = 2000.0...32_000.0
    /// The maximum number of claims that wait at one time.
    static let claimsMax = 10_000
    /// The maximum number of requests that are open at one time, without those of claims.
    static let requestsMax = 64
    /// The maximum number of revocations that wait to be written.
    static let revocationsMax = 10_000
    /// The number of writes that a node reads at its first connection, if it has had sessions:
    /// the last ones. Earlier writes are not read.
    static let startRevisions: UInt64 = 1000
    /// The number of writes of one session in a row that may fail because another node has written.
    static let conflictsMax = 8

    let own: NodeID
    package let store: HeadStore
    package internal(set) var counters = FenceCounters()

    var isConnected = false
    /// Whether the store has answered, and since then no request has failed.
    package internal(set) var isAvailable = false
    /// Whether the store has been found unavailable, or the bus disconnected, after the start.
    var wasUnavailable = false
    /// The reason that was last reported; nil while the store can be used.
    var reportedReason: String?
    /// The replicas of the bucket that is being created; an index of `HeadStore.replicas`.
    var replicasIndex = 0
    /// Identifies the bucket.
    var epoch: String?
    /// All writes up to this revision are known here.
    var knownRevision: UInt64 = 0
    /// The writes since the last request for the state of the bucket: those of other nodes, also
    /// refused ones, and those of this node.
    var writesArrived: UInt64 = 0
    /// The last revision that is known to exist, and what it was at the last request for the state
    /// of the bucket.
    var lastRevision: UInt64 = 0
    var revisionAtProbe: UInt64 = 0
    /// The last of the writes that were missed while the store could not be used, and that are
    /// read one after another; nil if there are none.
    var missedRevision: UInt64?
    /// The time of the first event.
    private(set) var startedAt: Instant?
    /// Whether this node has had sessions since then.
    private(set) var hadSessions = false
    var held: [String: HeldSession] = [:]
    var revocations = 0
    /// The sessions of the waiting claims.
    var claims: [UInt64: String] = [:]
    /// The requests that JetStream has not answered, by number.
    var requests: [UInt64: StoreRequest] = [:]
    var lastRequest: UInt64 = 0
    /// The sessions that wait for a place among the open requests.
    var waiting: [String] = []
    /// The sessions whose requests are repeated at `retryAt`.
    var postponed: [String] = []
    var retryAt: Instant?
    var probeAt: Instant?
    var failedProbeMs = Self.failedProbeMs.lowerBound
    private var dues = DueQueue<NumberedDeadline<Due>>()
    private var serial: UInt64 = 0

    enum Due: Hashable, Sendable {
        case claim(UInt64)
        case request(UInt64)
        case inspection(session: String)
        case reread(session: String)
    }

    package init(own: NodeID, store: HeadStore) {
        self.own = own
        self.store = store
    }

    /// Handles one event and appends the resulting effects to `effects`, in order.
    package mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
        startedAt = startedAt ?? now
        handleDueTimes(at: now, into: &effects)
        switch event {
        case .connected:
            isConnected = true
            failedProbeMs = Self.failedProbeMs.lowerBound
            probeAt = now
        case .hasSessions: hadSessions = true
        case .disconnected:
            isConnected = false
            becomeUnavailable("The bus is not connected.", at: now, into: &effects)
            probeAt = nil
        case .received(let arrival, let bytes):
            receive(arrival, bytes, at: now, into: &effects)
        case .clockAdvanced: break
        case .claim(let number, let session, let head, let askedAt):
            claim(number, session, head, askedAt, at: now, into: &effects)
        case .rebuilt(let session):
            // Between the claim and the rebuilding, the session may have been lost, or another
            // connection of its client may have claimed it here.
            if held[session]?.isLost == true { held[session] = nil }
            effects.append(.inspect(session: session))
        case .resumed(let session, let head, let returnedAt):
            resume(session, head, returnedAt, at: now, into: &effects)
        case .confirmed(let session):
            // The scheduled inspection remains, so that no session has more than one.
            if held[session]?.isInspectionDue == true { effects.append(.inspect(session: session)) }
        case .inspected(let session, let head):
            update(session, head, nil, at: now, into: &effects)
        case .ended(let session, let line, let revoked):
            // The name may already belong to a later line, that of a new connection. But a sibling
            // that no claim waits for was never rebuilt.
            let isLater = held[session].map { known in
                let isSibling = revoked.map { known.claims.isEmpty && known.head.isSibling(of: $0) }
                return known.head.line != line && isSibling != true
            }
            if isLater != true {
                end(session, line, revoking: revoked, at: now, into: &effects)
            }
        }
        probeIfDue(at: now, into: &effects)
    }

    /// The time at which `.clockAdvanced` is needed; nil if there is none.
    package var nextDeadline: Instant? {
        [dues.nextDeadline, retryAt, probeAt].compactMap { $0 }.min()
    }

    // MARK: - Time

    mutating func schedule(_ due: Due, afterMs delay: Double, at now: Instant) {
        schedule(due, at: now.advanced(byMilliseconds: delay))
    }

    mutating func schedule(_ due: Due, at deadline: Instant) {
        serial += 1
        dues.insert(due, at: deadline, serial: serial)
    }

    private mutating func handleDueTimes(at now: Instant, into effects: inout [Effect]) {
        while let due = dues.nextDeadline, due <= now, let entry = dues.first {
            dues.removeFirst()
            switch entry.name {
            case .claim(let number): answer(number, .unfenced, into: &effects)
            case .request(let number): expire(number, at: now, into: &effects)
            case .inspection(let session):
                guard let known = held[session], known.isInspectionDue else { continue }
                held[session]?.isInspectionDue = false
                if !known.head.isConfirmed { effects.append(.inspect(session: session)) }
            case .reread(let session):
                guard held[session]?.isRereadDue == true else { continue }
                held[session]?.isRereadDue = false
                read(session, at: now, into: &effects)
            }
        }
        if let retryAt, retryAt <= now {
            self.retryAt = nil
            let sessions = postponed
            postponed = []
            for session in sessions { enqueue(session) }
            advanceWaiting(at: now, into: &effects)
        }
    }

    private mutating func probeIfDue(at now: Instant, into effects: inout [Effect]) {
        guard isConnected, let probeAt, probeAt <= now else { return }
        self.probeAt = nil
        revisionAtProbe = lastRevision
        send(.info, at: now, into: &effects)
    }

    // MARK: - Requests

    /// Sends a request, and returns its number.
    @discardableResult
    mutating func send(
        _ request: StoreRequest, at now: Instant, into effects: inout [Effect]
    ) -> UInt64 {
        lastRequest += 1
        requests[lastRequest] = request
        schedule(.request(lastRequest), afterMs: Self.requestMs, at: now)
        effects.append(.send(store.message(of: request, number: lastRequest)))
        return lastRequest
    }

    /// Handles the loss of a request or of its answer. Whether a write has taken place is unknown,
    /// so the entry is read again later.
    private mutating func expire(_ number: UInt64, at now: Instant, into effects: inout [Effect]) {
        guard let request = requests.removeValue(forKey: number) else { return }
        counters.timeouts += 1
        switch request {
        case .info, .create:
            return becomeUnavailable("JetStream does not answer.", at: now, into: &effects)
        case .next: break
        case .get(let session), .put(_, let session, _):
            if held[session]?.request == number { postpone(session, at: now) }
        }
        // The store may be gone. Until this is known, each claim waits for its full time.
        if probeAt != nil { probeAt = now }
    }

    /// Lets a session wait for the next repetition of lost requests.
    mutating func postpone(_ session: String, at now: Instant) {
        held[session]?.forgetRequest()
        postponed.append(session)
        retryAt = retryAt ?? now.advanced(byMilliseconds: Self.retryMs)
    }
}

/// The answer to a claim.
package enum ClaimVerdict: String, CaseIterable, Sendable {
    /// The claim stands in the store. Rebuild the session.
    case fenced
    /// The store has not answered in time. Rebuild the session.
    case unfenced
    /// The client has continued from a newer state, at this or another node. Refuse.
    case superseded
    /// The client has ended the session by `bye`. Refuse.
    case revoked
}

/// The counters of a node's fence since the start of the process.
package struct FenceCounters: Hashable, Sendable {
    /// The answered claims, by verdict.
    package var claims: [ClaimVerdict: Int] = [:]
    /// The sessions that were to be closed because another node holds them.
    package var closed = 0
    /// The sessions whose revocation was written.
    package var revoked = 0
    /// The revocations that were given up, because too many waited.
    package var revocationsDropped = 0
    /// The requests without an answer.
    package var timeouts = 0
    /// The writes that were refused because another node had written.
    package var conflicts = 0
    /// The answers that cannot be read, or do not belong to an open request.
    package var dropped = 0

    package init() {}
}
