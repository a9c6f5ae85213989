internal import RefreshBroker
package import RefreshConfiguration
internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

// Changes the configuration while the daemon runs. Source: docs/operations.md, "Reload".
extension Server {
    /// Applies `configuration`, which may differ from the current one only in options that can
    /// change without a restart.
    ///
    /// Steps that may fail come first. Then the broker applies the new feeds, and each loop applies
    /// the rest between two messages. Sessions are kept. Only one call may run at a time.
    ///
    /// - Throws: The mistakes that the first failing step found. In that case nothing has changed.
    package func reload(_ configuration: Configuration) throws(ConfigurationError) {
        let old = current.withLock { $0 }
        let shortage = OpenFileLimit.problems(of: configuration, after: old.configuration)
        if !shortage.isEmpty { throw ConfigurationError(shortage) }
        var commits: [@Sendable () -> Void] = []
        for part in reloadables { commits.append(try part.prepare(configuration)) }
        let certificates = try certificates(of: configuration)
        let feeds = try Feeds(configuration, log: old.log, previous: old.feeds)
        let new = old.applying(configuration, feeds: feeds)
        current.withLock { $0 = new }
        // The broker must have a new feed before any session can use it.
        broker.apply(feeds.brokerPlan(configuration.limits))
        new.cluster?.share(feeds.clustered, reader: feeds.notices.reader)
        new.cluster?.serve(feeds.workers)
        new.directory.applyChangePolicies(feeds.changePolicies)
        for commit in commits { commit() }
        if let (identity, settings) = certificates { use(identity, from: settings) }
        trust(configuration.proxies)
        new.workers?.apply(
            limits: configuration.limits, tokens: AccessTokens(configuration.tokens))
        new.requestedJournals.apply(configuration.limits)
        new.watcherRegistry.setLimit(configuration.limits.watchersMax)
        new.connectionLimiter.apply(
            configuration.limits, at: Instant(microseconds: MonotonicClock.nowMicroseconds))
        for index in loops.indices {
            // The job runs on the loop's thread. The loop creates its handler before it runs any
            // job.
            loops[index].post { [handlers] in handlers[index]?.apply(new) }
        }
        new.log.set(configuration.log.level)
    }

    /// The current configuration.
    package var configuration: Configuration { current.withLock { $0.configuration } }

    private var reloadables: [any Reloadable] {
        var all: [any Reloadable] = [parts.authenticationService]
        if let seal = parts.seal { all.append(SnapshotKeyReload(seal, log: parts.log)) }
        return all
    }

    /// Reads and checks the certificate for new connections.
    private func certificates(
        of configuration: Configuration
    ) throws(ConfigurationError) -> (TLSIdentity, TLSSettings)? {
        guard let settings = configuration.tls,
            let identity = try ConfigurationPreflight.identity(settings)
        else { return nil }
        return (identity, settings)
    }
}
