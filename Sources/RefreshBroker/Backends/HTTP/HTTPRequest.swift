internal import RefreshProtocol

/// One request as it goes out, whole.
struct HTTPRequest: Hashable, Sendable {
    var method: HTTPOptions.Method
    var url: String
    /// Of a `POST`.
    var body: [UInt8]?
    /// Names and values as on the wire; no value holds control characters.
    var headers: [HeaderField]
    /// The whole transfer, milliseconds, 1...
    var timeoutMs: Int

    /// Becomes the request that a redirect of `status` asks for. RFC 9110, 15.4: all but 307 and
    /// 308 turn a `POST` into a `GET`.
    mutating func redirect(_ status: Int, to url: String) {
        self.url = url
        guard status != 307, status != 308 else { return }
        method = .get
        body = nil
        headers.removeAll { $0.name.lowercased() == "content-type" }
    }
}
