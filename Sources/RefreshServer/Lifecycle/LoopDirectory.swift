package import RefreshBroker
internal import Synchronization

/// Where news go: the hosts of the daemon's sessions, by the index of their loop.
package final class LoopDirectory: Sendable {
    private let hosts = Mutex<[UInt16: SessionHost]>([:])
    private let changes = Mutex(FeedHistory())
    /// Where there is no memory for all who are connected, these go first.
    let newcomers = Newcomers()
    /// Of them, those that are asked to end and have not yet.
    private let leaving = RunningCount()
    /// What frames by the clock cost each network.
    let play = NetworkPlay()
    /// Where sessions are that somebody may come back to.
    let sessions = SessionDirectory()

    package init() {}

    /// From now on the loop's sessions are found.
    package func enter(_ host: SessionHost, index: UInt16) {
        hosts.withLock { $0[index] = host }
    }

    /// The daemon is over: news go nowhere any more, and the hosts, which know this, are let go of.
    package func close() {
        hosts.withLock { $0.removeAll() }
    }

    /// Hands the news to the hosts of the sessions that wait for it. From any thread.
    package func deliver(_ news: LoadNews, to tickets: [LoadTicket]) {
        if tickets.count == 1 {
            return deliver(news, to: tickets[...], ofLoop: tickets[0].session.loop)
        }
        for (loop, tickets) in Dictionary(grouping: tickets, by: \.session.loop) {
            deliver(news, to: tickets[...], ofLoop: loop)
        }
    }

    private func deliver(
        _ news: LoadNews, to tickets: ArraySlice<LoadTicket>, ofLoop loop: UInt16
    ) {
        self[loop]?.post { $0.take(news, for: tickets, at: $1) }
    }

    /// A feed has newer data. From any thread; sessions are told within 100 ms.
    package func gatherChange(of feed: String) {
        self[0]?.post { $0.gatherChange(of: feed, at: $1) }
    }

    /// Tells all sessions that show the feed. From any thread.
    package func feedChanged(_ feed: String) {
        // Posted before the next change has its number: all hosts tell them in the same order.
        changes.withLock { changes in
            let number = changes.note(feed)
            for host in all {
                host.post { $0.feedChanged(feed, number: number, at: $1) }
            }
        }
    }

    /// The feeds that have changed after the change of that number.
    func changes(after number: UInt64) -> [String] {
        changes.withLock { $0.changed(after: number) }
    }

    /// Those of all loops.
    var all: [SessionHost] { hosts.withLock { Array($0.values) } }

    /// Ends some of the sessions that wait for their clients, of who has most: there is no memory
    /// for all of them. From any thread; `then` is called when they have ended, on the thread of a
    /// loop or at once.
    func spareMemory(then: @escaping @Sendable () -> Void) {
        let keys = sessions.takeHeaviest()
        guard !keys.isEmpty else { return then() }
        for key in keys { expire(key) }
        let loops = Set(keys.map(\.loop))
        let left = SharedCount(loops.count)
        for loop in loops {
            guard let host = self[loop] else {
                if left.countDown() { then() }
                continue
            }
            // Behind the ends that it was given to do.
            host.post { _, _ in if left.countDown() { then() } }
        }
    }

    /// Ends those whose connections came last, as many as hold what has to be free again. From any
    /// thread. Those that were asked to before are given the time to, unless the bound is left far
    /// behind.
    func shedNewest(for reading: MemoryReading) {
        let isFar = reading.used - reading.bound > reading.bound / 50
        guard isFar || leaving.value == 0 else { return }
        // What does not belong to sessions counts as theirs here: rather too few go than too many,
        // for it is looked at again.
        let share = Double(reading.excess) / Double(max(1, reading.used))
        for key in newcomers.takeNewest(share: share) {
            guard let host = self[key.loop] else { continue }
            leaving.add(1)
            host.shed(key) { [leaving] in leaving.add(-1) }
        }
    }

    /// Ends the session there, if it still waits for its client. From any thread.
    func expire(_ key: SessionKey) {
        self[key.loop]?.post { host, now in
            guard let session = host.session(at: key), session.waitsUntil != nil else { return }
            host.expire(session, at: now)
        }
    }

    /// The host of a loop that runs.
    package subscript(index: UInt16) -> SessionHost? { hosts.withLock { $0[index] } }
}
