internal import RefreshProtocol
internal import WebSocketTransport

/// The connections of the watchers on one loop (see `Watcher`). Used on the loop's thread only.
///
///     Watcher -> mailbox of the loop -> send -> Connection -> socket
final class WatchConnections {
    private struct WatchedConnection {
        let connection: Connection
        let watcher: Watcher
        /// The identity of its watch of the other nodes; nil if it watches this daemon only.
        let watchID: UInt64?
    }

    private let registry: WatcherRegistry
    private let cluster: ClusterService?
    private let post: @Sendable (@escaping @Sendable (WatchConnections) -> Void) -> Void
    private var connections: [UInt64: WatchedConnection] = [:]

    /// `post` may be called on any thread. It runs a job on the loop's thread, and passes this
    /// object to the job.
    init(
        _ registry: WatcherRegistry, _ cluster: ClusterService?,
        post: @escaping @Sendable (@escaping @Sendable (WatchConnections) -> Void) -> Void
    ) {
        self.registry = registry
        self.cluster = cluster
        self.post = post
    }

    /// Starts to send events to an admitted connection. The filter of the connection selects the
    /// events.
    func opened(_ connection: Connection) {
        // Other watchers may have been admitted since `admit` accepted this one.
        guard registry.reservePlace() else {
            return connection.close(
                code: CloseCode.overloaded.rawValue, reason: "\(GateRefusal.tooManyWatchers)")
        }
        let filter = connection.owner as? WatchFilter ?? WatchFilter()
        let key = connection.key
        let watcher = registry.register { loops in
            Watcher(filter, loops: loops) { [post] in post { $0.sendNextFrame(to: key) } }
        }
        let watchID = filter.isOfCluster ? cluster?.watch(filter, with: watcher) : nil
        connections[key] = WatchedConnection(
            connection: connection, watcher: watcher, watchID: watchID)
    }

    func closed(_ connection: Connection) {
        guard let entry = connections.removeValue(forKey: connection.key) else { return }
        registry.unregister(entry.watcher)
        if let watchID = entry.watchID { cluster?.unwatch(watchID) }
    }

    func becameWritable(_ connection: Connection) { sendNextFrame(to: connection.key) }

    /// Sends the next frame if the socket accepts one. When the frame is sent, `becameWritable`
    /// sends the following frame.
    private func sendNextFrame(to key: UInt64) {
        guard let entry = connections[key] else { return }
        guard entry.connection.isWritable else { return entry.connection.requestWritable() }
        guard let frame = entry.watcher.dequeueFrame() else { return }
        entry.connection.enqueue(frame, isBinary: false)
        entry.connection.requestWritable()
    }
}
