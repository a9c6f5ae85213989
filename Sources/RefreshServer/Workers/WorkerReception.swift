internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// Where workers come in: what all loops share of them. Any thread may call.
final class WorkerReception: Sendable {
    let backend: WorkerBackend
    let limits: Limits
    private let judge: @Sendable (_ token: String, _ feeds: [String]) -> WorkerVerdict
    private let places = Atomic<Int>(0)

    /// `judge` is asked once a worker, on the loop's thread. It compares hashes, in constant time.
    init(
        _ backend: WorkerBackend, limits: Limits,
        judge: @escaping @Sendable (_ token: String, _ feeds: [String]) -> WorkerVerdict
    ) {
        self.backend = backend
        self.limits = limits
        self.judge = judge
    }

    /// With the tokens of the configuration.
    convenience init(_ backend: WorkerBackend, limits: Limits, tokens: AccessTokens) {
        self.init(backend, limits: limits) { token, feeds in
            switch tokens.verdict(token, for: .work(feeds: feeds)) {
            case .allowed(let name): .admitted(name: name)
            case .unknown, .forbidden: .unknownToken
            }
        }
    }

    /// How many workers have registered. Who has not takes no place, or peers without a token could take
    /// them all; `WorkerConnections` bounds those.
    var count: Int { places.load(ordering: .relaxed) }

    /// Takes a place; false if there is none.
    func enter() -> Bool {
        let (_, count) = places.add(1, ordering: .relaxed)
        if count <= limits.workersMax { return true }
        leave()
        return false
    }

    /// Gives a place back.
    func leave() { places.subtract(1, ordering: .relaxed) }

    /// The token first: who has none learns nothing of the feeds.
    func verdict(on registration: WorkerRegistration) -> WorkerVerdict {
        let verdict = judge(registration.token, registration.feeds)
        guard case .admitted = verdict else { return verdict }
        let isServed = registration.feeds.allSatisfy { feed in
            backend.options.feeds.contains { $0.hasBytes(of: feed) }
        }
        return isServed ? verdict : .feedRefused
    }
}
