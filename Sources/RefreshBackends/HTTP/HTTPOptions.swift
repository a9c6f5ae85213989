internal import RefreshBroker
package import RefreshProtocol

/// The configuration of the `http` backend: its requests, and the places of the fields in an
/// answer. The members have the names of the configuration keys. Source: docs/backends.md, "http".
package struct HTTPOptions: Hashable, Sendable {
    package enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// The place of the next page's cursor.
    package enum Next: Hashable, Sendable {
        case pointer(JSONPointer)
        /// The target of `rel="next"` in the header `Link` (RFC 8288).
        case link
    }

    package var method = Method.get
    /// The body of a `POST`. It is JSON whose strings may contain placeholders, and whose numbers
    /// keep their source form. If it is nil, the body is `{}`.
    package var body: [UInt8]?
    /// The headers of every request, in the order of the configuration. Their names may contain
    /// upper-case letters.
    package var headers: [HeaderField] = []
    /// The lower-case names of the headers that clients may supply.
    package var forward: [String] = []

    /// The place of the items. If it is nil, the answer is the array, or an object with the array
    /// `items`.
    package var items: JSONPointer?
    /// The place of the value `more`. If `more`, `next` or `total` is nil, the answer's field with
    /// that name is used.
    package var more: JSONPointer?
    package var next: Next?
    package var total: JSONPointer?
    /// The name of the query parameter with the cursor, if the value at `next` is a URL. Nil if the
    /// value at `next` is the cursor itself.
    package var nextParameter: String?

    /// The URL of a stream of changes; nil for none.
    package var changes: String?

    /// Whether an answer's `ETag` is sent with the next equal request.
    package var etag = false
    /// The maximum number of redirects, 0...5. Only redirects to the same scheme, host and port are
    /// followed.
    package var redirects = 0
    /// Whether HTTP/2 is used if TLS negotiates it.
    package var http2 = true
    /// The path of a PEM file with the trusted certificates; nil for those of the system.
    package var ca: String?
    /// The proxy as `http://HOST:PORT` or `socks5h://HOST:PORT`; nil for none. Environment
    /// variables are always ignored.
    package var proxy: String?
    /// The time limit for name resolution, TCP and TLS together, in milliseconds, 1...600,000.
    package var connectTimeoutMs = 2_000
    /// The time limit for the whole call including redirects, in milliseconds, 1...600,000.
    package var totalTimeoutMs = 10_000
    /// The maximum size of a decompressed body in bytes, 1024...1,073,741,824. The transfer of a
    /// larger body is aborted while the body arrives.
    package var responseBytesMax = 1_048_576

    /// The URL to which edits are sent, without placeholders; nil if the feed accepts none.
    package var editURL: String?

    package init() {}

    /// Throws an error for the first key with an invalid value.
    package func check() throws(BackendConfigurationError) {
        try checkRanges()
        guard body == nil || method == .post else {
            throw BackendConfigurationError("body", "Only a POST can have a body.")
        }
        try HTTPHeaderRules.check(headers: headers, forward: forward)
        if let nextParameter, nextParameter.isEmpty {
            throw BackendConfigurationError("nextParameter", "It must name a query parameter.")
        }
        if let proxy, !CurlURL.isProxy(proxy) {
            throw BackendConfigurationError(
                "proxy", "It must be http://HOST:PORT or socks5h://HOST:PORT.")
        }
        if let changes { try Self.check(changes: changes) }
        if let ca { try CertificateFile.check(ca) }
        if let editURL {
            do throws(BackendConfigurationError) {
                try HTTPPost.check(url: editURL, ca: nil)
            } catch {
                throw BackendConfigurationError("edits.url", error.message)
            }
        }
    }

    private static func check(changes url: String) throws(BackendConfigurationError) {
        let key = "changes.url"
        guard !url.contains(where: { "{}".contains($0) }) else {
            throw BackendConfigurationError(key, "It cannot have placeholders.")
        }
        do throws(BackendConfigurationError) {
            _ = try URLTemplate(url, parameters: [])
        } catch {
            throw BackendConfigurationError(key, error.message)
        }
        guard CurlURL.isValid(url) else {
            throw BackendConfigurationError(key, "The URL cannot be read.")
        }
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

/// A file with trusted certificates.
package enum CertificateFile {
    /// Throws an error unless the file is readable and looks like PEM, because a feed should not
    /// start without any trusted certificate.
    package static func check(_ path: String) throws(BackendConfigurationError) {
        let mark = Array("-----BEGIN CERTIFICATE-----".utf8)
        let content: FileContent?
        do throws(LoadFailure) {
            content = try FileContent.read(path, bytesMax: 16_777_216)
        } catch {
            throw BackendConfigurationError("ca", error.message)
        }
        guard let content else { throw BackendConfigurationError("ca", "There is no such file.") }
        let lines = content.bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.contains(where: { $0.starts(with: mark) }) else {
            throw BackendConfigurationError("ca", "The file contains no certificate in PEM.")
        }
    }
}
