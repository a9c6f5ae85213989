package import RefreshBroker
internal import RefreshProtocol
internal import WebSocketTransport

/// `POST /v1/feeds/NAME/changed`: the report that a feed has newer data. Source: docs/backends.md,
/// "Changes".
package struct ChangeRequests: Sendable {
    private let gate: GatePolicy
    private let tokens: AccessTokens
    private let feeds: Set<String>
    private let notices: FeedNotices

    /// `notices` reads and receives the reported changes of the feeds `feeds`.
    package init(
        gate: GatePolicy, tokens: AccessTokens, feeds: Set<String>, notices: FeedNotices
    ) {
        self.gate = gate
        self.tokens = tokens
        self.feeds = feeds
        self.notices = notices
    }

    /// Returns the answer; nil if the request has another path.
    func respond(to request: HTTPRequest) -> HTTPResponse? {
        guard ServedPath.isChangeReport(request.path) else { return nil }
        if let refusal = refusal(of: request) { return refusal }
        do throws(ChangeReportFault) {
            notices.reportFeedChange(
                try notices.change(of: Self.feed(of: request), in: request.body.span))
            return HTTPResponse(status: 204)
        } catch {
            return HTTPResponse(
                status: error.status, headers: [("content-type", "application/json")],
                body: error.json)
        }
    }

    private static func feed(of request: HTTPRequest) -> String {
        String(request.path.dropFirst(ServedPath.feeds.count).dropLast(ServedPath.changed.count))
    }

    /// Returns the refusal of a report, whatever its body is; nil if the body decides.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        let feed = Self.feed(of: request)
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
        return nil
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
