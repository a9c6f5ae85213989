package import RefreshProtocol

/// What a backend is asked for: all that distinguishes one answer from another, and nothing else, so
/// that equal requests may share one flight.
package struct LoadRequest: Hashable, Sendable {
    /// The feed's name in the configuration.
    package var feed: String
    package var kind: LoadKind
    package var page: Int
    /// The offset of the first item wanted, in the numbering of the feed's paging style.
    package var offset: Int
    /// Items wanted.
    package var size: Int
    package var cursor: String?
    /// Sorted by name.
    package var parameters: [Parameter]

    package init(
        feed: String, kind: LoadKind, page: Int, offset: Int, size: Int, cursor: String? = nil,
        parameters: [Parameter] = []
    ) {
        self.feed = feed
        self.kind = kind
        self.page = page
        self.offset = offset
        self.size = size
        self.cursor = cursor
        self.parameters = parameters.sorted { $0.name < $1.name }
    }
}
