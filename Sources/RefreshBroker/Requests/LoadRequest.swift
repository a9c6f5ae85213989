package import RefreshProtocol

/// A request to a backend. It contains everything that can affect the answer, and also `trigger`.
/// Requests that differ only in `trigger` share one call and one cached answer. Texts are compared
/// byte by byte.
package struct LoadRequest: Hashable, Sendable {
    /// The feed's name in the configuration.
    @Bytewise package var feed: String
    package var kind: LoadKind
    /// The control that requested the load. No answer may depend on it.
    package var trigger: LoadTrigger
    package var page: Int
    /// The offset of the first requested item, in the numbering of the feed's paging style.
    package var offset: Int
    /// The number of items requested.
    package var size: Int
    @Bytewise package var cursor: String?
    /// The client's parameters, sorted by name.
    package var parameters: [LoadParameter]
    /// The headers that the feed forwards, sorted by name.
    package var headers: [HeaderField]
    /// The subject of an authenticated session. The broker removes it for a shared feed.
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

    /// Returns the value of a parameter, or nil if the client sent none.
    package func value(of parameter: String) -> ParameterValue? {
        parameters.first { $0.name.hasBytes(of: parameter) }?.value
    }
}

/// A client's value for a parameter of a feed, of the type that the feed declares.
package struct LoadParameter: Hashable, Sendable, Codable {
    @Bytewise package var name: String
    package var value: ParameterValue

    package init(name: String, value: ParameterValue) {
        self.name = name
        self.value = value
    }
}
