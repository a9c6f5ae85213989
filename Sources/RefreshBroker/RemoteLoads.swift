internal import RefreshProtocol

/// The user of a load on the broker's thread.
package enum LoadUser<Waiter: Hashable & Sendable>: Hashable, Sendable {
    /// The load of a session of this node.
    case session(Waiter)
    /// The load of another node.
    case node(RemoteLoadID)
    /// The edit with this number.
    case edit(UInt64)
}

/// The loads that the broker performs for other nodes, and its connection to the cluster.
package struct RemoteLoads {
    /// The cluster; nil if the daemon runs alone.
    package var link: (any ClusterLink)?
    /// The requests of the loads that have not ended.
    private var requests: [RemoteLoadID: LoadRequest] = [:]

    package init() {}

    /// Whether this node does not perform the request for another node. `policy` is the policy of
    /// the feed; nil if this node does not have the feed.
    package static func isRefused(_ request: LoadRequest, under policy: FeedPolicy?) -> Bool {
        // A request with a subject comes from a node whose feed is not shared. If this node shares
        // the feed, its answer could be that of another subject.
        let isForeign = policy?.isShared == true && request.subject != nil
        return policy?.isClustered != true || isForeign
    }

    /// Adds a load. It is removed with its last event.
    package mutating func add(_ load: RemoteLoadID, _ request: LoadRequest) {
        requests[load] = request
    }

    /// Removes a load that its node has cancelled. No further event of it is delivered.
    package mutating func cancel(_ load: RemoteLoadID) { requests[load] = nil }

    /// Returns the request of a load. Returns nil if the load has ended.
    package func request(of load: RemoteLoadID) -> LoadRequest? { requests[load] }

    /// Delivers an event to the node of a load that has not ended. If the event is a page,
    /// `remaining` is what is left of its lifetime in the cache.
    package mutating func deliver(
        _ event: LoadEvent, _ remaining: RemainingLifetime, to load: RemoteLoadID
    ) {
        if event.isLast { requests[load] = nil }
        link?.deliver(OwnerEvent(event, remaining), to: load)
    }
}

extension OwnerEvent {
    /// The event of a load that its node has not cancelled.
    fileprivate init(_ event: LoadEvent, _ remaining: RemainingLifetime) {
        switch event {
        case .progressed(let value):
            self = .progressed(value)
        case .retrying(let attempt, let afterMs, let failure):
            self = .retrying(attempt: attempt, afterMs: afterMs, failure)
        case .ended(.page(let page)):
            self = .page(page, remaining)
        case .ended(.failed(let failure)):
            switch failure.code {
            // This node has no free call, or its circuit breaker is open. The other node may have a
            // free call, and a closed breaker.
            case .backendBusy, .backendSuspended: self = .refused(.busy)
            default: self = .failed(failure)
            }
        case .ended(.timedOut):
            self = .failed(LoadFailure(.backendTimedOut, "No answer arrived in time."))
        // Only a daemon that stops cancels the load. No other node requests a look-up.
        case .ended(.cancelled), .lookUpEnded:
            self = .refused(.stopping)
        }
    }
}
