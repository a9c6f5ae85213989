internal import RefreshBroker
internal import RefreshProtocol

// The loads that are offered to workers on the message bus.
extension WorkerPool {
    /// Offers the waiting loads of the feeds for which no worker is connected to the daemon, the
    /// oldest first.
    mutating func offerLoads(_ now: Instant, _ effects: inout [Effect]) {
        guard offers.isConnected, !isStopped else { return }
        for kind in offers.kinds where queues[kind] != nil && !isServed(kind) {
            while offers.mayOffer(kind, at: now), let id = firstWaitingLoad(of: kind),
                let load = loads[id]
            {
                queues[kind]?.removeFirst()
                let offer = offers.open(id, of: kind, at: now)
                loads[id]?.phase = .offered(offer)
                effects.append(.offer(id, offer, earlier: load.earlier))
            }
        }
    }

    mutating func handleBus(_ event: BusEvent, _ now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .connected: offers.isConnected = !isStopped
        case .disconnected:
            offers.isConnected = false
            // A worker may have received each of the loads.
            requeue(offers.removeAll().map(\.1.load), isAttempt: true, now, &effects)
        case .refused(let id):
            guard let offer = offers.refuse(id, at: now) else { break }
            countOffer(.noWorker)
            requeue([offer.load], isAttempt: false, now, &effects)
        case .tooLarge(let id):
            // A worker that was lost may have performed the edit.
            let load = offers[id].flatMap { loads[$0.load] }
            let isUnknown = load.map { $0.kind.isForEdits && $0.earlier > 0 } ?? false
            end(
                id, .failure(isUnknown ? Self.lostFailure : Self.tooLargeFailure), now, &effects)
        case .received(let id, let worker, let message):
            guard recordAnswer(id, from: worker, at: now), let load = offers[id]?.load else {
                break
            }
            handleAnswer(message, to: id, of: load, now, &effects)
        case .receivedInvalid(let id, let worker, let fault):
            guard recordAnswer(id, from: worker, at: now) else { break }
            end(id, .failure(fault.failure), now, &effects)
        case .changed(let change):
            guard offers.feeds.contains(where: { $0.hasBytes(of: change.feed) }), !isStopped else {
                counters.droppedBusMessages += 1
                break
            }
            if changes.record(change, at: now) { effects.append(.announceChange(change)) }
        }
    }

    private mutating func handleAnswer(
        _ message: WorkerMessage, to id: LoadOfferID, of load: CallID, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        switch message {
        case .page(id.call, let page) where offers[id]?.kind.isForEdits == false:
            end(id, .success(page), now, &effects)
        case .edited(id.call, let item) where offers[id]?.kind.isForEdits == true:
            endLoad(of: id, now, &effects) { .endEdit($0, item) }
        case .failed(id.call, let failure): end(id, .failure(failure), now, &effects)
        case .progress(id.call, let progress):
            guard offers.recordProgress(id, progress),
                loads[load]?.reports.countReport(at: now) == true
            else { return }
            effects.append(.report(load, progress))
        case .page, .edited, .failed, .progress:
            end(id, .failure(WorkerMessageFault(.foreign("load")).failure), now, &effects)
        case .changed, .register:
            end(id, .failure(WorkerMessageFault(.unknownType).failure), now, &effects)
        }
    }

    /// Records that a worker has answered an offer. Returns false if it may not: then the message
    /// is dropped.
    private mutating func recordAnswer(
        _ id: LoadOfferID, from worker: BusWorkerID, at now: Instant
    ) -> Bool {
        guard offers.accepts(id, from: worker) else {
            counters.droppedBusMessages += 1
            return false
        }
        if offers[id]?.worker == nil { countOffer(.taken) }
        offers.recordAnswer(id, from: worker, at: now)
        return true
    }

    /// Ends the load of an offer.
    private mutating func end(
        _ id: LoadOfferID, _ answer: Result<Page, LoadFailure>, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        endLoad(of: id, now, &effects) { .end($0, answer) }
    }

    private mutating func endLoad(
        of id: LoadOfferID, _ now: Instant, _ effects: inout [Effect],
        with effect: (CallID) -> Effect
    ) {
        guard let offer = offers.close(id, at: now) else { return }
        loads[offer.load] = nil
        effects.append(effect(offer.load))
    }

    /// Ends the offer of a load that is not needed any more.
    mutating func withdraw(
        _ id: LoadOfferID, _ now: Instant, _ effects: inout [Effect]
    ) {
        guard let offer = offers.close(id, at: now) else { return }
        withdraw(offer, id, &effects)
    }

    mutating func withdrawAllOffers(_ effects: inout [Effect]) {
        for (id, offer) in offers.removeAll().sorted(by: { $0.0.number < $1.0.number }) {
            withdraw(offer, id, &effects)
        }
    }

    /// Sends `cancel` to the worker that has taken the offer of a load. It is not sent for an edit.
    private func withdraw(
        _ offer: LoadOffers.Offer, _ id: LoadOfferID, _ effects: inout [Effect]
    ) {
        guard let worker = offer.worker, !offer.kind.isForEdits else { return }
        effects.append(.withdraw(id, worker))
    }

    /// Lets the loads wait again whose offers were not answered in time. A load that has lost too
    /// many workers fails, because it may be its cause.
    mutating func expireOffers(_ now: Instant, _ effects: inout [Effect]) {
        let overdue = offers.removeOverdue(at: now)
        guard !overdue.isEmpty else { return }
        for (id, offer) in overdue {
            countOffer(offer.worker == nil ? .silent : .lost)
            guard offer.worker != nil else { continue }
            withdraw(offer, id, &effects)
            loads[offer.load]?.lostOnBus += 1
            guard let load = loads[offer.load], load.lostOnBus >= Self.lostOnBusMax else {
                continue
            }
            loads[offer.load] = nil
            let failure = load.kind.isForEdits ? Self.lostFailure : Self.lostOnBusFailure
            effects.append(.end(offer.load, .failure(failure)))
        }
        let again = overdue.map(\.1.load).filter { loads[$0] != nil }
        counters.reissued += again.count
        requeue(again, isAttempt: true, now, &effects)
    }

    /// Puts loads back into their queues, by their ages. `isAttempt`: whether a worker may have
    /// received them. A load that has too little time left for another worker ends.
    private mutating func requeue(
        _ ids: [CallID], isAttempt: Bool, _ now: Instant, _ effects: inout [Effect]
    ) {
        var touched: Set<WorkKind> = []
        for id in ids {
            if isAttempt { loads[id]?.earlier += 1 }
            guard let load = loads[id] else { continue }
            guard now < load.unavailableAt || isServed(load.kind) else {
                loads[id] = nil
                effects.append(.end(id, .failure(Self.failure(ofUnserved: load))))
                continue
            }
            loads[id]?.phase = .waiting
            queues[load.kind, default: LoadQueue()].insert(id, load.serial)
            touched.insert(load.kind)
        }
        // A worker may have connected to the daemon after the loads were offered.
        assignLoads(of: touched, &effects)
    }

    private mutating func countOffer(_ result: OfferResult) {
        counters.offers[result, default: 0] += 1
    }

    /// The number of workers on the bus that may take a load and be lost.
    private static let lostOnBusMax = 4
    private static let lostOnBusFailure = LoadFailure(
        .backendUnavailable, "Each worker that took the load was lost.")
    private static let tooLargeFailure = LoadFailure(
        .backendUnavailable, "The request is too large for the bus.")
}
