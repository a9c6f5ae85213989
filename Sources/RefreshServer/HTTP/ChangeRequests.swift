package import RefreshBroker
internal import RefreshProtocol
internal import WebSocketTransport

/// `POST /v1/feeds/NAME/changed`: the report that a feed has newer data. Source: docs/backends.md,
/// "Changes".
package struct ChangeRequests: Sendable {
    private let gate: GatePolicy
    private let tokens: AccessTokens
    private let feeds: Set<String>
    private let changed: @Sendable (FeedChange) -> Void

    /// `changed` receives each reported change of one of the feeds `feeds`. It is called on the
    /// thread of any loop.
    package init(
        gate: GatePolicy, tokens: AccessTokens, feeds: Set<String>,
        changed: @escaping @Sendable (FeedChange) -> Void
    ) {
        self.gate = gate
        self.tokens = tokens
        self.feeds = feeds
        self.changed = changed
    }

    /// Returns the answer; nil if the request has another path.
    func respond(to request: HTTPRequest) -> HTTPResponse? {
        guard ServedPath.isChangeReport(request.path) else { return nil }
        let feed = String(
            request.path.dropFirst(ServedPath.feeds.count).dropLast(ServedPath.changed.count))
        guard request.method == "POST" else { return Self.refusal(allow: "POST") }
        // A foreign web page in a browser on this machine must be refused. The browser sends the
        // page's origin.
        if let origin = request.origin,
            !gate.originPolicy.isOriginAllowed(
                origin, host: request.host, peer: GatePolicy.Peer(request),
                isEncrypted: request.isEncrypted)
        {
            return GateRefusal.originNotAllowed.response
        }
        if !gate.isAdmin(address: request.localAddress, port: request.localPort),
            let refusal = refusal(of: request, feed: feed)
        {
            return refusal
        }
        guard feeds.contains(where: { $0.hasBytes(of: feed) }) else {
            return .fault(
                status: 404, code: "unknownFeed", message: "There is no feed of that name.")
        }
        guard let count = Self.count(in: request.body) else {
            return .fault(
                status: 400, code: "bodyMalformed",
                message: "The body is not an object whose `count` is a whole number from 0.")
        }
        changed(FeedChange(feed, count: count))
        return HTTPResponse(status: 204)
    }

    /// Returns the number of newer items in a body such as `{"count":3}`; nil if the body is
    /// malformed. A body that is empty or has no `count` does not state the number. The result is
    /// then `unknown`.
    private static func count(in body: [UInt8]) -> NewerCount? {
        guard !body.isEmpty else { return .unknown }
        guard let text = String(validating: body, as: UTF8.self),
            let value = try? JSONValue(parsing: text), case .object = value
        else { return nil }
        guard let count = value["count"], count != .null else { return .unknown }
        guard let number = count.number, number >= 0, number == number.rounded() else { return nil }
        return NewerCount(Int(exactly: min(number, Double(NewerCount.range.upperBound))))
    }

    private func refusal(of request: HTTPRequest, feed: String) -> HTTPResponse? {
        switch tokens.verdict(BearerToken.read(request.authorization), for: .change(feed: feed)) {
        case .allowed: return nil
        case .unknown: return GateRefusal.tokenRequired.response
        case .forbidden: return GateRefusal.tokenNotAllowed.response
        }
    }

    /// Returns the answer to a request with an unsupported method.
    static func refusal(allow methods: String) -> HTTPResponse {
        var response = HTTPResponse.fault(
            status: 405, code: "methodNotAllowed",
            message: "This method is not allowed here.")
        response.headers.append((name: "allow", value: methods))
        return response
    }
}
