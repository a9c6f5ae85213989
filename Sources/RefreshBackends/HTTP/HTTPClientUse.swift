internal import RefreshBroker
internal import RefreshProtocol

/// The use of an HTTP client by one backend: its requests and its stream of changes.
final class HTTPClientUse: Sendable {
    private let client: HTTPClient
    private let options: HTTPOptions
    /// Nil if the backend has no stream of changes.
    private let changes: ChangeStreamReporter?

    /// Opens the stream of changes, if the options have one. `changes` receives it.
    init(client: HTTPClient, options: HTTPOptions, changes: ChangeStreamReporter? = nil) {
        self.client = client
        self.options = options
        var stream: ChangeStream?
        if let url = options.changes, let changes {
            stream = ChangeStream(
                url: url, options: options, reporter: changes, seed: .random(in: .min ... .max),
                at: MonotonicTime.now)
        }
        self.changes = stream == nil ? nil : changes
        client.addBackend(stream)
    }

    deinit {
        stopStream()
        client.removeBackend()
    }

    /// Ends the stream of changes, without waiting.
    func stopStream() {
        if let changes { client.endStream(of: changes) }
    }

    /// Sends the request once. Throws if the server sends no complete answer.
    func answer(to request: HTTPRequest) async throws(LoadFailure) -> HTTPAnswer {
        try await client.answer(to: request, options: options)
    }
}
