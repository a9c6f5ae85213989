internal import RefreshBackends
package import RefreshBroker
package import RefreshProtocol

/// The configuration of a feed.
package struct FeedSettings: Hashable, Sendable {
    package var name: String
    /// The group of the feed. The feeds of a group share one `BackendPolicy`, and with it one limit
    /// of calls, one queue, one budget of retries and one circuit breaker. `policy` is not shared.
    /// If the feed uses an entry of `backends`, the group has the name of that entry. Otherwise the
    /// group has the name of the feed.
    package var group: String
    package var backend: BackendSettings
    /// The parameters that a client may pass in addition to the requested position.
    package var parameters: [FeedParameter] = []
    /// Lower-case names of headers that clients may pass to the backend.
    package var forward: [String] = []
    package var paging: PagingStyle
    /// The number of the first page, or the first offset: 0 or 1.
    package var first: Int
    /// The number of items of a page.
    package var size: Int
    package var policy = FeedPolicy()
    /// The place of the value in each item that names its section; nil without sections.
    package var sectionKey: JSONPointer?
    /// The time in milliseconds for which a new query waits for a further query. Only the last of
    /// them begins a load.
    package var debounceMs = 0
    /// The place of the feed in the configuration file; nil for a built-in feed of the demo.
    package var location: ConfigurationProblem.Location?

    /// If `group` is nil, the feed does not share its backend.
    package init(
        name: String, group: String? = nil, backend: BackendSettings, paging: PagingStyle,
        first: Int? = nil, size: Int
    ) {
        self.name = name
        self.group = group ?? name
        self.backend = backend
        self.paging = paging
        self.first = first ?? Self.standardFirst(paging)
        self.size = size
    }

    /// The default of `first`.
    static func standardFirst(_ paging: PagingStyle) -> Int { paging == .page ? 1 : 0 }

    /// The default number of items of a page.
    static func standardSize(_ kind: BackendKind) -> Int { kind == .demo ? demo.size : 20 }

    /// The feed of the demo page: the packages installed on this machine.
    package static let demo = FeedSettings(
        name: "packages", backend: .demo, paging: .page, size: 50)

    /// The feed of the second demo page: a list that can be searched and that changes.
    package static let uploads: FeedSettings = {
        var feed = FeedSettings(name: "uploads", backend: .uploads, paging: .page, size: 10)
        feed.parameters = ["q", "section", FeedParameter("urgent", .boolean), "sort"]
        feed.policy.isShared = true
        feed.policy.cache = FeedPolicy.Cache(lifetimeMs: 60_000, staleMs: 600_000)
        feed.policy.itemKey = JSONPointer("/id")
        return feed
    }()

    /// The feed of the demo's board: cards that clients add, move and remove.
    package static let board: FeedSettings = {
        var feed = editable("cards", .board, [.insert, .move, .remove])
        feed.sectionKey = JSONPointer("/list")
        return feed
    }()

    /// The feed of the demo's chat.
    package static let messages = editable("messages", .messages, [.insert, .remove])

    private static func editable(
        _ name: String, _ kind: DemoListBackend.Kind, _ edits: Set<ItemOperation.Kind>
    ) -> FeedSettings {
        var feed = FeedSettings(name: name, backend: .demoList(kind), paging: .page, size: 20)
        feed.policy.isShared = true
        feed.policy.itemKey = JSONPointer("/id")
        feed.policy.edits = edits
        // Each node has a list of its own.
        feed.policy.isClustered = false
        return feed
    }

    /// The feed of the demo's log: a long list with random access.
    package static let log: FeedSettings = {
        var feed = FeedSettings(name: "log", backend: .demoLog, paging: .offset, size: 50)
        feed.policy.isShared = true
        feed.policy.itemKey = JSONPointer("/id")
        return feed
    }()

    /// The feeds that the demo adds to the configuration.
    package static let demoFeeds = [demo, uploads, board, messages, log]
}
