internal import RefreshBroker
internal import RefreshProtocol
internal import WebClient

/// Makes the backends of the configured feeds; what several feeds share is made once.
struct BackendMaker {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }

    /// The backend of a feed of the configuration.
    mutating func backend(
        of feed: FeedSettings
    ) throws(BackendConfigurationError) -> any Backend {
        switch feed.backend {
        case .demo:
            return try DemoBackend(
                statusFile: configuration.packageStatusFile, fallback: WebClient.packagesJSON,
                paging: feed.paging, firstPage: feed.first)
        case .file(let settings):
            return try FileBackend(
                path: settings.path, folder: settings.folder, format: settings.format,
                paging: feed.paging, firstPage: feed.first, bytesMax: settings.bytesMax,
                answerBytesMax: configuration.limits.backendResponseBytesMax)
        case .http(let settings):
            return try HTTPBackend(
                url: settings.url, parameters: feed.parameters.map(\.name),
                options: settings.options)
        case .script(let options):
            return try ScriptBackend(options)
        case .sqlite, .exec, .worker:
            throw BackendConfigurationError("backend", "It is not built yet.")
        }
    }
}
