internal import RefreshProtocol
internal import WebSocketTransport

/// The operators of one loop, on its thread: their permissions, pending requests and watchers.
final class LoopOperators {
    private var admin: AdminRequests
    private let desk: AdminAggregator
    private let room: WatcherRegistry
    private let watchers: WatchConnections

    /// `post` runs a job with this object on the loop's thread, from any thread; `answer` is called
    /// on the loop's thread.
    init(
        _ admin: AdminRequests, room: WatcherRegistry, directory: LoopDirectory,
        post: @escaping @Sendable (@escaping @Sendable (LoopOperators) -> Void) -> Void,
        answer: @escaping (HTTPTicket, HTTPResponse) -> Void
    ) {
        self.admin = admin
        self.room = room
        desk = AdminAggregator(directory) { job in
            post { job($0.desk) }
        } answer: { ticket, response in
            answer(ticket, HTTPPages.safe(response))
        }
        watchers = WatchConnections(room) { job in post { job($0.watchers) } }
    }

    /// Applies another configuration, which may have other tokens.
    func adopt(_ admin: AdminRequests) { self.admin = admin }

    // MARK: Requests

    func verdict(on request: HTTPRequest) -> AdminRequests.Verdict { admin.verdict(on: request) }

    /// Starts a granted request; `answer` is called later.
    func begin(_ order: AdminOrder, for ticket: HTTPTicket, at now: Instant) {
        desk.begin(order, for: ticket, at: now)
    }

    func wake(at now: Instant) { desk.wake(at: now) }

    /// The earliest deadline of a pending request.
    var nextDeadline: Instant? { desk.nextDeadline }

    // MARK: Watching

    /// Returns why an upgrade to watch is refused; nil: it is admitted.
    func refusal(ofWatch request: UpgradeRequest) -> GateRefusal? {
        admin.refusal(ofWatch: request, hasPlace: room.hasPlace)
    }

    func opened(_ connection: Connection) { watchers.opened(connection) }
    func closed(_ connection: Connection) { watchers.closed(connection) }
    func writable(_ connection: Connection) { watchers.writable(connection) }
}
