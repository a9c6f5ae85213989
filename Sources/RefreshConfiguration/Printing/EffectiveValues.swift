internal import RefreshBackends
internal import RefreshBroker
internal import RefreshProtocol

/// The default values as YAML, by the path of their key. They are copied from a complete
/// `Configuration`, so that no default is defined here a second time.
struct EffectiveValues {
    private(set) var byPath: [[String]: String] = [:]

    init(of configuration: Configuration) {
        setList(configuration.listeners.map { YAMLText.quoted($0.description) }, at: ["listen"])
        set(configuration.servesDemo, at: ["demo"])
        setList([], at: ["origins"])
        set(configuration.auth)
        for entry in Limits.all {
            set(configuration.limits[keyPath: entry.path], at: ["limits", entry.name])
        }
        for entry in DrainSettings.all {
            set(configuration.drain[keyPath: entry.path], at: ["drain", entry.name])
        }
        set(configuration.resume.snapshots, at: ["resume", "snapshots"])
        if let cluster = configuration.cluster {
            set(cluster.connectTimeoutMs, at: ["cluster", "connectTimeoutMs"])
        }
        set(configuration.log.level.rawValue, at: ["log", "level"])
        set(configuration.log.format.rawValue, at: ["log", "format"])
        for (group, policy) in configuration.backendPolicies {
            // A group (`FeedSettings.group`) is the name of an entry of either `feeds` or
            // `backends`, so the value is set for both tables. The listing ignores the value in the
            // table that does not contain the group.
            set(policy, at: ["feeds", group])
            set(policy, at: ["backends", group])
        }
        for feed in configuration.feeds { set(feed) }
    }

    private mutating func set(_ value: some CustomStringConvertible, at path: [String]) {
        byPath[path] = value.description
    }

    private mutating func setList(_ items: [String], at path: [String]) {
        byPath[path] = "[" + items.joined(separator: ", ") + "]"
    }

    private mutating func set(_ auth: AuthSettings) {
        set(auth.mode.rawValue, at: ["auth", "mode"])
        switch auth {
        case .none, .token: break
        case .jwt(let jwt):
            set(jwt.skewMs, at: ["auth", "skewMs"])
            set(YAMLText.quoted(jwt.feedsClaim), at: ["auth", "feedsClaim"])
        case .http(let http):
            set(http.deadlineMs, at: ["auth", "deadlineMs"])
            set(http.calls, at: ["auth", "calls"])
            setList([], at: ["auth", "forward"])
        }
    }

    private mutating func set(_ policy: BackendPolicy, at path: [String]) {
        set(policy.calls, at: path + ["calls"])
        set(policy.queue, at: path + ["queue"])
        set(policy.retry.attempts, at: path + ["retry", "attempts"])
        set(policy.retry.baseMs, at: path + ["retry", "baseMs"])
        set(policy.retry.capMs, at: path + ["retry", "capMs"])
        set(policy.retry.budgetPercent, at: path + ["retry", "budgetPercent"])
        set(policy.breaker.failures, at: path + ["breaker", "failures"])
        set(policy.breaker.openMs, at: path + ["breaker", "openMs"])
    }

    // MARK: Feeds

    private mutating func set(_ feed: FeedSettings) {
        let path = ["feeds", feed.name]
        set(feed.first, at: path + ["first"])
        set(feed.size, at: path + ["size"])
        set(feed.policy.isShared, at: path + ["shared"])
        set(feed.policy.coolDownMs, at: path + ["coolDownMs"])
        set(feed.debounceMs, at: path + ["debounceMs"])
        if let cache = feed.policy.cache {
            set(cache.lifetimeMs, at: path + ["cache", "lifetimeMs"])
            set(cache.staleMs, at: path + ["cache", "staleMs"])
            set(cache.failureMs, at: path + ["cache", "failureMs"])
        }
        set(feed.policy.changes.spreadMs, at: path + ["changes", "spreadMs"])
        set(feed.policy.changes.perSecondMax, at: path + ["changes", "perSecondMax"])
        set(feed.policy.isClustered, at: path + ["cluster"])
        switch feed.backend {
        case .demo, .uploads, .demoList, .demoLog: break
        case .file(let file): set(file.bytesMax, at: path + ["bytesMax"])
        case .http(let http): set(http.options, at: path)
        case .sqlite(let sqlite):
            set(sqlite.timeoutMs, at: path + ["timeoutMs"])
            set(sqlite.responseBytesMax, at: path + ["responseBytesMax"])
        case .exec(let exec):
            set(exec, at: path)
            set(exec, at: ["backends", feed.group])
        case .worker(let worker):
            set(worker.lineBytesMax, at: path + ["lineBytesMax"])
            set(!worker.busFeeds.isEmpty, at: path + ["bus"])
        case .script(let script): set(script.then.rawValue, at: path + ["then"])
        }
    }

    private mutating func set(_ http: HTTPOptions, at path: [String]) {
        set(http.method.rawValue, at: path + ["method"])
        set(http.etag, at: path + ["etag"])
        set(http.redirects, at: path + ["redirects"])
        set(http.http2, at: path + ["http2"])
        set(http.connectTimeoutMs, at: path + ["connectTimeoutMs"])
        set(http.totalTimeoutMs, at: path + ["totalTimeoutMs"])
        set(http.responseBytesMax, at: path + ["responseBytesMax"])
    }

    private mutating func set(_ exec: ExecOptions, at path: [String]) {
        set(YAMLText.quoted(exec.folder), at: path + ["folder"])
        set(exec.processes, at: path + ["processes"])
        set(exec.loadsPerProcess, at: path + ["loadsPerProcess"])
        set(exec.lineBytesMax, at: path + ["lineBytesMax"])
        set(exec.graceMs, at: path + ["graceMs"])
        set(exec.restartBaseMs, at: path + ["restartBaseMs"])
        set(exec.restartCapMs, at: path + ["restartCapMs"])
    }
}
