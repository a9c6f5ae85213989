internal import RefreshBackends
internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession
internal import SealedSnapshots
internal import WebClient

/// Creates the backends of the configured feeds. A backend that several feeds share is created
/// once.
struct BackendMaker {
    /// The one backend for all feeds of the kind `worker`; nil if there are none.
    private(set) var workers: WorkerBackend?
    /// The client that the feeds of the kind `http` without TLS share; nil if there was never such
    /// a feed.
    private(set) var httpClient: HTTPClient?
    /// The metrics of backends, in the order of their creation. Each group of feeds with a common
    /// backend has one element.
    private(set) var measured: [MeasuredBackend] = []
    private(set) var measuredWorkers: [MeasuredWorkers] = []
    private(set) var streams: [ChangeStreamReporter] = []
    private let configuration: Configuration
    private let notices: FeedNotices
    private let log: DaemonLog
    /// The process pools, by group (`FeedSettings.group`).
    private var pools: [String: TimedBackend] = [:]
    /// The feeds of the previous configuration. Unchanged backends of these feeds are kept.
    private let previous: Feeds?

    /// Backends report newer data of a feed through `notices`; their processes write to `log`.
    init(
        _ configuration: Configuration, notices: FeedNotices, log: DaemonLog,
        previous: Feeds? = nil
    ) {
        self.configuration = configuration
        self.previous = previous
        httpClient = previous?.httpClient
        self.notices = notices
        self.log = log
    }

    /// The backend of a feed of the configuration. Feeds of one process pool get the same object.
    mutating func backend(
        of feed: FeedSettings
    ) throws(BackendConfigurationError) -> any Backend {
        if let previous, previous.identities[feed.name] == identity(of: feed),
            let backend = previous.backends[feed.name]
        {
            carryOver(from: previous, feed)
            return backend
        }
        return try makeBackend(of: feed)
    }

    /// The identity of the feed's backend.
    func identity(of feed: FeedSettings) -> BackendIdentity {
        BackendIdentity(of: feed, in: configuration)
    }

    private mutating func carryOver(from previous: Feeds, _ feed: FeedSettings) {
        _ = durations(of: feed)
        streams += previous.streams.filter { $0.feed == feed.name }
        let isWorker = feed.backend.kind == .worker
        if isWorker { workers = previous.workers }
        let name = isWorker ? BackendKind.worker.rawValue : feed.group
        guard !measuredWorkers.contains(where: { $0.name == name }),
            let measured = previous.measuredWorkers.first(where: { $0.name == name })
        else { return }
        measuredWorkers.append(measured)
    }

    private mutating func makeBackend(
        of feed: FeedSettings
    ) throws(BackendConfigurationError) -> any Backend {
        switch feed.backend {
        case .demo:
            return timed(
                try DemoBackend(
                    statusFile: configuration.packageStatusFile,
                    fallback: WebClient.packagesJSON, paging: feed.paging, firstPage: feed.first),
                of: feed)
        case .uploads:
            return timed(
                try UploadsBackend(
                    feed: feed.name, packages: WebClient.packagesJSON, firstPage: feed.first,
                    notices: notices, wallMilliseconds: WallClock.nowMilliseconds),
                of: feed)
        case .demoList(let kind):
            return timed(
                try DemoListBackend(
                    kind, feed: feed.name, packages: WebClient.packagesJSON, firstPage: feed.first,
                    notices: notices, wallMilliseconds: WallClock.nowMilliseconds),
                of: feed)
        case .demoLog:
            return timed(
                try DemoLogBackend(packages: WebClient.packagesJSON, first: feed.first), of: feed)
        case .file(let settings):
            return timed(
                try FileBackend(
                    path: settings.path, folder: settings.folder, format: settings.format,
                    paging: feed.paging, firstPage: feed.first, bytesMax: settings.bytesMax,
                    answerBytesMax: configuration.limits.backendResponseBytesMax),
                of: feed)
        case .http(let settings):
            return timed(
                try HTTPBackend(
                    url: settings.url, parameters: feed.parameters.map(\.name),
                    options: settings.options, changes: stream(of: feed, settings.options),
                    client: client(for: settings)),
                of: feed)
        case .sqlite(let options):
            return timed(try SQLiteBackend(options), of: feed)
        case .script(let options):
            return timed(try ScriptBackend(options), of: feed)
        case .exec(let options):
            return try pool(options, of: feed)
        case .worker:
            return timed(try workerBackend(), of: feed)
        }
    }

    /// The client that feeds share; nil if the feed needs one of its own.
    private mutating func client(for settings: HTTPSettings) -> HTTPClient? {
        // With TLS, the thread of the client reads all trusted certificates for a new connection,
        // which takes tens of milliseconds; the calls of other feeds would wait. libcurl also keeps
        // the certificates of `ca`, and connections that were verified by them, although the file
        // may have changed before a reload.
        let urls = [settings.url, settings.options.changes, settings.options.editURL]
        guard urls.allSatisfy({ $0?.lowercased().hasPrefix("http://") ?? true }) else { return nil }
        if httpClient == nil { httpClient = HTTPClient() }
        return httpClient
    }

    /// The reporter of the feed's stream of changes; nil if there is none.
    private mutating func stream(
        of feed: FeedSettings, _ options: HTTPOptions
    ) -> ChangeStreamReporter? {
        guard options.changes != nil else { return nil }
        let stream = ChangeStreamReporter(feed: feed.name, notices: notices) { [log] event in
            log(event, ofFeed: feed.name)
        }
        streams.append(stream)
        return stream
    }

    private mutating func timed(_ backend: any Backend, of feed: FeedSettings) -> TimedBackend {
        TimedBackend(backend, durations: durations(of: feed))
    }

    private mutating func durations(of feed: FeedSettings) -> CallDurations {
        if let known = measured.first(where: { $0.name == feed.group }) { return known.durations }
        let before = previous?.measuredBackends.first {
            $0.name == feed.group && $0.kind == feed.backend.kind
        }
        let backend = before ?? MeasuredBackend(name: feed.group, kind: feed.backend.kind)
        measured.append(backend)
        return backend.durations
    }

    private mutating func pool(
        _ options: ExecOptions, of feed: FeedSettings
    ) throws(BackendConfigurationError) -> any Backend {
        if let pool = pools[feed.group] { return pool }
        let feeds = configuration.feeds.filter { $0.group == feed.group }.map(\.name)
        let log = log
        let group = feed.group
        let exec = try ExecBackend(options, feeds: Set(feeds), notices: notices) { event in
            log(event, of: group)
        }
        let pool = timed(exec, of: feed)
        pools[group] = pool
        measuredWorkers.append(
            MeasuredWorkers(name: group, kind: .exec, processes: options.processes) {
                [weak exec] in exec?.counters ?? WorkerCounters()
            })
        return pool
    }

    private mutating func workerBackend() throws(BackendConfigurationError) -> WorkerBackend {
        if let workers { return workers }
        let backend = try WorkerBackend(
            BackendIdentity.workerOptions(in: configuration), notices: notices)
        workers = backend
        measuredWorkers.append(
            MeasuredWorkers(name: BackendKind.worker.rawValue, kind: .worker) { [weak backend] in
                backend?.counters ?? WorkerCounters()
            })
        return backend
    }
}
