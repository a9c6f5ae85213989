internal import RefreshBroker

/// Reads the keys of a backend's kind.
enum BackendReader {
    static func backend(
        _ kind: BackendKind, _ section: FeedSection, of feed: FeedInput,
        with reader: inout SettingsReader
    ) -> BackendSettings? {
        switch kind {
        case .demo: .demo
        case .file: FileReader.settings(section, with: &reader).map { .file($0) }
        case .http: HTTPReader.settings(section, of: feed, with: &reader).map { .http($0) }
        case .exec: ExecReader.options(section, with: &reader).map { .exec($0) }
        case .worker: .worker(worker(section, of: feed, with: &reader))
        case .sqlite: SQLiteReader.options(section, of: feed, with: &reader).map { .sqlite($0) }
        case .script: ScriptReader.options(section, of: feed, with: &reader).map { .script($0) }
        }
    }

    private static func worker(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> WorkerOptions {
        var options = WorkerOptions(feeds: [feed.name])
        options.lineBytesMax = reader.answerBytes(
            "lineBytesMax", in: section, standard: options.lineBytesMax)
        return options
    }
}

/// Reads the settings of a `file` backend. Source: docs/backends.md, "file".
enum FileReader {
    static func settings(
        _ section: FeedSection, with reader: inout SettingsReader
    ) -> FileSettings? {
        let path = reader.requiredPath("path", in: section)
        let format = reader.choice("format", in: section.settings, among: FileFormat.allCases)
        let bytes = reader.integer("bytesMax", in: section.settings, 1024...1_073_741_824)
        guard let path else { return nil }
        if !section.isPart, section.settings["format"] == nil, FileFormat(extensionOf: path) == nil
        {
            reader.report(
                "`format` is missing; the extension of `\(path)` does not name one",
                key: section.settings.path, at: section.node)
        }
        var settings = FileSettings(path: path, folder: section.folder.absolute, format: format)
        settings.bytesMax = bytes ?? settings.bytesMax
        return reader.checked(settings, in: section) { settings throws(BackendConfigurationError) in
            _ = try ConfinedPath(settings.path, in: settings.folder)
        }
    }
}
