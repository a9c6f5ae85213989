package import RefreshProtocol

/// What a client sends in each `hello`. Source: docs/protocol.md, "hello".
public struct ClientConfiguration: Hashable, Sendable {
    /// The name and version of the app, for the logs of the daemon.
    public var client: String
    /// The views with which the client begins.
    public var views: [ViewDescription]
    /// The features that the app uses: `query`, `unread`, `patch`, `live`, `edits` and
    /// `visibleRange`. Nil: the daemon uses nothing that came with features. With `patch`, a
    /// refresh sends only what differs from the list. With `patch` and `live`, items change without
    /// a refresh. With `patch`, `live` and `edits`, the user changes the list. With `visibleRange`,
    /// a long list is loaded where the user looks.
    public var features: [String]?
    /// Headers for the backends, if the daemon forwards them.
    public var headers: [String: String]
    /// Whether the daemon reports input that it ignores.
    public var diagnostics: Bool
    /// The views that request their first page in each new session.
    public var refreshedViews: [String] {
        didSet { firstMessages = Self.refreshes(of: refreshedViews) }
    }
    /// The messages with which each new session begins.
    package var firstMessages: [JSONValue]

    /// Creates a configuration.
    public init(
        client: String, views: [ViewDescription] = [], features: [String]? = nil,
        headers: [String: String] = [:], diagnostics: Bool = false, refreshedViews: [String] = []
    ) {
        self.client = client
        self.views = views
        self.features = features
        self.headers = headers
        self.diagnostics = diagnostics
        self.refreshedViews = refreshedViews
        firstMessages = Self.refreshes(of: refreshedViews)
    }

    private static func refreshes(of views: [String]) -> [JSONValue] {
        views.map { .object([.init("type", .string("refresh")), .init("view", .string($0))]) }
    }
}
