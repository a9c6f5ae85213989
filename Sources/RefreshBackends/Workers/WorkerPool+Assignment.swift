internal import RefreshBroker
internal import RefreshProtocol

// The assignment of loads to workers.
extension WorkerPool {
    func isServed(_ feed: String) -> Bool {
        workers.values.contains { $0.feeds.contains(feed) }
    }

    /// Assigns the feed's waiting loads to workers with free capacity. The oldest load is assigned
    /// first.
    mutating func assignLoads(of feed: String, _ effects: inout [Effect]) {
        while let id = firstWaitingLoad(of: feed) {
            guard let worker = leastLoadedWorker(for: feed, id) else { return }
            assign(id, to: worker, &effects)
        }
    }

    /// Assigns the waiting loads of several feeds. The load that has waited longest is assigned
    /// first.
    mutating func assignLoads(of feeds: Set<String>, _ effects: inout [Effect]) {
        var open = feeds.filter { queues[$0] != nil }
        while !open.isEmpty {
            var oldest: (feed: String, id: CallID, serial: UInt64)?
            for feed in open {
                guard let id = firstWaitingLoad(of: feed), let serial = loads[id]?.serial else {
                    open.remove(feed)
                    continue
                }
                if serial < oldest?.serial ?? .max { oldest = (feed, id, serial) }
            }
            guard let oldest else { return }
            if let worker = leastLoadedWorker(for: oldest.feed, oldest.id) {
                assign(oldest.id, to: worker, &effects)
            } else {
                open.remove(oldest.feed)
            }
        }
    }

    /// Returns the feed's oldest load that is still waiting.
    mutating func firstWaitingLoad(of feed: String) -> CallID? {
        while let (id, serial) = queues[feed]?.first {
            if let load = loads[id], load.serial == serial, load.phase == .waiting { return id }
            queues[feed]?.removeFirst()
        }
        queues[feed] = nil
        return nil
    }

    private mutating func assign(
        _ id: CallID, to worker: WorkerID, _ effects: inout [Effect]
    ) {
        guard var load = loads[id] else { return }
        queues[load.feed]?.removeFirst()
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
    private func leastLoadedWorker(for feed: String, _ id: CallID) -> WorkerID? {
        var best: (id: WorkerID, worker: PooledWorker)?
        for (candidate, worker) in workers
        where worker.feeds.contains(feed) && worker.used < worker.capacity
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
