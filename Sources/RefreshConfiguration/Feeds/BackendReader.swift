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
