/// An answer to an HTTP request that is not an upgrade, or to a refused upgrade.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code, 100 to 599.
    package var status: Int
    /// The headers in order, without `content-length` and `connection`, which the transport adds.
    package var headers: [(name: String, value: String)]
    /// The body. The answer to a HEAD request has the length of the body, but not the body.
    package var body: [UInt8]

    /// Creates an answer.
    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        self.body = body
    }

    /// Returns a fault in the form that protocol.md specifies for refusals:
    /// `{"code":…,"message":…}`. Both texts are constants of the daemon. They contain only letters,
    /// digits and punctuation that JSON does not escape. `page`, if it is not nil, is a section of
    /// the documentation; the body then has the member `page` too.
    package static func fault(
        status: Int, code: StaticString, message: StaticString, page: StaticString? = nil
    ) -> Self {
        let page = page.map { ",\"page\":\"\($0)\"" } ?? ""
        return HTTPResponse(
            status: status, headers: [("content-type", "application/json")],
            body: Array("{\"code\":\"\(code)\",\"message\":\"\(message)\"\(page)}".utf8))
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
