internal import RefreshBroker
internal import RefreshProtocol

// The assignment of loads to workers.
extension WorkerPool {
    func isServed(_ kind: WorkKind) -> Bool {
        workers.values.contains { $0.kinds.contains(kind) }
    }

    /// Assigns the waiting loads of a kind to workers with free capacity. The oldest load is
    /// assigned first.
    mutating func assignLoads(of kind: WorkKind, _ effects: inout [Effect]) {
        while let id = firstWaitingLoad(of: kind) {
            guard let worker = leastLoadedWorker(for: kind, id) else { return }
            assign(id, to: worker, &effects)
        }
    }

    /// Assigns the waiting loads of several kinds. The load that has waited longest is assigned
    /// first.
    mutating func assignLoads(of kinds: Set<WorkKind>, _ effects: inout [Effect]) {
        var open = kinds.filter { queues[$0] != nil }
        while !open.isEmpty {
            var oldest: (kind: WorkKind, id: CallID, serial: UInt64)?
            for kind in open {
                guard let id = firstWaitingLoad(of: kind), let serial = loads[id]?.serial else {
                    open.remove(kind)
                    continue
                }
                if serial < oldest?.serial ?? .max { oldest = (kind, id, serial) }
            }
            guard let oldest else { return }
            if let worker = leastLoadedWorker(for: oldest.kind, oldest.id) {
                assign(oldest.id, to: worker, &effects)
            } else {
                open.remove(oldest.kind)
            }
        }
    }

    /// Returns the oldest load of the kind that is still waiting.
    mutating func firstWaitingLoad(of kind: WorkKind) -> CallID? {
        while let (id, serial) = queues[kind]?.first {
            if let load = loads[id], load.serial == serial, load.phase == .waiting { return id }
            queues[kind]?.removeFirst()
        }
        queues[kind] = nil
        return nil
    }

    private mutating func assign(
        _ id: CallID, to worker: WorkerID, _ effects: inout [Effect]
    ) {
        guard var load = loads[id] else { return }
        queues[load.kind]?.removeFirst()
        load.phase = .assigned(worker)
        loads[id] = load
        workers[worker]?.assigned.insert(id)
        let moment = newSerial()
        workers[worker]?.lastAssignedAt = moment
        effects.append(.assign(id, worker, earlier: load.earlier))
    }

    /// Among the workers with free capacity, returns the one with the smallest fraction of occupied
    /// places. If several workers have the same fraction, returns the one whose last assignment is
    /// the oldest. A worker with a revoked load of the same id is excluded, because the answers to
    /// the two loads could not be distinguished.
    private func leastLoadedWorker(for kind: WorkKind, _ id: CallID) -> WorkerID? {
        var best: (id: WorkerID, worker: PooledWorker)?
        for (candidate, worker) in workers
        where worker.kinds.contains(kind) && worker.used < worker.capacity
            && worker.revoked[id] == nil
        {
            guard let chosen = best else {
                best = (candidate, worker)
                continue
            }
            if worker.precedes(chosen.worker) { best = (candidate, worker) }
        }
        return best?.id
    }
}
