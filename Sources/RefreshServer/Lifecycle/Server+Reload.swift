internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

// Another configuration while the daemon runs. Source: docs/operations.md, "Reload".
extension Server {
    /// Takes up `configuration`, which differs from the one that holds only in what can change.
    /// First all is made that may fail; then the broker takes up the new feeds, and each loop all
    /// the rest, between two messages. Sessions stay. One call at a time.
    ///
    /// - Throws: every mistake; then all stays as it was.
    package func reload(_ configuration: Configuration) throws(ConfigurationError) {
        let old = current.withLock { $0 }
        let shortage = OpenFileLimit.problems(of: configuration, after: old.configuration)
        if !shortage.isEmpty { throw ConfigurationError(shortage) }
        var commits: [@Sendable () -> Void] = []
        for part in reloadables { commits.append(try part.prepare(configuration)) }
        let certificates = try certificates(of: configuration)
        let feeds = try Feeds(configuration, log: old.log, previous: old.feeds)
        let new = old.adopting(configuration, feeds: feeds)
        current.withLock { $0 = new }
        // Before any session can ask for a new feed.
        broker.change(to: feeds.plan(configuration.limits))
        for commit in commits { commit() }
        if let (identity, settings) = certificates { use(identity, from: settings) }
        trust(configuration.proxies)
        new.workers?.adopt(
            limits: configuration.limits, tokens: AccessTokens(configuration.tokens))
        new.requestedJournals.adopt(configuration.limits)
        new.watchRoom.adopt(most: configuration.limits.watchersMax)
        new.doorkeeper.adopt(
            configuration.limits, at: Instant(microseconds: MonotonicClock.nowMicroseconds))
        for index in loops.indices {
            // On the loop, which has made its handler before it takes any job.
            loops[index].post { [handlers] in handlers[index]?.adopt(new) }
        }
        new.log.set(configuration.log.level)
    }

    /// The configuration that holds.
    package var configuration: Configuration { current.withLock { $0.configuration } }

    private var reloadables: [any Reloadable] {
        var all: [any Reloadable] = [parts.entrance]
        if let seal = parts.seal { all.append(seal) }
        return all
    }

    /// What new connections are to see, found in order.
    private func certificates(
        of configuration: Configuration
    ) throws(ConfigurationError) -> (TLSIdentity, TLSSettings)? {
        guard let settings = configuration.tls,
            let identity = try Groundwork.identity(settings)
        else { return nil }
        return (identity, settings)
    }
}
