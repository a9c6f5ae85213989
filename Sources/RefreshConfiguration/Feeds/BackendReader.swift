internal import RefreshBackends

/// Reads the settings that belong to one kind of backend.
enum BackendReader {
    static func backend(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> BackendSettings? {
        switch section.kind {
        case .demo: .demo
        case .file: file(section, with: &reader).map { .file($0) }
        case .http: HTTPReader.settings(section, of: feed, with: &reader).map { .http($0) }
        case .exec: ExecReader.options(section, with: &reader).map { .exec($0) }
        case .worker: .worker(worker(section, of: feed, with: &reader))
        case .sqlite: SQLiteReader.options(section, of: feed, with: &reader).map { .sqlite($0) }
        case .script: ScriptReader.options(section, of: feed, with: &reader).map { .script($0) }
        }
    }

    /// Reads the settings of a `file` backend. Source: docs/backends.md, "file".
    private static func file(
        _ section: FeedSection, with reader: inout SettingsReader
    ) -> FileSettings? {
        let settings = section.settings
        let path = reader.path("path", in: settings)
        let format: FileFormat? = reader.choice("format", in: settings)
        let bytes = reader.integer("bytesMax", in: settings)
        guard let path else { return nil }
        if !section.isPart, settings["format"] == nil, FileFormat(extensionOf: path) == nil {
            reader.report(
                "`format` is missing; the extension of `\(path)` does not name one",
                key: settings.path, at: settings.node)
        }
        var file = FileSettings(path: path, folder: section.folder.absolute, format: format)
        file.bytesMax = bytes ?? file.bytesMax
        return reader.checked(file, in: section) { file throws(BackendConfigurationError) in
            _ = try ConfinedPath(file.path, in: file.folder)
        }
    }

    private static func worker(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> WorkerOptions {
        var options = WorkerOptions(feeds: [feed.name])
        options.lineBytesMax = reader.answerBytes(
            "lineBytesMax", in: section, standard: options.lineBytesMax)
        let settings = section.settings
        guard reader.boolean("bus", in: settings) == true else { return options }
        options.busFeeds = options.feeds
        if reader.boolean("cluster", in: settings) == false {
            reader.report(
                "`bus: true` cannot be combined with `cluster: false`", key: settings.path,
                at: settings.node)
        }
        return options
    }
}
