package import RefreshBroker
internal import RefreshProtocol

/// Posts JSON to one configured URL, and returns the answer, whatever its status.
///
/// It uses the transfers of the `http` backend, with the default options: it follows no redirects,
/// and uses no proxy and no environment variables. The size of an answer is limited, and one thread
/// of its own performs all calls. If the task of a call is cancelled, the call is aborted.
package struct HTTPPost: Sendable {
    /// A response of the server.
    package struct Answer: Sendable {
        package var status: Int
        /// The decompressed body. It is empty unless the status is 2xx.
        package var body: [UInt8]
    }

    private let url: String
    private let client: HTTPClientUse

    /// Throws a configuration error if the URL has parts other than scheme, host, path and query,
    /// or if the certificate file cannot be used. If `ca` is nil, the system's certificates are
    /// trusted.
    package init(
        url: String, ca: String?, timeoutMs: Int, answerBytesMax: Int
    ) throws(BackendConfigurationError) {
        try Self.check(url: url, ca: ca)
        var options = HTTPOptions()
        options.method = .post
        options.ca = ca
        options.connectTimeoutMs = timeoutMs
        options.totalTimeoutMs = timeoutMs
        options.responseBytesMax = answerBytesMax
        try options.check()
        guard let client = HTTPClient() else {
            throw BackendConfigurationError("url", "libcurl could not be started.")
        }
        self.url = url
        self.client = HTTPClientUse(client: client, options: options)
    }

    /// Checks the URL and the certificate file as `init` does, but starts nothing.
    package static func check(url: String, ca: String?) throws(BackendConfigurationError) {
        guard !url.contains("{"), !url.contains("}") else {
            throw BackendConfigurationError("url", "The URL has no placeholders.")
        }
        _ = try URLTemplate(url, parameters: [])
        guard CurlURL.origin(of: url) != nil else {
            throw BackendConfigurationError("url", "The URL cannot be read.")
        }
        if let ca { try CertificateFile.check(ca) }
    }

    /// Sends the request once. `timeoutMs` limits the time until the answer; the minimum is 1.
    /// Throws if no answer arrives, or if the answer cannot be read.
    package func answer(to json: [UInt8], timeoutMs: Int) async throws(LoadFailure) -> Answer {
        let answer = try await client.answer(
            to: HTTPRequest(
                method: .post, url: url, body: json,
                headers: [
                    HeaderField(name: "Content-Type", value: "application/json"),
                    HeaderField(name: "Accept", value: "application/json"),
                ],
                timeoutMs: max(1, timeoutMs)))
        return Answer(status: answer.status, body: answer.body)
    }
}
