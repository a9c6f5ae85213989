package import RefreshProtocol

/// How the `http` backend talks to its server, and where an answer holds what. All of it comes from
/// the configuration; keys are named as there. Source: docs/backends.md, "http".
package struct HTTPOptions: Hashable, Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// Where the next page's cursor stands.
    package enum Next: Hashable, Sendable {
        case pointer(JSONPointer)
        /// The target of `rel="next"` in the header `Link` (RFC 8288).
        case link
    }

    package var method = Method.get
    /// Of a `POST`: JSON whose strings may hold placeholders, its numbers as they were written;
    /// nil: `{}`.
    package var body: [UInt8]?
    /// Headers of every request, names in any case, in the order of the configuration.
    package var headers: [HeaderField] = []
    /// Lower-case names of the headers that clients may give.
    package var forward: [String] = []

    /// Nil: the answer is the array, or an object with the array `items`.
    package var items: JSONPointer?
    /// Nil: the field `more`. Likewise `next` and `total`.
    package var more: JSONPointer?
    package var next: Next?
    package var total: JSONPointer?
    /// Nil: what `next` gives is the cursor; else a URL whose query has it under this name.
    package var nextParameter: String?

    /// Whether an answer's `ETag` is sent with the next equal request.
    package var etag = false
    /// How many redirects are followed, to the same scheme, host and port only, 0...5.
    package var redirects = 0
    /// Whether HTTP/2 is spoken where TLS offers it.
    package var http2 = true
    /// Path of a PEM file of the certificates to trust; nil: the system's.
    package var ca: String?
    /// `http://HOST:PORT` or `socks5h://HOST:PORT`; nil: none. The environment is ignored either
    /// way.
    package var proxy: String?
    /// Name resolution, TCP and TLS together, milliseconds, 1...600,000.
    package var connectTimeoutMs = 2_000
    /// The whole call with its redirects, milliseconds, 1...600,000.
    package var totalTimeoutMs = 10_000
    /// Bytes of a body once it is unpacked, 1024...1,073,741,824; a larger one is cut off while it
    /// comes in.
    package var responseBytesMax = 1_048_576

    package init() {}

    /// Throws the first key whose value cannot work.
    package func check() throws(BackendConfigurationError) {
        try checkRanges()
        guard body == nil || method == .post else {
            throw BackendConfigurationError("body", "Only a POST has a body.")
        }
        try HTTPHeaderRules.check(headers: headers, forward: forward)
        if let nextParameter, nextParameter.isEmpty {
            throw BackendConfigurationError("nextParameter", "It must name a query parameter.")
        }
        if let proxy, !CurlURL.isProxy(proxy) {
            throw BackendConfigurationError(
                "proxy", "It must be http://HOST:PORT or socks5h://HOST:PORT.")
        }
        if let ca { try CertificateFile.check(ca) }
    }

    private func checkRanges() throws(BackendConfigurationError) {
        let ranges = [
            ("redirects", redirects, 0...5),
            ("connectTimeoutMs", connectTimeoutMs, 1...600_000),
            ("totalTimeoutMs", totalTimeoutMs, 1...600_000),
            ("responseBytesMax", responseBytesMax, 1024...1_073_741_824),
        ]
        for (key, value, range) in ranges where !range.contains(value) {
            throw BackendConfigurationError(
                key, "It must be \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
