internal import Synchronization

/// Where those come in who watch sessions: what all loops share of them. Any thread may call.
package final class WatchRoom: Sendable {
    private let directory: LoopDirectory
    private let most: Atomic<Int>
    private let places = Atomic<Int>(0)

    /// `most`: `watchersMax`.
    init(_ directory: LoopDirectory, most: Int) {
        self.directory = directory
        self.most = Atomic(most)
    }

    /// From now on so many may watch; who watches stays.
    func adopt(most: Int) { self.most.store(most, ordering: .relaxed) }

    /// How many watch.
    var count: Int { places.load(ordering: .relaxed) }

    /// Whether one more may.
    var hasPlace: Bool { count < most.load(ordering: .relaxed) }

    /// Takes a place; false if there is none.
    func takePlace() -> Bool {
        if places.add(1, ordering: .relaxed).newValue <= most.load(ordering: .relaxed) {
            return true
        }
        leavePlace()
        return false
    }

    private func leavePlace() { places.subtract(1, ordering: .relaxed) }

    /// Somebody with a place watches from now on: `make` makes him, given the number of loops that
    /// will tell him.
    func enter(_ make: (_ loops: Int) -> Watcher) -> Watcher {
        let hosts = directory.all
        let watcher = make(hosts.count)
        for host in hosts { host.post { host, _ in host.begin(watcher) } }
        return watcher
    }

    /// He is gone.
    func leave(_ watcher: Watcher) {
        for host in directory.all { host.post { host, _ in host.end(watcher) } }
        leavePlace()
    }
}
