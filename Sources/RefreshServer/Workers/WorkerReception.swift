internal import RefreshBackends
internal import RefreshProtocol
internal import Synchronization

/// Registers workers. All loops share this object, and any thread may use it.
final class WorkerReception: Sendable {
    let backend: WorkerBackend
    /// The settings that a reload replaces.
    private struct Settings {
        var limits: Limits
        var authorize: @Sendable (_ token: String, _ feeds: [String]) -> WorkerVerdict
    }

    private let settings: Mutex<Settings>
    private let places = Atomic<Int>(0)

    /// `authorize` is called once per worker, on the thread of the worker's loop. `authorize`
    /// compares hashes in constant time.
    init(
        _ backend: WorkerBackend, limits: Limits,
        authorize: @escaping @Sendable (_ token: String, _ feeds: [String]) -> WorkerVerdict
    ) {
        self.backend = backend
        settings = Mutex(Settings(limits: limits, authorize: authorize))
    }

    var limits: Limits { settings.withLock { $0.limits } }

    /// Uses the tokens of the configuration.
    convenience init(_ backend: WorkerBackend, limits: Limits, tokens: AccessTokens) {
        self.init(backend, limits: limits, authorize: Self.authorize(by: tokens))
    }

    private static func authorize(
        by tokens: AccessTokens
    ) -> @Sendable (_ token: String, _ feeds: [String]) -> WorkerVerdict {
        { token, feeds in
            switch tokens.verdict(token, for: .work(feeds: feeds)) {
            case .allowed(let name): .admitted(name: name)
            case .unknown, .forbidden: .unknownToken
            }
        }
    }

    /// Applies new limits and tokens. Registered workers stay registered.
    func apply(limits: Limits, tokens: AccessTokens) {
        settings.withLock { $0 = Settings(limits: limits, authorize: Self.authorize(by: tokens)) }
    }

    /// The number of registered workers. Each of them uses one of `workersMax` places. Connections
    /// that have not registered use no place. If they did, peers without a token could use up all
    /// places. `WorkerConnections` limits the number of these connections.
    var count: Int { places.load(ordering: .relaxed) }

    /// Reserves a place. Returns false if no place is free.
    func reservePlace() -> Bool {
        let (_, count) = places.add(1, ordering: .relaxed)
        if count <= limits.workersMax { return true }
        releasePlace()
        return false
    }

    /// Releases a place.
    func releasePlace() { places.subtract(1, ordering: .relaxed) }

    /// Decides whether a worker is admitted. The token is checked first, so that a peer without a
    /// token learns nothing about the feeds.
    func verdict(on registration: WorkerRegistration) -> WorkerVerdict {
        let authorize = settings.withLock { $0.authorize }
        let verdict = authorize(registration.token, registration.feeds)
        guard case .admitted = verdict else { return verdict }
        let isServed = registration.feeds.allSatisfy { feed in
            backend.options.feeds.contains { $0.hasBytes(of: feed) }
        }
        return isServed ? verdict : .feedRefused
    }
}
