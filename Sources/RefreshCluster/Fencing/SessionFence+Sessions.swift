internal import RefreshProtocol

/// A session whose head this node writes into the store.
struct HeldSession: Sendable {
    /// The head that must stand in the store.
    var head: SessionHead
    /// Whether the entry must say that the client has ended the session. The session does not exist
    /// any more.
    var isRevoked = false
    /// Whether the session exists for longer than its claim: the claim has stood in the store, or
    /// the session was at this node before. Such a session gives way to a newer one.
    var isSettled: Bool
    /// Whether this node knows no claim of the session. Without an entry, it needs none.
    var isUnclaimed = false
    /// When the client has resumed the session here, if since then the store has answered each
    /// request. An entry that another node has written by now is older than the return.
    var returnedAt: Instant?
    /// The revision of the entry; 0 if there is none, nil if it is not known.
    var revision: UInt64?
    /// The head of this line in the entry with that revision; nil if there is none.
    var stored: SessionHead?
    /// The open request.
    var request: UInt64?
    /// Whether the entry must be read, because another node may have written it.
    var mustRead = false
    /// The claims that wait for the answer.
    var claims: [UInt64] = []
    /// The failed writes since the last success.
    var conflicts = 0
    var isInspectionDue = false
    /// Whether the entry will be read a second time.
    var isRereadDue = false
    /// Whether the session waits for a place among the open requests.
    var isWaiting = false
    /// Whether another node holds the session, and this node is closing it. If the client has
    /// returned by then, the session stays.
    var isLost = false

    init(_ head: SessionHead, isSettled: Bool) {
        self.head = head
        self.isSettled = isSettled
    }

    /// Whether this session continues when `other`, the head of another line, is in the store.
    func continues(over other: SessionHead) -> Bool {
        if isSettled, returnedAt == nil, head.isSuperseded(by: other) { return false }
        return other.isSuperseded(by: head)
    }

    mutating func forgetEntry() {
        revision = nil
        stored = nil
    }

    /// Forgets the open request, because its answer does not come. By the time of the next one,
    /// the client may have left this node for another one.
    mutating func forgetRequest() {
        request = nil
        returnedAt = nil
        forgetEntry()
    }
}

/// Claims and sessions.
extension SessionFence {
    mutating func claim(
        _ number: UInt64, _ session: String, _ head: SessionHead, _ askedAt: Instant,
        at now: Instant, into effects: inout [Effect]
    ) {
        guard HeadStore.isStorable(session) else {
            return record(.unfenced, number, into: &effects)
        }
        if let known = held[session] {
            if known.isRevoked { return record(.revoked, number, into: &effects) }
            if !known.claims.isEmpty {
                if known.head.isSibling(of: head) {
                    return wait(number, for: session, askedAt, at: now, into: &effects)
                }
                guard known.head.isSuperseded(by: head) else {
                    return record(.superseded, number, into: &effects)
                }
                answerClaims(of: session, .superseded, into: &effects)
            }
        }
        held[session] = HeldSession(head, isSettled: false)
        wait(number, for: session, askedAt, at: now, into: &effects)
        scheduleInspection(of: session, at: now)
        advance(session, at: now, into: &effects)
    }

    private mutating func wait(
        _ number: UInt64, for session: String, _ askedAt: Instant, at now: Instant,
        into effects: inout [Effect]
    ) {
        let deadline = askedAt.advanced(byMilliseconds: Self.claimMs)
        // Just after the start, the store may be about to become available.
        let isUndecided = !wasUnavailable && hasJustStarted(at: now)
        guard isAvailable || isUndecided, now < deadline, claims.count < Self.claimsMax else {
            return record(.unfenced, number, into: &effects)
        }
        claims[number] = session
        held[session]?.claims.append(number)
        schedule(.claim(number), at: deadline)
    }

    /// Answers a claim, if it still waits.
    mutating func answer(_ number: UInt64, _ verdict: ClaimVerdict, into effects: inout [Effect]) {
        guard let session = claims.removeValue(forKey: number) else { return }
        held[session]?.claims.removeAll { $0 == number }
        record(verdict, number, into: &effects)
    }

    mutating func answerClaims(
        of session: String, _ verdict: ClaimVerdict, into effects: inout [Effect]
    ) {
        for number in held[session]?.claims ?? [] { answer(number, verdict, into: &effects) }
    }

    private mutating func record(
        _ verdict: ClaimVerdict, _ number: UInt64, into effects: inout [Effect]
    ) {
        counters.claims[verdict, default: 0] += 1
        effects.append(.answer(number, verdict))
    }

    /// The client has resumed the session here. If no claim of it is known here, the entry is read
    /// once, because the message about a claim can be late.
    mutating func resume(
        _ session: String, _ head: SessionHead, _ returnedAt: Instant, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard held[session] == nil else {
            return update(session, head, returnedAt, at: now, into: &effects)
        }
        guard isAvailable, HeadStore.isStorable(session) else { return }
        held[session] = HeldSession(head, isSettled: true)
        held[session]?.isUnclaimed = true
        held[session]?.returnedAt = returnedAt
        advance(session, at: now, into: &effects)
    }

    /// Applies the head of a session of this node. `returnedAt`: when its client has resumed it
    /// here; nil for the answer to `inspect`.
    mutating func update(
        _ session: String, _ head: SessionHead?, _ returnedAt: Instant?, at now: Instant,
        into effects: inout [Effect]
    ) {
        let known = held[session]
        if known?.isRevoked == true {
            // The claim was not answered in time, so that the session was rebuilt.
            if let head { effects.append(.close(session: session, head)) }
            return
        }
        // A waiting claim has another head, which the session does not have yet.
        guard known?.claims.isEmpty != false else { return }
        guard let head, HeadStore.isStorable(session) else {
            held[session] = nil
            return
        }
        if let known, known.head.line == head.line {
            // Another node may have had the session in the meantime. Without the store, the order
            // of its claim and of the return is not known.
            let hasReturned = !head.isUnchanged(since: known.head)
            if known.isLost, !hasReturned { return }
            held[session]?.isLost = false
            // The session may have been inspected because another node has written its entry.
            if returnedAt == nil { held[session]?.isUnclaimed = false }
            if isAvailable, hasReturned { held[session]?.returnedAt = returnedAt ?? now }
            held[session]?.head = head
        } else {
            held[session] = HeldSession(head, isSettled: true)
        }
        scheduleInspection(of: session, at: now)
        advance(session, at: now, into: &effects)
    }

    /// Lets the session be inspected until its client is known to have received the last `welcome`.
    /// Until then, the store permits the client to resume from the state before it.
    mutating func scheduleInspection(of session: String, at now: Instant) {
        guard let known = held[session], !known.isInspectionDue, !known.head.isConfirmed else {
            return
        }
        held[session]?.isInspectionDue = true
        schedule(.inspection(session: session), afterMs: Self.inspectionMs, at: now)
    }

    mutating func end(
        _ session: String, _ line: String, revoking head: SessionHead?, at now: Instant,
        into effects: inout [Effect]
    ) {
        // If claims wait for the line that has ended, it was rebuilt without their answer.
        if held[session]?.head.line == line {
            answerClaims(of: session, head == nil ? .unfenced : .revoked, into: &effects)
        }
        let known = held[session]
        guard known?.isRevoked != true, known?.claims.isEmpty != false else { return }
        guard let head, HeadStore.isStorable(session) else {
            held[session] = nil
            return
        }
        guard revocations < Self.revocationsMax else {
            counters.revocationsDropped += 1
            held[session] = nil
            return
        }
        var revoked = HeldSession(head, isSettled: true)
        if let known, known.head.line == head.line {
            revoked = known
            revoked.head = head
            revoked.isSettled = true
            revoked.isLost = false
        }
        revoked.isInspectionDue = false
        revoked.isRevoked = true
        held[session] = revoked
        revocations += 1
        advance(session, at: now, into: &effects)
    }

    /// Another node holds the session, or its client has ended it.
    mutating func lose(
        _ session: String, _ verdict: ClaimVerdict, into effects: inout [Effect]
    ) {
        guard let known = held[session] else { return }
        guard known.isRevoked || !known.claims.isEmpty else {
            counters.closed += 1
            effects.append(.close(session: session, known.head))
            held[session]?.isLost = true
            held[session]?.forgetEntry()
            return
        }
        if known.isRevoked { revocations -= 1 }
        answerClaims(of: session, verdict, into: &effects)
        held[session] = nil
    }
}
