internal import RefreshBackends
internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol

/// Identifies a feed's backend by the settings that it is created from. If the identity of a
/// backend is unchanged, a reload keeps the backend.
enum BackendIdentity: Hashable {
    /// A backend for this feed only. The identity contains only the settings that this kind of
    /// backend uses.
    case own(FeedSettings, answerBytesMax: Int, authorities: FileSum?)
    /// A pool of processes for all feeds that share a backend.
    case pool(ExecOptions, group: String, feeds: Set<String>)
    /// One backend for all feeds of the kind `worker`.
    case workers(WorkerOptions)

    init(of feed: FeedSettings, in configuration: Configuration) {
        switch feed.backend {
        case .exec(let options):
            let feeds = configuration.feeds.filter { $0.group == feed.group }.map(\.name)
            self = .pool(options, group: feed.group, feeds: Set(feeds))
        case .worker: self = .workers(Self.workerOptions(in: configuration))
        case .demo, .uploads, .demoList, .demoLog, .file, .http, .sqlite, .script:
            var feed = feed
            // The backend does not depend on the settings that are reset here. The broker and the
            // sessions use the policy and the size. Only error messages use the location.
            feed.policy = FeedPolicy()
            feed.size = 0
            feed.location = nil
            self = .own(
                feed, answerBytesMax: configuration.limits.backendResponseBytesMax,
                authorities: Self.authorities(of: feed))
        }
    }

    /// The checksum of the file of certificate authorities by which an HTTP backend is verified. An
    /// HTTP client keeps its contents, so a changed file requires a new backend with a new client.
    private static func authorities(of feed: FeedSettings) -> FileSum? {
        guard case .http(let settings) = feed.backend else { return nil }
        return settings.options.ca.flatMap { FileSum(path: $0) }
    }

    /// The combined options of all feeds of the kind `worker`. A worker may serve feeds of several
    /// backends over one connection.
    static func workerOptions(in configuration: Configuration) -> WorkerOptions {
        var all = WorkerOptions(feeds: [])
        all.lineBytesMax = 0
        for feed in configuration.feeds {
            guard case .worker(let options) = feed.backend else { continue }
            all.feeds.insert(feed.name)
            if configuration.cluster != nil { all.busFeeds.formUnion(options.busFeeds) }
            all.lineBytesMax = max(all.lineBytesMax, options.lineBytesMax)
        }
        return all
    }
}
