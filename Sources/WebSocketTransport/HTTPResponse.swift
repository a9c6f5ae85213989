/// An answer to a plain HTTP request or to a refused upgrade.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code, 100 to 599.
    package var status: Int
    /// The headers in order, without `content-length` and `connection`, which are the transport's.
    package var headers: [(name: String, value: String)]
    /// The body as sent; a HEAD request is answered without it but with its length.
    package var body: [UInt8]

    /// An answer as given.
    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        self.body = body
    }

    /// A fault in the form that protocol.md gives refusals: `{"code":…,"message":…}`. Both texts
    /// are the daemon's own: letters, digits and plain punctuation, nothing that JSON would escape.
    package static func fault(status: Int, code: StaticString, message: StaticString) -> Self {
        HTTPResponse(
            status: status, headers: [("content-type", "application/json")],
            body: Array("{\"code\":\"\(code)\",\"message\":\"\(message)\"}".utf8))
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        for header in headers {
            hasher.combine(header.name)
            hasher.combine(header.value)
        }
        hasher.combine(body)
    }
}
