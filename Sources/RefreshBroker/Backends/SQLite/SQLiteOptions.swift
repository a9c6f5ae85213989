package import RefreshProtocol

/// What a feed of kind `sqlite` is configured with. Source: docs/backends.md, "sqlite".
package struct SQLiteOptions: Hashable, Sendable {
    /// The database, as the configuration names it.
    package var path: String
    /// Where a relative `path` begins, and what it cannot leave; nil: it is taken as it is.
    package var folder: String?
    /// One statement that only reads.
    package var query: String
    /// One statement whose first value is the total; nil: nobody counts.
    package var count: String?
    /// Columns of the result that order it, for cursor paging.
    package var after: [String] = []
    /// Those that the feed declares.
    package var parameters: [FeedParameter] = []
    package var paging = PagingStyle.page
    /// What the first request's `page` or `offset` is; nil: 1 for style `page`, else 0.
    package var first: Int?
    /// A query is interrupted after so long, milliseconds, 1...600,000.
    package var timeoutMs = 5000
    /// Bytes of a page's items, 1,024...1,073,741,824.
    package var responseBytesMax = 1_048_576

    package init(path: String, folder: String? = nil, query: String) {
        self.path = path
        self.folder = folder
        self.query = query
    }

    /// Names that a query may use whatever the feed declares.
    static let requestNames = ["size", "offset", "page", "kind", "subject"]

    /// Begins the name under which a query gets a value of the last row that was seen.
    static let afterPrefix = "after_"

    /// Whether the keys fit together; what the statements say is seen when they are prepared.
    package func check() throws(BackendConfigurationError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw BackendConfigurationError("path", "It must name a file.")
        }
        try SQLiteText.check("query", query)
        if let count { try SQLiteText.check("count", count) }
        try checkNames()
        guard 1...600_000 ~= timeoutMs else {
            throw BackendConfigurationError("timeoutMs", "It must be 1 to 600000.")
        }
        guard 1024...1_073_741_824 ~= responseBytesMax else {
            throw BackendConfigurationError("responseBytesMax", "It must be 1024 to 1073741824.")
        }
    }

    private func checkNames() throws(BackendConfigurationError) {
        guard (paging == .cursor) == !after.isEmpty else {
            throw BackendConfigurationError(
                "after",
                paging == .cursor
                    ? "Paging by cursor needs the columns that order the result."
                    : "Only paging by cursor has use for it.")
        }
        guard Set(after).count == after.count, !after.contains("") else {
            throw BackendConfigurationError("after", "It names a column twice, or none.")
        }
        for name in parameters.map(\.name)
        where Self.requestNames.contains(name) || name.hasPrefix(Self.afterPrefix) {
            throw BackendConfigurationError(
                "parameters", "`\(name)` is the request's own name in a query.")
        }
    }
}
