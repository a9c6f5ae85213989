internal import CCurl
internal import RefreshProtocol

/// Items from an HTTP API, asked by `GET`.
///
/// One thread of libcurl's multi interface a backend; connections are kept and used again.
/// Cancelling the task aborts the transfer at once. Which host is asked is the configuration's word
/// alone: clients choose values inside path and query, see `URLTemplate`. Source: docs/backends.md,
/// "http".
package struct HTTPBackend: Backend {
    private let template: URLTemplate
    private let transfers: CurlTransfers

    /// Throws what is wrong with the configuration; `parameters` are those that the feed declares.
    package init(
        url: String, parameters: [String] = [], options: HTTPOptions = HTTPOptions()
    ) throws(BackendConfigurationError) {
        try options.check()
        let template = try URLTemplate(url, parameters: parameters)
        let probe = LoadRequest(feed: "", kind: .refresh, page: 1, offset: 0, size: 1)
        guard let example = template.url(for: probe), CurlURL.isValid(example) else {
            throw BackendConfigurationError("url", "The URL cannot be read.")
        }
        guard let transfers = CurlTransfers(options: options, isSecure: template.isSecure) else {
            throw BackendConfigurationError("url", "libcurl could not be started.")
        }
        self.template = template
        self.transfers = transfers
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let request = call.request
        guard let url = template.url(for: request) else {
            throw LoadFailure(.backendRejected, "A value does not fit the backend's path.")
        }
        return try await transfers.get(url).page()
    }
}
