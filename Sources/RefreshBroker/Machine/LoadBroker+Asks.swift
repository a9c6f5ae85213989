package import RefreshProtocol

// The loads that are asked of the owner of their request, which is another node of the cluster.
//
// The owner performs the load for all nodes, and has retried it before it answers. Its answer is
// therefore final. If the owner does not answer, this node performs the load itself, with the same
// idempotency key. So no load fails because of the cluster.
extension LoadBroker {
    /// The maximum size, in bytes, of a cached page of another node.
    static var ownerPageBytesMax: Int { 65_536 }

    /// Asks the owner of a load's request to perform the load. Returns false if there is no other
    /// node to ask. `earlier` are the nodes that were asked for the load before. No node is asked
    /// twice.
    mutating func askOwner(
        of number: UInt64, accepting keptPages: KeptPages, besides earlier: [NodeID] = [],
        at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        guard let owners, let flight = flights[number], feeds[flight.feed].policy.isClustered,
            let deadline = lastDeadline(of: flight)
        else { return false }
        let owner = owners.owner(of: flight.key.request)
        guard owner != owners.own, !earlier.contains(owner) else { return false }
        // The identities of asks and calls have one order, which the cache compares with the times
        // of feed changes.
        lastCall += 1
        let id = CallID(lastCall)
        let ask = OwnerAsk(
            flight: number, feed: flight.feed, owner: owner, keptPages: keptPages,
            deadline: deadline, earlier: earlier)
        asks[id] = ask
        flights[number]?.phase = .asking(id, owner)
        setTimer(of: number, to: ask.timeoutOfFirstEvent(after: now))
        updateTally(ofFeed: flight.feed) { $0.asks.started += 1 }
        var request = flight.key.request
        request.trigger = flight.trigger
        effects.append(
            .ask(
                owner,
                RemoteOrder(
                    id: id, request, idempotencyKey: flight.idempotencyKey,
                    keptPages: keptPages, deadline: deadline)))
        return true
    }

    // MARK: - Events of the owner

    /// Stops the timer of an ask, because an event of the owner has arrived. The event counts even
    /// if the broker handles it after the time of the timer.
    mutating func stopAskTimer(of id: CallID) {
        guard let ask = asks[id] else { return }
        flights[ask.flight]?.timer = nil
    }

    /// Records that the owner's page has arrived. While it is read, the ask does not end because
    /// the owner is silent or gone.
    mutating func recordOwnerPage(of id: CallID) {
        asks[id]?.hasAnswered = true
        stopAskTimer(of: id)
    }

    mutating func handleOwnerEvent(
        _ event: OwnerEvent, of id: CallID, at now: Instant, into effects: inout [Effect]
    ) {
        guard let ask = asks[id], let flight = flights[ask.flight] else {
            return recordLateOwnerEvent()
        }
        if !event.isLast { setTimer(of: ask.flight, to: OwnerAsk.timeout(after: now)) }
        switch event {
        case .waiting:
            break
        case .progressed(let value):
            handleProgress(ofLoad: ask.flight, value, at: now, into: &effects)
        case .retrying(let attempt, let afterMs, let failure):
            flights[ask.flight]?.pendingProgress = nil
            deliver(
                to: ask.flight, .retrying(attempt: attempt, afterMs: afterMs, failure),
                into: &effects)
        case .page(let page, let remaining):
            endAsk(id, .page)
            end(
                ask.flight, flight, with: page, of: id,
                remaining: page.items.count <= Self.ownerPageBytesMax ? remaining : .over,
                at: now, into: &effects)
        case .failed(let failure):
            endAsk(id, .failed)
            end(ask.flight, flight, with: failure, of: id, at: now, into: &effects)
        case .refused:
            endAsk(id, .refused)
            perform(ask.flight, at: now, into: &effects)
        }
    }

    // MARK: - Without an answer

    /// Ends an ask whose owner is silent. This node performs the load.
    mutating func handleAskTimeout(
        of id: CallID, at due: Instant, into effects: inout [Effect]
    ) {
        guard let ask = asks[id] else { return }
        withdraw(id, because: .silent, into: &effects)
        perform(ask.flight, at: due, into: &effects)
    }

    /// Applies new owners of requests. A load whose asked node is gone asks its new owner, or is
    /// performed by this node. All other asks continue, even if another node is the owner now.
    mutating func handleOwnersChange(
        to owners: RequestOwners?, at now: Instant, into effects: inout [Effect]
    ) {
        self.owners = owners
        let live = Set(owners?.live ?? [])
        let gone = asks.filter { !live.contains($0.value.owner) && !$0.value.hasAnswered }
        for (id, ask) in gone.sorted(by: { $0.key.number < $1.key.number }) {
            withdraw(id, because: .gone, into: &effects)
            let isAsked = askOwner(
                of: ask.flight, accepting: ask.keptPages, besides: ask.earlier + [ask.owner],
                at: now, into: &effects)
            if !isAsked { perform(ask.flight, at: now, into: &effects) }
        }
    }

    /// Performs a load for which this node has asked another node, because another node has asked
    /// this node for the same load. The two nodes have different owners for the request. Without
    /// this rule, each of them could wait for the other.
    mutating func performAsked(
        _ number: UInt64, at now: Instant, into effects: inout [Effect]
    ) {
        guard case .asking(let id, _) = flights[number]?.phase, asks[id]?.hasAnswered == false
        else { return }
        withdraw(id, because: .contended, into: &effects)
        perform(number, at: now, into: &effects)
    }

    /// Requests a call of this node for a load whose ask has ended.
    private mutating func perform(
        _ number: UInt64, at now: Instant, into effects: inout [Effect]
    ) {
        flights[number]?.phase = .pausing
        flights[number]?.pendingProgress = nil
        requestCall(for: number, at: now, into: &effects)
    }

    /// Withdraws an ask. Later events of the owner are late.
    mutating func withdraw(
        _ id: CallID, because result: AskResult, into effects: inout [Effect]
    ) {
        guard let ask = endAsk(id, result) else { return }
        effects.append(.withdraw(id, from: ask.owner))
    }

    @discardableResult
    private mutating func endAsk(_ id: CallID, _ result: AskResult) -> OwnerAsk? {
        guard let ask = asks.removeValue(forKey: id) else { return nil }
        updateTally(ofFeed: ask.feed) { $0.asks.recordEnd(result) }
        return ask
    }

    /// The name of the feed of an ask that has not ended.
    func feed(ofAsk id: CallID) -> String? { asks[id].map { feeds[$0.feed].name } }

    // MARK: - Loads for other nodes

    /// Returns for how long another node may cache a page that it is given as the answer to
    /// `request` now. Both times are 0 if the page is not cached here.
    package func remainingLifetime(of page: Page, for request: LoadRequest, at now: Instant)
        -> RemainingLifetime
    {
        guard let feed = feedNumbers[request.feed] else { return .over }
        return cache.remainingLifetime(of: page, for: key(of: request, feed: feed), at: now)
    }
}
