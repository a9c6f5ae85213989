internal import RefreshBroker
internal import RefreshProtocol

/// The keys of one kind of backend. Source: docs/backends.md.
///
/// Each key has a scope: one feed, or the backend as a whole. If the scope is one feed, the values
/// of feeds with a common backend may differ. If the scope is the backend, a feed may set the key
/// only if the feed does not share its backend.
struct FeedTable: Sendable {
    /// The keys with the scope of one feed, except the key `backend`.
    let ofFeed: [SettingsKey]
    /// The keys with the scope of the backend as a whole.
    let ofBackend: [SettingsKey]
    /// All keys of a feed that does not share its backend.
    let standalone: [SettingsKey]
    /// The keys that may be set by a feed whose backend is an entry of `backends`.
    let member: [SettingsKey]
    /// The keys of a feed whose backend is an entry of `backends`, including the keys that the
    /// entry sets.
    let completed: [SettingsKey]
    /// The keys of an entry of `backends`. The feeds of the entry may set the keys that the entry
    /// leaves out, except keys of the backend as a whole.
    let shared: [SettingsKey]

    private init(ofFeed: [SettingsKey], ofBackend: [SettingsKey]) {
        self.ofFeed = ofFeed
        self.ofBackend = ofBackend
        standalone = [Self.source] + ofFeed + ofBackend
        member = [Self.source] + ofFeed
        completed = ofFeed + ofBackend.map(\.optional)
        shared = [Self.kind] + ofFeed.map(\.optional) + ofBackend
    }

    /// Returns whether the kind has the key.
    func has(_ name: String) -> Bool { ofFeed[name] != nil || ofBackend[name] != nil }

    /// The key with which a feed names its backend.
    static let source = SettingsKey(
        "backend", .text(), isRequired: true,
        meaning: "the source of the items: a kind of backend, or the name of an entry of backends")

    /// The key with which an entry of `backends` names its kind.
    static let kind = SettingsKey(
        "kind", .choice(BackendKind.allCases.map(\.rawValue)), isRequired: true,
        meaning: "the kind of the backend")

    // MARK: Kinds

    static let demo = FeedTable(ofFeed: [size(of: .demo)] + policy(), ofBackend: broker)

    static let file = FeedTable(
        ofFeed: paging(lists) + [size(of: .file)] + policy() + FeedKeys.file, ofBackend: broker)

    static let http = FeedTable(
        ofFeed: paging(PagingStyle.allCases) + [size(of: .http), parameters, forward]
            + policy(changes: [stream] + changes) + [edits] + FeedKeys.http,
        ofBackend: broker)

    static let sqlite = FeedTable(
        ofFeed: paging(lists) + [size(of: .sqlite), parameters] + policy() + FeedKeys.sqlite,
        ofBackend: broker)

    static let exec = FeedTable(
        ofFeed: paging(PagingStyle.allCases) + [size(of: .exec), parameters, forward] + policy(),
        ofBackend: broker + FeedKeys.exec)

    static let worker = FeedTable(
        ofFeed: paging(PagingStyle.allCases) + [size(of: .worker), parameters, forward]
            + policy() + [edits],
        ofBackend: broker + FeedKeys.worker)

    static let script = FeedTable(
        ofFeed: paging(lists) + [size(of: .script), parameters] + policy() + FeedKeys.script,
        ofBackend: broker)

    // MARK: Keys of several kinds

    /// The paging styles of those kinds of backends that do not support the style `none`.
    private static let lists: [PagingStyle] = [.page, .offset, .cursor]

    private static func paging(_ styles: [PagingStyle]) -> [SettingsKey] {
        [
            SettingsKey(
                "paging", .choice(styles.map(\.rawValue)), isRequired: true,
                meaning: "how pages are requested; only for http, exec and worker: none, which "
                    + "means a single page"),
            first,
        ]
    }

    static let first = SettingsKey(
        "first", .integer(0...1),
        meaning: "the number of the first page, or the first offset; without the key, 1 for paging "
            + "page and 0 for paging offset")

    private static func size(of kind: BackendKind) -> SettingsKey {
        SettingsKey(
            "size", .integer(1...100_000),
            meaning: "number of items of a page; at most limits.pageSizeMax",
            standard: FeedSettings.standardSize(kind).description)
    }

    private static let parameters = SettingsKey(
        "parameters",
        .either([
            .list(.text(pattern: ConfiguredName.pattern)),
            .named(
                .choice(ParameterType.allCases.map(\.rawValue)), pattern: ConfiguredName.pattern),
        ]),
        meaning: "parameters that clients may give in attach: a list of names, whose values are "
            + "texts, or a table with the type of each name")

    private static let forward = SettingsKey(
        "forward", .list(.text(pattern: ConfigurationShape.headerPattern)),
        meaning: "names, in lower case, of client headers that the backend receives; only for "
            + "http, exec and worker")

    /// The edits of a feed, for all kinds that accept edits. `EditsReader` checks which kinds have
    /// the `url`.
    private static let edits = SettingsKey(
        "edits",
        .table([
            SettingsKey(
                "operations",
                .list(
                    .choice(ItemOperation.Kind.allCases.map(\.rawValue)), isNeverEmpty: true),
                isRequired: true, meaning: "the operations that clients may send"),
            SettingsKey(
                "url", .text(pattern: ConfigurationShape.webPattern), secrecy: .address,
                meaning: "the URL to which edits are sent; required for http, and only for http"),
        ]),
        meaning: "the edits of items that clients may send; only for http and worker")

    /// The policy of a feed.
    private static func policy(changes: [SettingsKey] = changes) -> [SettingsKey] {
        [
            SettingsKey(
                "shared", .boolean, meaning: "whether all clients share the answers",
                standard: FeedPolicy().isShared.description),
            SettingsKey(
                "cache", .table(cache),
                meaning: "how long answers are cached; without the key, they are not cached"),
            SettingsKey(
                "coolDownMs", .integer(0...3_600_000),
                meaning: "ms after a refresh for which an equal refresh gets the same answer",
                standard: FeedPolicy().coolDownMs.description),
            SettingsKey(
                "debounceMs", .integer(0...QueryChange.debounceMsMax),
                meaning: "ms for which a new query waits for a further one",
                standard: FeedSettings.demo.debounceMs.description),
            SettingsKey(
                "itemKey", FeedKeys.pointer,
                meaning:
                    "JSON pointer to the value that identifies an item in the list, such as /id"),
            SettingsKey(
                "sectionKey", FeedKeys.pointer,
                meaning: "JSON pointer to the value that names the section of an item, such as /day"
            ),
            SettingsKey(
                "changes", .table(changes),
                meaning: "when sessions refresh after a change of the feed"),
            SettingsKey(
                "cluster", .boolean,
                meaning:
                    "whether the nodes of a cluster share the loads and the changes of the feed",
                standard: FeedPolicy().isClustered.description),
        ]
    }

    /// The broker's policy for a backend.
    private static let broker = [
        SettingsKey(
            "calls", .integer(1...10_000),
            meaning: "maximum number of concurrent calls of the backend",
            standard: BackendPolicy().calls.description),
        SettingsKey(
            "queue", .integer(0...100_000),
            meaning: "maximum number of loads that wait until a call ends",
            standard: BackendPolicy().queue.description),
        SettingsKey("retry", .table(retry), meaning: "how failed calls are retried"),
        SettingsKey(
            "breaker", .table(breaker),
            meaning: "when calls to a failing backend are suspended for a while"),
    ]

    private static let stream = SettingsKey(
        "url", .text(pattern: ConfigurationShape.webPattern), secrecy: .address,
        meaning: "the URL of a stream of server-sent events that report what has changed")

    private static let changes: [SettingsKey] = {
        let standard = FeedPolicy.Changes()
        return [
            SettingsKey(
                "spreadMs", .integer(0...600_000),
                meaning: "ms over which the refreshes of the sessions are spread; 0: at once",
                standard: standard.spreadMs.description),
            SettingsKey(
                "perSecondMax", .integer(0...1_000_000),
                meaning:
                    "maximum number of sessions that begin their refresh in one second; "
                    + "0: any number",
                standard: standard.perSecondMax.description),
        ]
    }()

    private static let dayMs = 86_400_000

    private static let cache: [SettingsKey] = {
        let standard = FeedPolicy.Cache(lifetimeMs: 1)
        return [
            SettingsKey(
                "lifetimeMs", .integer(1...dayMs), isRequired: true,
                meaning: "ms for which an answer is fresh, unless it states its own lifetime"),
            SettingsKey(
                "staleMs", .integer(0...dayMs),
                meaning:
                    "ms for which an answer that is no longer fresh may be used while a new one is "
                    + "fetched",
                standard: standard.staleMs.description),
            SettingsKey(
                "failureMs", .integer(0...60_000),
                meaning: "ms for which a failure is returned again without a call",
                standard: standard.failureMs.description),
        ]
    }()

    private static let retry: [SettingsKey] = {
        let standard = BackendPolicy.Retry()
        return [
            SettingsKey(
                "attempts", .integer(1...10), meaning: "maximum number of calls for one load",
                standard: standard.attempts.description),
            SettingsKey(
                "baseMs", .integer(1...60_000),
                meaning: "the delay before attempt n+1 is random, from 0 to the smaller of capMs "
                    + "and baseMs times 2 to the n-1; ms",
                standard: standard.baseMs.description),
            SettingsKey(
                "capMs", .integer(1...60_000), meaning: "the maximum delay; ms",
                standard: standard.capMs.description),
            SettingsKey(
                "budgetPercent", .integer(0...100),
                meaning: "maximum number of retries, in percent of the first calls of loads; ten "
                    + "more retries are permitted",
                standard: standard.budgetPercent.description),
        ]
    }()

    private static let breaker: [SettingsKey] = {
        let standard = BackendPolicy.Breaker()
        return [
            SettingsKey(
                "failures", .integer(0...1000),
                meaning: "number of consecutive failures after which calls are suspended; 0: never",
                standard: standard.failures.description),
            SettingsKey(
                "openMs", FeedKeys.timeout,
                meaning: "ms for which calls are suspended; then one call is a probe, and each "
                    + "failed probe doubles the time, up to ten times openMs",
                standard: standard.openMs.description),
        ]
    }()
}
