import RefreshProtocol
import RefreshSession

/// The watchers that receive the events of one loop's sessions (see `Watcher`). Used on the loop's
/// thread only.
final class LoopWatch: SessionWatching {
    private let log: DaemonLog
    private var watchers: [Watcher] = []

    init(log: DaemonLog) { self.log = log }

    func add(_ watcher: Watcher) { watchers.append(watcher) }

    func remove(_ watcher: Watcher) { watchers.removeAll { $0 === watcher } }

    /// Returns whether a session of that name has a watcher.
    func hasWatcher(forSession name: String) -> Bool {
        // `isEmpty` is checked first, because most of the time there are no watchers at all.
        !watchers.isEmpty && watchers.contains { $0.filter.matches(session: name) }
    }

    /// Sends an event to all watchers whose filter matches the event. The event is encoded once for
    /// all watchers.
    func send(_ event: SessionEvent) {
        var text: [UInt8]?
        for watcher in watchers where watcher.filter.matches(event) {
            let known = text ?? event.json(time: UTCTime.now.description)
            text = known
            watcher.enqueue(known)
        }
    }

    func trace(_ event: SessionEvent) { event.write(to: log) }
}
