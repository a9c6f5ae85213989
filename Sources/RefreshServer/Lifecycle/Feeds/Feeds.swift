internal import RefreshBackends
internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession

/// The configured feeds, in the forms that the broker, the sessions and the metrics need.
struct Feeds {
    /// The backends by feed name. Feeds of one process pool share one value.
    let backends: [String: any Backend]
    let descriptions: [FeedDescription]
    let measured: [MeasuredFeed]
    let measuredBackends: [MeasuredBackend]
    let measuredWorkers: [MeasuredWorkers]
    let streams: [ChangeStreamReporter]
    /// The backend that registers workers; nil if no feed is served by workers.
    let workers: WorkerBackend?
    /// The client that the HTTP backends without TLS share; nil if there was never one.
    let httpClient: HTTPClient?
    /// The notices with which backends report that a feed has newer data.
    let notices: FeedNotices
    /// The identity of each backend, by feed name.
    let identities: [String: BackendIdentity]
    private let configuration: Configuration

    /// Keeps the unchanged backends of `previous`. If a backend cannot be created, the other new
    /// backends are stopped, and `previous` stays in use.
    init(
        _ configuration: Configuration, log: DaemonLog = .silent, previous: Feeds? = nil
    ) throws(ConfigurationError) {
        let notices = previous?.notices ?? FeedNotices()
        self.notices = notices
        var maker = BackendMaker(configuration, notices: notices, log: log, previous: previous)
        var identities: [String: BackendIdentity] = [:]
        var backends: [String: any Backend] = [:]
        var problems: [ConfigurationProblem] = []
        for feed in configuration.feeds {
            identities[feed.name] = maker.identity(of: feed)
            do throws(BackendConfigurationError) {
                backends[feed.name] = try maker.backend(of: feed)
            } catch {
                problems.append(
                    ConfigurationProblem(
                        at: feed.location, key: "feeds.\(feed.name).\(error.key)", error.message))
            }
        }
        if !problems.isEmpty {
            let known = previous?.backends.values.map { ObjectIdentifier($0 as AnyObject) } ?? []
            for backend in backends.values
            where !known.contains(ObjectIdentifier(backend as AnyObject)) {
                backend.stop()
            }
            throw ConfigurationError(problems)
        }
        self.backends = backends
        self.identities = identities
        self.configuration = configuration
        measuredBackends = maker.measured
        measuredWorkers = maker.measuredWorkers
        streams = maker.streams
        workers = maker.workers
        httpClient = maker.httpClient
        descriptions = configuration.feeds.map {
            FeedDescription(
                name: $0.name, parameters: $0.parameters, forward: Set($0.forward),
                style: $0.paging, first: $0.first, size: $0.size, itemKey: $0.policy.itemKey,
                sectionKey: $0.sectionKey, keepsPages: $0.policy.keepsPages, edits: $0.policy.edits,
                debounceMs: $0.debounceMs)
        }
        notices.setFeeds(
            Dictionary(
                configuration.feeds.map {
                    ($0.name, .init(itemKey: $0.policy.itemKey, parameters: $0.parameters))
                }, uniquingKeysWith: { $1 }))
        measured = configuration.feeds.map {
            MeasuredFeed(name: $0.name, kind: $0.backend.kind.rawValue, backend: $0.group)
        }
    }

    /// The policies that decide when sessions refresh after changes, by feed name.
    var changePolicies: [String: FeedPolicy.Changes] {
        Dictionary(
            configuration.feeds.map { ($0.name, $0.policy.changes) }, uniquingKeysWith: { $1 })
    }

    /// The feeds that a cluster shares between its nodes.
    var clustered: Set<String> {
        Set(configuration.feeds.filter(\.policy.isClustered).map(\.name))
    }

    /// The feeds, backends and limits that the broker uses.
    func brokerPlan(_ limits: Limits) -> BrokerPlan {
        var feeds: [String: BrokerPlan.Feed] = [:]
        for feed in configuration.feeds {
            var policy = feed.policy
            policy.numbering = FeedPolicy.Numbering(style: feed.paging, first: feed.first)
            feeds[feed.name] = backends[feed.name].map {
                BrokerPlan.Feed($0, group: feed.group, policy: policy)
            }
        }
        return BrokerPlan(
            feeds: feeds, backends: configuration.backendPolicies,
            loadsInFlightMax: limits.loadsInFlightMax, cacheBytesMax: limits.cacheBytesMax,
            loadDeadlineMs: limits.loadDeadlineMs)
    }
}
