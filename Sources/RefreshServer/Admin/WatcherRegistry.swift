internal import Synchronization

/// Limits the number of watchers (see `Watcher`), and registers each watcher with all loops. There
/// are `watchersMax` places, and each watcher takes one. Any thread may use the registry.
package final class WatcherRegistry: Sendable {
    private let directory: LoopDirectory
    private let limit: Atomic<Int>
    private let places = Atomic<Int>(0)

    /// `most` is the configured `watchersMax`.
    init(_ directory: LoopDirectory, most: Int) {
        self.directory = directory
        self.limit = Atomic(most)
    }

    /// Changes the limit. Current watchers stay.
    func setLimit(_ most: Int) { self.limit.store(most, ordering: .relaxed) }

    /// The number of reserved places. Each watcher has one.
    var count: Int { places.load(ordering: .relaxed) }

    /// Whether another watcher is admitted.
    var hasPlace: Bool { count < limit.load(ordering: .relaxed) }

    /// Reserves a place. Returns false if no place is free.
    func reservePlace() -> Bool {
        if places.add(1, ordering: .relaxed).newValue <= limit.load(ordering: .relaxed) {
            return true
        }
        releasePlace()
        return false
    }

    private func releasePlace() { places.subtract(1, ordering: .relaxed) }

    /// Registers a watcher with all loops. The place of the watcher must be reserved. `make`
    /// receives the number of loops that will send events, and creates the watcher.
    func register(_ make: (_ loops: Int) -> Watcher) -> Watcher {
        let hosts = directory.all
        let watcher = make(hosts.count)
        for host in hosts { host.post { host, _ in host.addWatcher(watcher) } }
        return watcher
    }

    /// Removes a watcher and releases its place.
    func unregister(_ watcher: Watcher) {
        for host in directory.all { host.post { host, _ in host.removeWatcher(watcher) } }
        releasePlace()
    }
}
