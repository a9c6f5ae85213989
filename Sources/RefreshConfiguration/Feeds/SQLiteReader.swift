internal import RefreshBackends

/// Reads the settings of a `sqlite` backend. Source: docs/backends.md, "sqlite".
enum SQLiteReader {
    static func options(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> SQLiteOptions? {
        let problems = reader.problems.count
        let settings = section.settings
        let path = reader.path("path", in: settings)
        let query = reader.string("query", in: settings)
        var options = SQLiteOptions(
            path: path ?? "", folder: section.folder.absolute, query: query ?? "")
        options.count = reader.string("count", in: settings)
        options.after = reader.texts("after", in: settings) ?? options.after
        options.parameters = feed.parameters
        options.paging = feed.paging
        options.first = feed.first
        options.timeoutMs = reader.integer("timeoutMs", in: settings) ?? options.timeoutMs
        options.responseBytesMax = reader.answerBytes(
            "responseBytesMax", in: section, standard: options.responseBytesMax)
        guard path != nil, query != nil, reader.problems.count == problems else { return nil }
        return reader.checked(options, in: section) { options throws(BackendConfigurationError) in
            // If the database exists, the creation of the backend checks the statements.
            _ = try SQLiteBackend(options)
        }
    }
}
