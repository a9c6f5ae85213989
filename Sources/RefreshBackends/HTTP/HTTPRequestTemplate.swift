internal import RefreshBroker
internal import RefreshProtocol

/// The parts that all requests of a backend have in common, and the places for the values of a
/// load.
struct HTTPRequestTemplate: Sendable {
    /// The maximum length of a URL in bytes. Few servers accept longer URLs, and libcurl rejects
    /// some of them.
    private static let urlBytesMax = 65_536

    let url: URLTemplate
    private let body: BodyTemplate?
    private let options: HTTPOptions
    /// The headers of every request.
    private let headers: [HeaderField]

    /// Creates a template. `parameters` are the names that the feed declares.
    init(
        url: String, parameters: [String], options: HTTPOptions
    ) throws(BackendConfigurationError) {
        self.url = try URLTemplate(url, parameters: parameters)
        self.options = options
        var headers = options.headers
        func add(_ name: String, _ value: String) {
            guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
            else { return }
            headers.append(HeaderField(name: name, value: value))
        }
        add("Accept", "application/json")
        switch options.method {
        case .get:
            body = nil
        case .post:
            body = try BodyTemplate(options.body ?? Array("{}".utf8), parameters: parameters)
            add("Content-Type", "application/json")
        }
        self.headers = headers
    }

    /// Returns the request for a call. Throws `backendRejected` if a value is not allowed in the
    /// path or in a header, or if the values make the URL too long.
    func request(for call: BackendCall) throws(LoadFailure) -> HTTPRequest {
        guard let url = url.url(for: call.request) else {
            throw LoadFailure(.backendRejected, "A value is not allowed in the backend's path.")
        }
        guard url.utf8.count <= Self.urlBytesMax else {
            throw LoadFailure(.backendRejected, "The values make the URL too long.")
        }
        var headers = headers
        headers += try options.forwarded(call.request.headers)
        if !call.idempotencyKey.isEmpty, HTTPHeaderRules.isValue(call.idempotencyKey) {
            headers.append(HeaderField(name: "Idempotency-Key", value: call.idempotencyKey))
        }
        return HTTPRequest(
            method: options.method, url: url, body: body?.bytes(for: call.request),
            headers: headers, timeoutMs: options.totalTimeoutMs)
    }

    /// Returns the client's headers to forward, each once.
    func forwarded(_ request: LoadRequest) -> [HeaderField] {
        options.forward.compactMap { name in
            let given = request.headers.first { $0.name == name }
            return given.map { HeaderField(name: name, value: $0.value) }
        }
    }
}
