internal import RefreshProtocol
internal import WebSocketTransport

/// Serves the operators whose connections are on one loop. It has their permissions, their pending
/// requests, and their watchers (see `Watcher`). Used on the loop's thread only.
final class LoopOperators {
    private var admin: AdminRequests
    private let aggregator: AdminAggregator
    private let registry: WatcherRegistry
    private let hasCluster: Bool
    private let watchers: WatchConnections

    /// `post` may be called on any thread. It runs a job on the loop's thread, and passes this
    /// object to the job. `answer` is called on the loop's thread.
    init(
        _ admin: AdminRequests, registry: WatcherRegistry, directory: LoopDirectory,
        cluster: ClusterService?,
        post: @escaping @Sendable (@escaping @Sendable (LoopOperators) -> Void) -> Void,
        answer: @escaping (HTTPTicket, HTTPResponse) -> Void
    ) {
        self.admin = admin
        self.registry = registry
        hasCluster = cluster != nil
        aggregator = AdminAggregator(directory, cluster) { job in
            post { job($0.aggregator) }
        } answer: { ticket, response in
            answer(ticket, HTTPPages.addingSafetyHeaders(to: response))
        }
        watchers = WatchConnections(registry, cluster) { job in post { job($0.watchers) } }
    }

    /// Applies another configuration, including its tokens.
    func apply(_ admin: AdminRequests) { self.admin = admin }

    // MARK: Requests

    func verdict(on request: HTTPRequest) -> AdminRequests.Verdict { admin.verdict(on: request) }

    /// Starts a permitted request; `answer` is called later.
    func start(_ order: AdminOrder, for ticket: HTTPTicket, at now: Instant) {
        aggregator.start(order, for: ticket, at: now)
    }

    func expireRequests(at now: Instant) { aggregator.expireRequests(at: now) }

    /// The earliest deadline of a pending request.
    var nextDeadline: Instant? { aggregator.nextDeadline }

    // MARK: Watching

    /// Returns why an upgrade of a watcher is refused; nil: the upgrade is admitted.
    func refusal(ofWatch request: UpgradeRequest) -> GateRefusal? {
        let refusal = admin.refusal(ofWatch: request, hasPlace: registry.hasPlace)
        return refusal ?? (Query.isOfCluster(request.query) && !hasCluster ? .notFound : nil)
    }

    func opened(_ connection: Connection) { watchers.opened(connection) }
    func closed(_ connection: Connection) { watchers.closed(connection) }
    func becameWritable(_ connection: Connection) { watchers.becameWritable(connection) }
}
