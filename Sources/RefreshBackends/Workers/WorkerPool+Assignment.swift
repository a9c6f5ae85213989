internal import RefreshBroker
internal import RefreshProtocol

// The assignment of loads to workers.
extension WorkerPool {
    func isServed(_ lane: WorkLane) -> Bool {
        workers.values.contains { $0.lanes.contains(lane) }
    }

    /// Assigns the lane's waiting loads to workers with free capacity. The oldest load is assigned
    /// first.
    mutating func assignLoads(of lane: WorkLane, _ effects: inout [Effect]) {
        while let id = firstWaitingLoad(of: lane) {
            guard let worker = leastLoadedWorker(for: lane, id) else { return }
            assign(id, to: worker, &effects)
        }
    }

    /// Assigns the waiting loads of several lanes. The load that has waited longest is assigned
    /// first.
    mutating func assignLoads(of lanes: Set<WorkLane>, _ effects: inout [Effect]) {
        var open = lanes.filter { queues[$0] != nil }
        while !open.isEmpty {
            var oldest: (lane: WorkLane, id: CallID, serial: UInt64)?
            for lane in open {
                guard let id = firstWaitingLoad(of: lane), let serial = loads[id]?.serial else {
                    open.remove(lane)
                    continue
                }
                if serial < oldest?.serial ?? .max { oldest = (lane, id, serial) }
            }
            guard let oldest else { return }
            if let worker = leastLoadedWorker(for: oldest.lane, oldest.id) {
                assign(oldest.id, to: worker, &effects)
            } else {
                open.remove(oldest.lane)
            }
        }
    }

    /// Returns the lane's oldest load that is still waiting.
    mutating func firstWaitingLoad(of lane: WorkLane) -> CallID? {
        while let (id, serial) = queues[lane]?.first {
            if let load = loads[id], load.serial == serial, load.phase == .waiting { return id }
            queues[lane]?.removeFirst()
        }
        queues[lane] = nil
        return nil
    }

    private mutating func assign(
        _ id: CallID, to worker: WorkerID, _ effects: inout [Effect]
    ) {
        guard var load = loads[id] else { return }
        queues[load.lane]?.removeFirst()
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
    private func leastLoadedWorker(for lane: WorkLane, _ id: CallID) -> WorkerID? {
        var best: (id: WorkerID, worker: PooledWorker)?
        for (candidate, worker) in workers
        where worker.lanes.contains(lane) && worker.used < worker.capacity
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
