internal import RefreshProtocol

/// The start, the end and the abandonment of calls.
extension LoadBroker {
    /// Starts a call. The caller has checked that the gate has capacity, and that the breaker does
    /// not refuse calls.
    mutating func beginCall(for number: UInt64, at now: Instant, into effects: inout [Effect]) {
        guard let flight = flights[number], let deadline = lastDeadline(of: flight) else { return }
        lastCall += 1
        let id = CallID(lastCall)
        let attempt = flight.attempt + 1
        let isProbe = update(group: flight.group) { group in
            group.gate.recordCallStart()
            if attempt == 1 { group.retryBudget.recordCall() } else { group.retries += 1 }
            return group.breaker.recordCallStart()
        }
        calls[id] = RunningCall(
            flight: number, group: flight.group, began: now, isProbe: isProbe)
        flights[number]?.attempt = attempt
        flights[number]?.phase = .calling(id)
        setTimer(of: number, to: deadline)
        if flight.edit == nil { updateTally(ofFeed: flight.feed) { $0.started += 1 } }
        effects.append(flight.callEffect(id, attempt: attempt, until: deadline))
        // The breaker refuses all other calls while the probe runs, so queued loads fail now.
        if isProbe { serveQueue(of: flight.group, at: now, into: &effects) }
    }

    mutating func finishCall(
        _ id: CallID, with answer: Result<CallAnswer, LoadFailure>, at now: Instant,
        into effects: inout [Effect]
    ) {
        // A call that was answered before is not in `calls` any more.
        guard let call = calls.removeValue(forKey: id) else { return recordLateAnswer() }
        update(group: call.group) { $0.gate.recordCallEnd() }
        if let number = call.flight, let flight = flights[number] {
            applyAnswer(number, flight, id, call, with: answer, at: now, into: &effects)
        } else {
            recordLateAnswer(to: call, at: now)
        }
        serveQueue(of: call.group, at: now, into: &effects)
    }

    private mutating func applyAnswer(
        _ number: UInt64, _ flight: SharedLoad<Waiter>, _ id: CallID, _ call: RunningCall,
        with answer: Result<CallAnswer, LoadFailure>, at now: Instant, into effects: inout [Effect]
    ) {
        switch answer {
        case .success(.edited(let item)) where flight.edit != nil:
            recordVerdict(call, .alive, at: now)
            endEdit(number, with: item, at: now, into: &effects)
        case .success(.page(let page)) where flight.edit == nil:
            recordVerdict(call, .alive, at: now)
            recordCallEnd(of: flight, page.count == 0 ? .empty : .success)
            end(number, flight, with: page, of: id, at: now, into: &effects)
        case .success:
            // The owner has passed an answer of the wrong kind. This must not leave a load behind.
            recordCallEnd(of: flight, .failed)
            if flight.edit != nil { recordPossibleEdit(number, at: now) }
            let failure = LoadFailure(.backendFailed, "The answer belongs to another call.")
            end(number, flight, with: failure, of: id, at: now, into: &effects)
        case .failure(let failure):
            recordVerdict(call, CircuitBreaker.Verdict(failure.code), at: now)
            recordCallEnd(of: flight, .failed)
            if flight.edit != nil, failure.mayHavePerformedEdit {
                recordPossibleEdit(number, at: now)
            }
            retryOrEnd(number, id, after: failure, at: now, into: &effects)
        }
    }

    /// Ends a load with a page, and caches the page. `remaining` is what the page has left of its
    /// lifetime, if it comes from another node.
    mutating func end(
        _ number: UInt64, _ flight: SharedLoad<Waiter>, with page: Page, of id: CallID,
        remaining: RemainingLifetime? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        let policy = feeds[flight.feed].policy
        if policy.beginsList(flight.key.request) {
            // The waiters have a new first page now, even if it is not stored. The cached pages
            // belong to an earlier list.
            cache.removeList(of: flight.key.request)
            for following in followingFlights.removeAll(of: flight.key.request) {
                flights[following]?.isForReplacedList = true
            }
        }
        if !flight.isOutdated, !flight.isForReplacedList {
            cache.store(
                page, for: flight.key, feed: flight.feed, policy, call: id, remaining: remaining,
                at: now)
        }
        end(number, .page(page), into: &effects)
    }

    /// Ends a load with a failure that is not retried, and caches the failure.
    mutating func end(
        _ number: UInt64, _ flight: SharedLoad<Waiter>, with failure: LoadFailure, of id: CallID,
        at now: Instant, into effects: inout [Effect]
    ) {
        if !flight.isOutdated {
            cache.store(
                failure, for: flight.key, feed: flight.feed, feeds[flight.feed].policy, call: id,
                at: now)
        }
        end(number, .failed(failure), into: &effects)
    }

    /// Ends a call whose deadline has passed. The load is still needed, either by the cache or by a
    /// waiter that joined later.
    mutating func handleCallTimeout(
        _ number: UInt64, _ id: CallID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let flight = flights[number] else { return }
        abandon(id, .failed, at: now, into: &effects)
        recordCallEnd(of: flight, .timedOut)
        retryOrEnd(number, id, after: Self.timeFailure, at: now, into: &effects)
        serveQueue(of: flight.group, at: now, into: &effects)
    }

    /// Abandons a call whose answer is not needed. The call still counts as running until it
    /// returns.
    mutating func abandon(
        _ id: CallID, _ verdict: CircuitBreaker.Verdict, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard var call = calls[id] else { return }
        call.flight = nil
        let verdict = hasRunLongEnough(call, at: now) ? verdict : .unknown
        // The end of a cancelled probe reveals nothing about the backend. The cancelled probe
        // blocks other calls until it has returned.
        if verdict != .unknown {
            recordVerdict(call, verdict, at: now)
            call.isProbe = false
        }
        calls[id] = call
        if !call.hasReturned { effects.append(.abort(id)) }
    }

    /// Returns whether the call has run long enough to count as a failure. This is the case after
    /// half of `loadDeadlineMs`. A client may set a very short deadline for its own loads, and such
    /// deadlines must not open the breaker for other clients.
    private func hasRunLongEnough(_ call: RunningCall, at now: Instant) -> Bool {
        now.milliseconds(since: call.began) >= Double(loadDeadlineMs) / 2
    }

    mutating func recordVerdict(
        _ call: RunningCall, _ verdict: CircuitBreaker.Verdict, at now: Instant
    ) {
        update(group: call.group) {
            $0.breaker.recordCallEnd(verdict, wasProbe: call.isProbe, at: now)
        }
    }

    /// Counts the end of a call. The calls of edits are not counted as loads.
    mutating func recordCallEnd(of flight: SharedLoad<Waiter>, _ result: LoadResult) {
        guard flight.edit == nil else { return }
        updateTally(ofFeed: flight.feed) { $0.recordCallEnd(result) }
    }
}

extension SharedLoad where Waiter: Hashable {
    /// The instruction to start a call of the load.
    fileprivate func callEffect(
        _ id: CallID, attempt: Int, until deadline: Instant
    ) -> LoadBroker<Waiter>.Effect {
        if let edit { return .edit(EditOrder(id: id, edit, attempt: attempt, deadline: deadline)) }
        var request = key.request
        request.trigger = trigger
        return .call(
            CallOrder(
                id: id, request, idempotencyKey: idempotencyKey, attempt: attempt,
                deadline: deadline))
    }
}
