internal import RefreshProtocol

/// Requests to the store, and their answers.
extension SessionFence {
    /// Sends the next request of a session, if it needs one and none is open.
    mutating func advance(
        _ session: String, at now: Instant, into effects: inout [Effect]
    ) {
        guard isAvailable, let known = held[session], known.request == nil, !known.isLost
        else { return }
        let isWritten = known.stored == known.head && !known.isRevoked
        guard known.mustRead || known.revision == nil || !isWritten else { return }
        guard !known.claims.isEmpty || requests.count < Self.requestsMax else {
            return enqueue(session)
        }
        let number: UInt64
        if !known.mustRead, let revision = known.revision {
            let entry = StoredHead(node: own, known.head, isRevoked: known.isRevoked)
            number = send(
                .put(entry, session: session, expecting: revision), at: now, into: &effects)
        } else {
            held[session]?.mustRead = false
            // In the meantime, the client may have left this node for another one.
            if let returnedAt = known.returnedAt,
                now.milliseconds(since: returnedAt) > Self.claimMs
            {
                held[session]?.returnedAt = nil
            }
            number = send(.get(session: session), at: now, into: &effects)
        }
        held[session]?.request = number
    }

    /// Lets a session wait for a place among the open requests.
    mutating func enqueue(_ session: String) {
        guard held[session]?.isWaiting == false else { return }
        // The names of sessions that have ended are removed when there are many.
        if waiting.count > Self.requestsMax + 2 * held.count {
            waiting = held.filter(\.value.isWaiting).keys.sorted(by: >)
        }
        held[session]?.isWaiting = true
        waiting.append(session)
    }

    mutating func advanceWaiting(at now: Instant, into effects: inout [Effect]) {
        while isAvailable, requests.count < Self.requestsMax, let session = waiting.popLast() {
            held[session]?.isWaiting = false
            advance(session, at: now, into: &effects)
        }
    }

    // MARK: - Messages

    mutating func receive(
        _ arrival: HeadStore.Arrival, _ bytes: [UInt8], at now: Instant,
        into effects: inout [Effect]
    ) {
        switch arrival {
        case .entry(let session):
            writesArrived += 1
            check(session, at: now, into: &effects)
        case .reply(let number):
            guard let request = requests[number], let answer = StoreAnswer(reading: bytes) else {
                counters.dropped += 1
                return
            }
            requests[number] = nil
            apply(answer, to: request, number, at: now, into: &effects)
            advanceWaiting(at: now, into: &effects)
        }
    }

    /// Another node has written the entry of a session, or has tried to.
    private mutating func check(
        _ session: String, at now: Instant, into effects: inout [Effect]
    ) {
        guard held[session] != nil else {
            effects.append(.inspect(session: session))
            return
        }
        // The message may be faster than the write, so the entry is read once more.
        if held[session]?.isRereadDue == false {
            held[session]?.isRereadDue = true
            schedule(.reread(session: session), afterMs: Self.rereadMs, at: now)
        }
        read(session, at: now, into: &effects)
    }

    mutating func read(_ session: String, at now: Instant, into effects: inout [Effect]) {
        held[session]?.mustRead = true
        advance(session, at: now, into: &effects)
    }

    private mutating func apply(
        _ answer: StoreAnswer, to request: StoreRequest, _ number: UInt64, at now: Instant,
        into effects: inout [Effect]
    ) {
        switch (request, answer) {
        case (.info, .bucket(let created, let revision)),
            (.create, .bucket(let created, let revision)):
            becomeAvailable(created, revision, at: now, into: &effects)
        case (.info, .noBucket):
            replicasIndex = 0
            create(at: now, into: &effects)
        case (.create, .unavailable) where replicasIndex + 1 < HeadStore.replicas.count:
            // Servers that are too few for these replicas refuse them.
            replicasIndex += 1
            create(at: now, into: &effects)
        case (_, .unavailable(let reason)):
            becomeUnavailable(reason, at: now, into: &effects)
        case (_, .noBucket):
            becomeUnavailable("The bucket is gone.", at: now, into: &effects)
            probeAt = now
        case (.next, _): applyMissed(answer, at: now, into: &effects)
        case (.get(let session), _):
            guard held[session]?.request == number else { return }
            held[session]?.request = nil
            applyEntry(answer, of: session, at: now, into: &effects)
        case (.put(let entry, let session, _), _):
            guard held[session]?.request == number else { return }
            held[session]?.request = nil
            applyWrite(answer, of: entry, session, at: now, into: &effects)
        case (.info, _), (.create, _):
            counters.dropped += 1
            probeAt = now.advanced(byMilliseconds: Self.probeMs)
        }
    }

    private mutating func create(at now: Instant, into effects: inout [Effect]) {
        send(.create(replicas: HeadStore.replicas[replicasIndex]), at: now, into: &effects)
    }

    /// Compares the entry of a session with the head of this node.
    private mutating func applyEntry(
        _ answer: StoreAnswer, of session: String, at now: Instant, into effects: inout [Effect]
    ) {
        guard let known = held[session] else { return }
        switch answer {
        case .noEntry, .entry(nil, _, _):
            if known.isUnclaimed, !known.isRevoked {
                return forgetUnclaimed(session, at: now, into: &effects)
            }
            // The store may have lost the entry. It is written again.
            held[session]?.stored = nil
            held[session]?.revision =
                if case .entry(_, let revision, _) = answer { revision } else { 0 }
        case .entry(let entry?, let revision, _):
            let isOwn = entry.head.line == known.head.line
            if entry.isRevoked {
                return lose(session, .revoked, into: &effects)
            }
            // Two connections of one client can claim the session at this node at the same time.
            let isOfThisNode =
                entry.node == own && known.claims.isEmpty && !known.isRevoked
                && known.head.isSibling(of: entry.head)
            guard isOwn || isOfThisNode || known.continues(over: entry.head) else {
                return lose(session, .superseded, into: &effects)
            }
            held[session]?.isUnclaimed = false
            held[session]?.revision = revision
            held[session]?.stored = isOwn ? entry.head : nil
            if isOwn, entry.head == known.head, !known.isRevoked {
                stand(session, at: now, into: &effects)
            }
        default:
            counters.dropped += 1
            return postpone(session, at: now)
        }
        advance(session, at: now, into: &effects)
    }

    /// A resumed session without an entry is forgotten, unless the entry must be read once more. A
    /// claim of another node that is found then is newer than the client's return.
    private mutating func forgetUnclaimed(
        _ session: String, at now: Instant, into effects: inout [Effect]
    ) {
        guard let known = held[session], known.mustRead || known.isRereadDue else {
            held[session] = nil
            return
        }
        held[session]?.returnedAt = nil
        if known.mustRead { advance(session, at: now, into: &effects) }
    }

    private mutating func applyWrite(
        _ answer: StoreAnswer, of entry: StoredHead, _ session: String, at now: Instant,
        into effects: inout [Effect]
    ) {
        switch answer {
        case .written(let revision):
            writesArrived += 1
            lastRevision = max(lastRevision, revision)
            if entry.isRevoked {
                counters.revoked += 1
                revocations -= 1
                held[session] = nil
                return
            }
            held[session]?.revision = revision
            held[session]?.stored = entry.head
            stand(session, at: now, into: &effects)
        case .otherRevision:
            counters.conflicts += 1
            held[session]?.conflicts += 1
            held[session]?.forgetEntry()
            if held[session]?.conflicts ?? 0 > Self.conflictsMax {
                held[session]?.conflicts = 0
                return postpone(session, at: now)
            }
        default:
            counters.dropped += 1
            return postpone(session, at: now)
        }
        advance(session, at: now, into: &effects)
    }

    /// The head of the session is in the store.
    private mutating func stand(
        _ session: String, at now: Instant, into effects: inout [Effect]
    ) {
        held[session]?.isSettled = true
        if let known = held[session], known.stored == known.head {
            held[session]?.returnedAt = nil
        }
        held[session]?.conflicts = 0
        answerClaims(of: session, .fenced, into: &effects)
        scheduleInspection(of: session, at: now)
    }

    // MARK: - Availability

    private mutating func becomeAvailable(
        _ created: String, _ revision: UInt64, at now: Instant, into effects: inout [Effect]
    ) {
        probeAt = now.advanced(byMilliseconds: Self.probeMs)
        failedProbeMs = Self.failedProbeMs.lowerBound
        // Servers can lose the entries of a bucket and keep the bucket.
        let isSame = isAvailable && created == epoch && revision >= revisionAtProbe
        if created != epoch || revision < min(knownRevision, revisionAtProbe) {
            // Other nodes can have claimed the sessions of a node that has just started.
            let missed = hadSessions ? Self.startRevisions : 0
            knownRevision =
                hasJustStarted(at: now) ? revision - min(missed, revision) : 0
        }
        epoch = created
        lastRevision = isSame ? max(lastRevision, revision) : revision
        let arrived = writesArrived
        writesArrived = 0
        if isSame {
            // If fewer writes arrived than there were, messages were lost.
            if missedRevision == nil, revision > knownRevision, arrived < revision - knownRevision {
                missedRevision = revision
            }
            return readMissed(until: revision, at: now, into: &effects)
        }
        if !isAvailable { effects.append(.available) }
        isAvailable = true
        reportedReason = nil
        // The store is another one, or others may have written in the meantime. Each session of
        // this node is checked.
        forgetRequests()
        for session in held.keys.sorted(by: >) { enqueue(session) }
        advanceWaiting(at: now, into: &effects)
        missedRevision = revision
        readMissed(until: revision, at: now, into: &effects)
    }

    /// Whether this node has just started, and has not heard of the store yet.
    func hasJustStarted(at now: Instant) -> Bool {
        guard epoch == nil, let startedAt else { return false }
        return now.milliseconds(since: startedAt) < Membership.livenessMs
    }

    /// Reads the next missed write. While no writes were missed, those up to `revision` are known.
    private mutating func readMissed(
        until revision: UInt64, at now: Instant, into effects: inout [Effect]
    ) {
        if let missedRevision, knownRevision < missedRevision {
            let isReading = requests.values.contains { if case .next = $0 { true } else { false } }
            if !isReading { send(.next(from: knownRevision + 1), at: now, into: &effects) }
        } else {
            missedRevision = nil
            knownRevision = max(knownRevision, revision)
        }
    }

    private mutating func applyMissed(
        _ answer: StoreAnswer, at now: Instant, into effects: inout [Effect]
    ) {
        switch answer {
        case .entry(_, let revision, let subject) where revision > knownRevision:
            knownRevision = revision
            if case .entry(let session)? = store.arrival(on: subject) {
                check(session, at: now, into: &effects)
            }
            readMissed(until: revision, at: now, into: &effects)
        case .noEntry:
            // The last entries have expired.
            knownRevision = max(knownRevision, missedRevision ?? 0)
            missedRevision = nil
        // The reading begins again after the next request for the state of the bucket.
        default: counters.dropped += 1
        }
    }

    mutating func becomeUnavailable(
        _ reason: String, at now: Instant, into effects: inout [Effect]
    ) {
        let wasAvailable = isAvailable
        isAvailable = false
        wasUnavailable = true
        probeAt = now.advanced(byMilliseconds: failedProbeMs)
        failedProbeMs = min(2 * failedProbeMs, Self.failedProbeMs.upperBound)
        forgetRequests()
        for number in claims.keys.sorted() { answer(number, .unfenced, into: &effects) }
        // A node that was never connected, and loses the same store again, reports nothing new.
        guard wasAvailable || (isConnected && reason != reportedReason) else { return }
        reportedReason = reason
        effects.append(.unavailable(reason: reason))
    }

    private mutating func forgetRequests() {
        requests.removeAll()
        waiting = []
        postponed = []
        for session in held.keys {
            held[session]?.forgetRequest()
            held[session]?.isWaiting = false
        }
    }
}
