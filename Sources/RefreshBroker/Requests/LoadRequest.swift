package import RefreshProtocol

/// What a backend is asked for: all of it that may make one answer another, and `trigger`. Requests
/// that are equal but for that share one call, and one kept answer. Texts are equal by their bytes.
package struct LoadRequest: Hashable, Sendable {
    /// The feed's name in the configuration.
    @Bytewise package var feed: String
    package var kind: LoadKind
    /// What began the load: no answer may depend on it.
    package var trigger: LoadTrigger
    package var page: Int
    /// The offset of the first item wanted, in the numbering of the feed's paging style.
    package var offset: Int
    /// Items wanted.
    package var size: Int
    @Bytewise package var cursor: String?
    /// Sorted by name.
    package var parameters: [LoadParameter]
    /// Those that the feed forwards, sorted by name.
    package var headers: [HeaderField]
    /// Who asks, where the session is authenticated. The broker takes it out for a shared feed.
    @Bytewise package var subject: String?

    package init(
        feed: String, kind: LoadKind, trigger: LoadTrigger = .manual, page: Int, offset: Int,
        size: Int, cursor: String? = nil, parameters: [LoadParameter] = [],
        headers: [HeaderField] = [], subject: String? = nil
    ) {
        self.feed = feed
        self.kind = kind
        self.trigger = trigger
        self.page = page
        self.offset = offset
        self.size = size
        self.cursor = cursor
        self.parameters = parameters.sorted { $0.name < $1.name }
        self.headers = headers.sorted { $0.name < $1.name }
        self.subject = subject
    }

    /// The value of a parameter; nil if the client gave none.
    package func value(of parameter: String) -> ParameterValue? {
        parameters.first { $0.name.hasBytes(of: parameter) }?.value
    }
}
