internal import RefreshProtocol

/// Posts JSON to one address of the configuration, and takes what comes back, whatever it is.
///
/// As careful as the `http` backend, whose calls it makes: no redirects, no proxy, nothing of the
/// environment, a bounded answer, and one thread for all calls. Cancelling the task aborts the
/// call.
package struct HTTPPost: Sendable {
    /// An answer of the server.
    package struct Answer: Sendable {
        package var status: Int
        /// Unpacked; empty unless the status is 2xx.
        package var body: [UInt8]
    }

    private let url: String
    private let transfers: CurlTransfers

    /// Throws what is wrong with the configuration: a URL that holds anything but scheme, host,
    /// path and query, or a file of certificates that cannot be used. `ca` nil: the system's
    /// certificates.
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
        guard let transfers = CurlTransfers(options: options) else {
            throw BackendConfigurationError("url", "libcurl could not be started.")
        }
        self.url = url
        self.transfers = transfers
    }

    /// The same without starting anything.
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

    /// Asks once, for at most `timeoutMs` (1...). Throws when there is no answer, or none that may
    /// be read.
    package func answer(to json: [UInt8], timeoutMs: Int) async throws(LoadFailure) -> Answer {
        let answer = try await transfers.answer(
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
