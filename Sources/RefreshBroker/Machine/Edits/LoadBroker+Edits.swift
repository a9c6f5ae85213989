package import RefreshProtocol

// The edits of clients. An edit is a load with one waiter that no request can join: it uses the
// call gate, the retries, the circuit breaker and the deadlines of loads. It is not cached, and no
// other node is asked for it. Source: docs/backends.md, "Edits".
extension LoadBroker {
    mutating func startEdit(
        _ request: EditRequest, for waiter: Waiter, until deadline: Instant, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard waiterEntries[waiter] == nil else { return }
        let last = now.advanced(byMilliseconds: Double(loadDeadlineMs))
        let deadline = min(deadline, last)
        if let outcome = immediateOutcome(request, until: deadline, at: now) {
            effects.append(.deliver([waiter], .ended(outcome)))
            return
        }
        guard let feed = feedNumbers[request.feed] else { return }
        lastFlight += 1
        let key = LoadRequest(
            feed: request.feed, kind: .refresh, page: 0, offset: 0, size: 0,
            parameters: request.parameters, headers: request.headers, subject: request.subject)
        var flight = SharedLoad<Waiter>(
            key: RequestKey(key), trigger: .manual, feed: feed, group: feeds[feed].group,
            idempotencyKey: request.idempotencyKey)
        flight.edit = request
        // No request joins an outdated load, and its answer is not cached.
        flight.isOutdated = true
        switch request.sequence.map({ editSequences.append(lastFlight, to: $0) }) {
        case .refused:
            let failure = LoadFailure(
                .backendBusy, "Too many edits wait for an earlier edit of their list.")
            effects.append(.deliver([waiter], .ended(.failed(failure))))
        case .waits:
            flights[lastFlight] = flight
            addWaiter(waiter, to: lastFlight, until: deadline)
        case .begins, nil:
            flights[lastFlight] = flight
            addWaiter(waiter, to: lastFlight, until: deadline)
            requestCall(for: lastFlight, at: now, into: &effects)
        }
    }

    /// Removes an edit that has ended from its sequence.
    mutating func leaveSequence(_ number: UInt64, _ flight: SharedLoad<Waiter>) {
        guard let sequence = flight.edit?.sequence,
            let next = editSequences.remove(number, of: sequence)
        else { return }
        nextEdits.append(next)
    }

    /// Requests calls for the edits whose turn has come.
    mutating func beginNextEdits(at now: Instant, into effects: inout [Effect]) {
        // An edit can end here at once. Then the next edit of its sequence follows.
        while let number = nextEdits.popLast() {
            if flights[number] != nil { requestCall(for: number, at: now, into: &effects) }
        }
    }

    /// Returns the outcome of an edit for which no call is possible. Returns nil for all others.
    private func immediateOutcome(
        _ request: EditRequest, until deadline: Instant, at now: Instant
    ) -> LoadOutcome? {
        if isStopped { return .cancelled }
        guard let feed = feedNumbers[request.feed] else {
            return .failed(LoadFailure(.backendRejected, "There is no such feed."))
        }
        let policy = feeds[feed].policy
        guard policy.accepts(request.operation) else { return .failed(.editNotAccepted) }
        return deadline > now ? nil : .timedOut
    }

    static var timeFailure: LoadFailure {
        LoadFailure(.backendTimedOut, "No answer arrived in time.")
    }

    /// Records that the backend may have performed an edit. The feed may have newer data now.
    mutating func recordPossibleEdit(_ number: UInt64, at now: Instant) {
        guard let feed = flights[number]?.feed else { return }
        flights[number]?.mayBePerformed = true
        handleFeedChange(feed: feed, at: now)
    }

    /// Returns whether the backend may have performed an edit that ends at its deadline.
    mutating func mayBePerformedAtDeadline(_ number: UInt64, at deadline: Instant) -> Bool {
        guard let flight = flights[number], flight.edit != nil else { return false }
        if case .calling = flight.phase { recordPossibleEdit(number, at: deadline) }
        return flights[number]?.mayBePerformed == true
    }

    /// Ends an edit that the backend has performed. The feed has newer data now.
    mutating func endEdit(
        _ number: UInt64, with item: EditedItem?, at now: Instant, into effects: inout [Effect]
    ) {
        guard let flight = flights.removeValue(forKey: number) else { return }
        leaveSequence(number, flight)
        handleFeedChange(feed: flight.feed, at: now)
        for waiter in flight.waiters.present {
            waiterEntries[waiter] = nil
            effects.append(.edited(waiter, item, isRepeated: flight.mayBePerformed))
        }
    }
}

extension LoadFailure {
    /// The failure of an edit that the feed does not accept.
    static let editNotAccepted = LoadFailure(
        .backendRejected, "The feed does not accept this operation.")
}

/// The instruction of the state machine `LoadBroker` to start a backend call for an edit.
package struct EditOrder: Hashable, Sendable {
    package var id: CallID
    package var request: EditRequest
    /// The number of the attempt: 1 for the first call, and one more for each retry.
    package var attempt: Int
    package var deadline: Instant

    package init(id: CallID, _ request: EditRequest, attempt: Int, deadline: Instant) {
        self.id = id
        self.request = request
        self.attempt = attempt
        self.deadline = deadline
    }
}

/// What a backend call has returned.
enum CallAnswer: Sendable {
    case page(Page)
    /// The edit was performed. The item is nil if the backend has returned none.
    case edited(EditedItem?)
}
