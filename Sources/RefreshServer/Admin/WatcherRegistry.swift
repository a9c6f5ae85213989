internal import Synchronization

/// The watchers of all loops, and their limit. Any thread may call it.
package final class WatcherRegistry: Sendable {
    private let directory: LoopDirectory
    private let most: Atomic<Int>
    private let places = Atomic<Int>(0)

    /// `most`: `watchersMax`.
    init(_ directory: LoopDirectory, most: Int) {
        self.directory = directory
        self.most = Atomic(most)
    }

    /// Changes the limit. Current watchers stay.
    func adopt(most: Int) { self.most.store(most, ordering: .relaxed) }

    /// The number of watchers.
    var count: Int { places.load(ordering: .relaxed) }

    /// Whether another watcher is admitted.
    var hasPlace: Bool { count < most.load(ordering: .relaxed) }

    /// Reserves a place; returns false if there is none.
    func takePlace() -> Bool {
        if places.add(1, ordering: .relaxed).newValue <= most.load(ordering: .relaxed) {
            return true
        }
        leavePlace()
        return false
    }

    private func leavePlace() { places.subtract(1, ordering: .relaxed) }

    /// Registers a watcher with all loops after its place is reserved. `make` creates it from the
    /// number of loops that will send it events.
    func enter(_ make: (_ loops: Int) -> Watcher) -> Watcher {
        let hosts = directory.all
        let watcher = make(hosts.count)
        for host in hosts { host.post { host, _ in host.begin(watcher) } }
        return watcher
    }

    /// Removes a watcher and releases its place.
    func leave(_ watcher: Watcher) {
        for host in directory.all { host.post { host, _ in host.end(watcher) } }
        leavePlace()
    }
}
