internal import RefreshProtocol

/// A complete request as it is sent.
struct HTTPRequest: Hashable, Sendable {
    var method: HTTPOptions.Method
    var url: String
    /// The body of a `POST`.
    var body: [UInt8]?
    /// Names and values as sent. No value contains control characters.
    var headers: [HeaderField]
    /// The time limit for the whole transfer, in milliseconds; 0 for a stream, which has none.
    var timeoutMs: Int

    /// Changes the request for a redirect with this status. Source: RFC 9110, 15.4. All statuses
    /// except 307 and 308 turn a `POST` into a `GET`.
    mutating func redirect(_ status: Int, to url: String) {
        self.url = url
        guard status != 307, status != 308 else { return }
        method = .get
        body = nil
        headers.removeAll { $0.name.lowercased() == "content-type" }
    }
}
