internal import RefreshBroker
internal import RefreshProtocol

// The handling of workers' messages and of lost workers.
extension WorkerPool {
    mutating func handleMessage(
        _ message: WorkerMessage, from worker: WorkerID, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        // If the worker has been dismissed or lost, its message is ignored.
        guard workers[worker] != nil else { return }
        switch message {
        case .page(let id, let page):
            handleAnswer(id, .end(id, .success(page)), isEdit: false, from: worker, now, &effects)
        case .edited(let id, let item):
            handleAnswer(id, .endEdit(id, item), isEdit: true, from: worker, now, &effects)
        case .failed(let id, let failure):
            handleAnswer(id, .end(id, .failure(failure)), from: worker, now, &effects)
        case .progress(let id, let fraction):
            if workers[worker]?.assigned.contains(id) == true {
                guard loads[id]?.reports.countReport(at: now) == true else { return }
                effects.append(.report(id, fraction))
            } else if !wasIssued(id) {
                dismiss(worker, for: WorkerMessageFault(.foreign("load")), now, &effects)
            }
        case .changed(let change):
            let serves = workers[worker]?.feeds.contains { $0.hasBytes(of: change.feed) }
            guard serves == true else {
                dismiss(worker, for: WorkerMessageFault(.foreign("feed")), now, &effects)
                return
            }
            if changes.record(change, at: now) { effects.append(.announceChange(change)) }
        case .register:
            // A registration is valid only as the first message, before the worker joins the pool.
            dismiss(worker, for: WorkerMessageFault(.unknownType), now, &effects)
        }
    }

    /// Handles an answer, which ends its load with the effect `end`. `isEdit`: whether it is an
    /// answer to an edit, and not to a load; nil if it may be either.
    private mutating func handleAnswer(
        _ id: CallID, _ end: Effect, isEdit: Bool? = nil, from worker: WorkerID,
        _ now: Instant, _ effects: inout [Effect]
    ) {
        guard var pooled = workers[worker] else { return }
        if pooled.assigned.contains(id), let isEdit, loads[id]?.kind.isForEdits != isEdit {
            return dismiss(worker, for: WorkerMessageFault(.field("type"), of: id), now, &effects)
        }
        if pooled.assigned.remove(id) != nil {
            loads[id] = nil
            workers[worker] = pooled
            effects.append(end)
            assignLoads(of: pooled.kinds, &effects)
        } else if wasIssued(id) {
            handleLateAnswer(id, from: worker, &effects)
        } else {
            dismiss(worker, for: WorkerMessageFault(.foreign("load")), now, &effects)
        }
    }

    /// Counts and drops an answer to a load that is not assigned to the worker any more. If the
    /// load was revoked, its place becomes free, and another load may be assigned to the worker.
    private mutating func handleLateAnswer(
        _ id: CallID, from worker: WorkerID, _ effects: inout [Effect]
    ) {
        counters.lateAnswers += 1
        guard workers[worker]?.revoked.removeValue(forKey: id) != nil,
            let kinds = workers[worker]?.kinds
        else { return }
        assignLoads(of: kinds, &effects)
    }

    /// Dismisses a worker because of an invalid message. If the message refers to a load of the
    /// worker, this load fails. If the message refers to no load, and the worker has only one load,
    /// that load fails.
    mutating func dismiss(
        _ worker: WorkerID, for fault: WorkerMessageFault, _ now: Instant,
        _ effects: inout [Effect]
    ) {
        guard let pooled = workers[worker] else { return }
        counters.dismissed += 1
        let only = pooled.assigned.count == 1 ? pooled.assigned.first : nil
        if let id = fault.load ?? only, workers[worker]?.assigned.remove(id) != nil {
            loads[id] = nil
            effects.append(.end(id, .failure(fault.failure)))
        }
        effects.append(.dismiss(worker, .invalidMessage(fault)))
        removeWorker(worker, fault.failure, &effects)
    }

    /// Removes a lost worker. Its loads wait for another worker. If a load has already lost a
    /// worker before, the load ends with `failure`.
    mutating func removeWorker(
        _ worker: WorkerID, _ failure: LoadFailure, _ effects: inout [Effect]
    ) {
        guard let lost = workers.removeValue(forKey: worker) else { return }
        var touched: Set<WorkKind> = []
        // The youngest load is inserted first, because most of them belong before the whole queue.
        for id in lost.assigned.sorted(by: { serial(of: $0) > serial(of: $1) }) {
            guard var load = loads[id] else { continue }
            guard !load.isReissued else {
                loads[id] = nil
                effects.append(.end(id, .failure(failure)))
                continue
            }
            load.isReissued = true
            load.earlier += 1
            load.phase = .waiting
            loads[id] = load
            queues[load.kind, default: LoadQueue()].insert(id, load.serial)
            touched.insert(load.kind)
            counters.reissued += 1
        }
        assignLoads(of: touched, &effects)
    }

    private func serial(of id: CallID) -> UInt64 { loads[id]?.serial ?? 0 }

    // MARK: Revoking loads

    /// Removes a load from the pool. If the load is assigned to a worker, revokes it. An edit is
    /// not revoked, but its worker has the same grace period. The caller must end the load.
    mutating func remove(
        _ id: CallID, _ load: Load, _ now: Instant, _ effects: inout [Effect]
    ) {
        loads[id] = nil
        switch load.phase {
        case .waiting:
            break
        case .assigned(let worker):
            workers[worker]?.assigned.remove(id)
            let grace = newSerial()
            workers[worker]?.revoked[id] = grace
            gracePeriods.insert(
                RevokedLoad(worker: worker, load: id),
                at: now.advanced(byMilliseconds: Double(graceMs)), serial: grace)
            if !load.kind.isForEdits { effects.append(.revoke(id, worker)) }
        case .offered(let offer):
            withdraw(offer, now, &effects)
        }
    }

    /// Removes the entries of ended loads from the deadlines and from the queue of `kind`, if there
    /// are more entries than twice the number of loads plus 64.
    mutating func removeStaleEntries(of kind: WorkKind) {
        let bound = 2 * loads.count + 64
        if deadlines.count > bound {
            deadlines.retain { loads[$0.name]?.serial == $0.serial }
        }
        if let line = queues[kind], line.count > bound {
            queues[kind]?.retain { id, serial in
                loads[id]?.serial == serial && loads[id]?.phase == .waiting
            }
        }
    }

    mutating func expireLoads(_ now: Instant, _ effects: inout [Effect]) {
        while let entry = deadlines.first {
            let load = loads[entry.name]
            let isStale = load?.serial != entry.serial
            guard isStale || entry.deadline <= now else { break }
            deadlines.removeFirst()
            guard let load, !isStale else { continue }
            if load.deadline <= now {
                expireLoad(of: entry.name, load, now, &effects)
            } else if load.phase == .waiting, !isServed(load.kind) {
                loads[entry.name] = nil
                effects.append(.end(entry.name, .failure(Self.failure(ofUnserved: load))))
            } else {
                deadlines.insert(entry.name, at: load.deadline, serial: load.serial)
            }
        }
        expireGracePeriods(now, &effects)
    }

    private mutating func expireLoad(
        of id: CallID, _ load: Load, _ now: Instant, _ effects: inout [Effect]
    ) {
        let isUnserved = load.phase == .waiting && !isServed(load.kind)
        remove(id, load, now, &effects)
        effects.append(
            .end(id, .failure(isUnserved ? Self.failure(ofUnserved: load) : Self.timeFailure)))
    }

    /// Returns the failure of a load for which no worker is available. A worker that was lost may
    /// have performed an edit, so such an edit has the failure of a lost worker.
    static func failure(ofUnserved load: Load) -> LoadFailure {
        load.kind.isForEdits && load.earlier > 0 ? lostFailure : noWorkerFailure
    }

    private mutating func expireGracePeriods(_ now: Instant, _ effects: inout [Effect]) {
        while let entry = gracePeriods.first {
            let place = entry.name
            let isStale = workers[place.worker]?.revoked[place.load] != entry.serial
            guard isStale || entry.deadline <= now else { return }
            gracePeriods.removeFirst()
            if isStale { continue }
            switch overdue {
            case .freePlace:
                workers[place.worker]?.revoked[place.load] = nil
                assignLoads(of: workers[place.worker]?.kinds ?? [], &effects)
            case .dismiss:
                counters.dismissed += 1
                effects.append(.dismiss(place.worker, .overdue))
                removeWorker(place.worker, Self.lostFailure, &effects)
            }
        }
    }

    private static let noWorkerFailure = LoadFailure(
        .backendUnavailable, "No worker is available for this feed.")
    private static let timeFailure = LoadFailure(
        .backendTimedOut, "The worker did not answer in time.")
}
