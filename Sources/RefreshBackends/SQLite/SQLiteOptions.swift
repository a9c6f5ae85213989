package import RefreshBroker
package import RefreshProtocol

/// The configuration of a feed of kind `sqlite`. Source: docs/backends.md, "sqlite".
package struct SQLiteOptions: Hashable, Sendable {
    /// The database path as configured.
    package var path: String
    /// The folder in which a relative `path` starts, and which the path must not leave. If the
    /// folder is nil, the path is used as it is.
    package var folder: String?
    /// The query: one read-only statement.
    package var query: String
    /// One statement whose first value is the total number of items; nil if the total is not
    /// computed.
    package var count: String?
    /// The columns that order the result, for cursor paging.
    package var after: [String] = []
    /// The parameters that the feed declares.
    package var parameters: [FeedParameter] = []
    package var paging = PagingStyle.page
    /// The `page` or `offset` of the first request. Nil means the default: 1 for the style `page`,
    /// and 0 for other styles.
    package var first: Int?
    /// The time limit of a query in milliseconds, 1...600,000. A longer query is interrupted.
    package var timeoutMs = 5000
    /// The maximum size of all items of a page together in bytes, 1,024...1,073,741,824.
    package var responseBytesMax = 1_048_576

    package init(path: String, folder: String? = nil, query: String) {
        self.path = path
        self.folder = folder
        self.query = query
    }

    /// The parameter names that every query may use in addition to those that the feed declares.
    static let requestNames = ["size", "offset", "page", "kind", "subject"]

    /// The prefix of the names of the cursor's parameters. The parameter `after_x` has the value of
    /// the column `x` in the last row of the previous page.
    static let afterPrefix = "after_"

    /// Checks that the values of the configuration keys are valid and consistent. The statements
    /// are checked against the database when they are prepared.
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
                    : "It applies to paging by cursor only.")
        }
        guard Set(after).count == after.count, !after.contains("") else {
            throw BackendConfigurationError("after", "A column name is empty or occurs twice.")
        }
        for name in parameters.map(\.name)
        where Self.requestNames.contains(name) || name.hasPrefix(Self.afterPrefix) {
            throw BackendConfigurationError(
                "parameters", "`\(name)` is a reserved name in a query.")
        }
    }
}
