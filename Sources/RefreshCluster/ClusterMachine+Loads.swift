internal import RefreshBroker
internal import RefreshProtocol

/// Loads that one node performs for another one.
extension ClusterMachine {
    // MARK: - The requesting node

    mutating func ask(
        _ node: NodeID, _ order: RemoteOrder, at now: Instant, into effects: inout [Effect]
    ) {
        if let earlier = asks.withdraw(order.id) {
            counters.asksWithdrawn += 1
            publish(.cancel(number: earlier.number), to: earlier.node, into: &effects)
        }
        let remainingMs = order.deadline.milliseconds(since: now)
        // If the node is not live any more, `ownersChanged` is on its way to the broker.
        guard membership.isLive(node), remainingMs > 0 else {
            counters.asksNotSent += 1
            return
        }
        let load = AskedLoad(
            order.request, idempotencyKey: order.idempotencyKey, keptPages: order.keptPages,
            deadlineMs: Int(max(1, min(remainingMs, Double(BusMessageLimits.timeMsMax)))),
            seen: lastChanges(of: order.request.feed, at: now))
        let number = asks.open(order.id, at: node, deadline: order.deadline)
        guard let bytes = BusMessage(from: own, .load(load, number: number)).bytes,
            bytes.count <= payloadBytesMax
        else {
            _ = asks.withdraw(order.id)
            counters.asksNotSent += 1
            effects.append(.ownerEvent(.refused(.tooLarge), order.id))
            return
        }
        counters.asks += 1
        publish(bytes, of: .load, to: node, into: &effects)
    }

    mutating func withdraw(
        _ call: CallID, from node: NodeID, into effects: inout [Effect]
    ) {
        guard let ask = asks.withdraw(call, from: node) else { return }
        counters.asksWithdrawn += 1
        publish(.cancel(number: ask.number), to: node, into: &effects)
    }

    mutating func receive(
        _ event: OwnerEvent, number: UInt64, from node: NodeID, into effects: inout [Effect]
    ) {
        guard let call = asks.receive(number: number, from: node, isLast: event.isLast) else {
            counters.lateAnswers += 1
            return
        }
        switch event {
        case .waiting, .progressed, .retrying: break
        case .page, .failed: counters.asksAnswered += 1
        case .refused(let reason): counters.asksRefused[reason, default: 0] += 1
        }
        effects.append(.ownerEvent(event, call))
    }

    // MARK: - The owner

    mutating func startLoad(
        _ load: AskedLoad, _ id: RemoteLoadID, at now: Instant, into effects: inout [Effect]
    ) {
        // Loads of a node that is not live could not be cancelled when this node is lost.
        guard membership.isLive(id.node) else { return refuse(id, .busy, into: &effects) }
        guard feeds.contains(load.request.feed) else {
            performedLoads.refuse(id)
            return refuse(id, .unknownFeed, into: &effects)
        }
        let deadline = now.advanced(byMilliseconds: Double(load.deadlineMs))
        switch performedLoads.start(id, deadline: deadline, at: now) {
        case .repeated: counters.loadsRepeated += 1
        case .tooMany: refuse(id, .busy, into: &effects)
        case .started:
            counters.loads += 1
            apply(load.seen, of: load.request.feed, at: now, into: &effects)
            let request = BrokerRequest(
                load.request, idempotencyKey: load.idempotencyKey, keptPages: load.keptPages)
            effects.append(.startLoad(request, id, deadlineMs: load.deadlineMs))
        }
    }

    private mutating func refuse(
        _ id: RemoteLoadID, _ reason: OwnerRefusal, into effects: inout [Effect]
    ) {
        counters.loadsRefused[reason, default: 0] += 1
        publish(.event(.refused(reason), number: id.number), to: id.node, into: &effects)
    }

    /// Tells the broker that a load is not needed. The load has ended here.
    mutating func cancelLoad(_ id: RemoteLoadID, into effects: inout [Effect]) {
        counters.loadsCancelled += 1
        effects.append(.cancelLoad(id))
    }

    /// Reports an event of the broker to the requesting node.
    mutating func report(
        _ event: OwnerEvent, of id: RemoteLoadID, into effects: inout [Effect]
    ) {
        guard performedLoads.isRunning(id) else { return }
        if event.isLast { _ = performedLoads.end(id) }
        if case .refused(let reason) = event { return refuse(id, reason, into: &effects) }
        let content = BusMessage.Content.event(event, number: id.number)
        guard let bytes = BusMessage(from: own, content).bytes, bytes.count <= payloadBytesMax
        else {
            // Only a last event can be large.
            if event.isLast { refuse(id, .tooLarge, into: &effects) }
            return
        }
        publish(bytes, of: content.type, to: id.node, into: &effects)
    }
}
