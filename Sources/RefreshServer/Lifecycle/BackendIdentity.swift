internal import RefreshBroker
internal import RefreshProtocol

/// What a feed's backend is made of: while that stays the same so does the backend.
enum BackendIdentity: Hashable {
    /// The feed's own; only what its kind looks at differs.
    case own(FeedSettings, answerBytesMax: Int, authorities: FileSum?)
    /// A pool of processes for all feeds of a group.
    case pool(ExecOptions, group: String, feeds: Set<String>)
    /// One for all feeds of the kind.
    case workers(WorkerOptions)

    init(of feed: FeedSettings, in configuration: Configuration) {
        switch feed.backend {
        case .exec(let options):
            let feeds = configuration.feeds.filter { $0.group == feed.group }.map(\.name)
            self = .pool(options, group: feed.group, feeds: Set(feeds))
        case .worker: self = .workers(Self.workerOptions(in: configuration))
        case .demo, .file, .http, .sqlite, .script:
            var feed = feed
            // The broker and the sessions look at these, and at where it stands nobody.
            feed.policy = FeedPolicy()
            feed.size = 0
            feed.place = nil
            self = .own(
                feed, answerBytesMax: configuration.limits.backendResponseBytesMax,
                authorities: Self.authorities(of: feed))
        }
    }

    /// What the file holds by which a backend is known to be itself: it is read once for each
    /// backend.
    private static func authorities(of feed: FeedSettings) -> FileSum? {
        guard case .http(let settings) = feed.backend else { return nil }
        return settings.options.ca.flatMap { FileSum(path: $0) }
    }

    /// What all feeds of the kind `worker` say together: a worker may serve feeds of several
    /// backends over one connection.
    static func workerOptions(in configuration: Configuration) -> WorkerOptions {
        var all = WorkerOptions(feeds: [])
        all.lineBytesMax = 0
        for feed in configuration.feeds {
            guard case .worker(let options) = feed.backend else { continue }
            all.feeds.insert(feed.name)
            all.lineBytesMax = max(all.lineBytesMax, options.lineBytesMax)
        }
        return all
    }
}
