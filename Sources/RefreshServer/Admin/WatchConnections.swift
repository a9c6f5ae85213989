internal import RefreshProtocol
internal import WebSocketTransport

/// The watchers' connections of one loop, on its thread.
///
///     Watcher -> mailbox of the loop -> send -> Connection -> socket
final class WatchConnections {
    private struct Seat {
        let connection: Connection
        let watcher: Watcher
    }

    private let room: WatcherRegistry
    private let post: @Sendable (@escaping @Sendable (WatchConnections) -> Void) -> Void
    private var seats: [UInt64: Seat] = [:]

    /// `post` runs a job with this object on the loop's thread, from any thread.
    init(
        _ room: WatcherRegistry,
        post: @escaping @Sendable (@escaping @Sendable (WatchConnections) -> Void) -> Void
    ) {
        self.room = room
        self.post = post
    }

    /// Starts watching on an admitted connection, with its filter.
    func opened(_ connection: Connection) {
        // Others may have been admitted since `admit`.
        guard room.takePlace() else {
            return connection.close(
                code: CloseCode.overloaded.rawValue, reason: "\(GateRefusal.tooManyWatchers)")
        }
        let filter = connection.owner as? WatchFilter ?? WatchFilter()
        let key = connection.key
        let watcher = room.enter { loops in
            Watcher(filter, loops: loops) { [post] in post { $0.send(to: key) } }
        }
        seats[key] = Seat(connection: connection, watcher: watcher)
    }

    func closed(_ connection: Connection) {
        guard let seat = seats.removeValue(forKey: connection.key) else { return }
        room.leave(seat.watcher)
    }

    func writable(_ connection: Connection) { send(to: connection.key) }

    /// Sends the next frame, if the socket accepts one. The frame after it is requested when that
    /// one is out.
    private func send(to key: UInt64) {
        guard let seat = seats[key] else { return }
        guard seat.connection.isWritable else { return seat.connection.requestWritable() }
        guard let frame = seat.watcher.take() else { return }
        seat.connection.enqueue(frame, isBinary: false)
        seat.connection.requestWritable()
    }
}
