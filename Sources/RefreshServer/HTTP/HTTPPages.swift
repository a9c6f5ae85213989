internal import RefreshBroker
package import WebSocketTransport

/// The HTTP pages: health, readiness, metrics, and the demo. Source: docs/operations.md, "HTTP".
package struct HTTPPages: Sendable {
    private let gate: GatePolicy
    private let changes: ChangeRequests
    private let admin: AdminRequests
    private let servesDemo: Bool
    private let isReady: @Sendable () -> Bool
    private let cluster: (@Sendable () -> ClusterStatus)?
    private let metrics: @Sendable () -> String

    /// `isReady` and `cluster` are called for each request for the readiness, and `metrics`
    /// for each request for the metrics. All of them may be called on the thread of any loop.
    /// `cluster` is nil if the daemon belongs to no cluster.
    init(
        gate: GatePolicy, changes: ChangeRequests, admin: AdminRequests, servesDemo: Bool,
        isReady: @escaping @Sendable () -> Bool,
        cluster: (@Sendable () -> ClusterStatus)? = nil,
        metrics: @escaping @Sendable () -> String
    ) {
        self.gate = gate
        self.changes = changes
        self.admin = admin
        self.servesDemo = servesDemo
        self.isReady = isReady
        self.cluster = cluster
        self.metrics = metrics
    }

    /// Returns the decision about the body of a request. Only a report of changes may have a body,
    /// and is refused before its body is read.
    func bodyDecision(for request: HTTPRequest) -> BodyDecision {
        guard request.method == "POST", ServedPath.isChangeReport(request.path) else {
            return .read(bytesMax: 0)
        }
        guard let refusal = hostRefusal(of: request) ?? changes.refusal(of: request) else {
            return .read(bytesMax: ItemChange.bytesMax)
        }
        return .refuse(Self.addingSafetyHeaders(to: refusal))
    }

    private func hostRefusal(of request: HTTPRequest) -> HTTPResponse? {
        gate.refusal(
            host: request.host, localAddress: request.localAddress, localPort: request.localPort
        )?.response
    }

    /// Returns the answer to a GET, HEAD, POST or DELETE request.
    package func respond(to request: HTTPRequest) -> HTTPResponse {
        Self.addingSafetyHeaders(to: answer(to: request))
    }

    /// Adds the headers that every answer has.
    static func addingSafetyHeaders(to response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.headers += Self.safetyHeaders.map { (name: $0.0, value: $0.1) }
        return response
    }

    private func answer(to request: HTTPRequest) -> HTTPResponse {
        if let refusal = hostRefusal(of: request) { return refusal }
        if let response = changes.respond(to: request) { return response }
        guard request.method == "GET" || request.method == "HEAD" else {
            return ChangeRequests.refusal(allow: "GET, HEAD")
        }
        let isAdmin = gate.isAdmin(address: request.localAddress, port: request.localPort)
        switch request.path {
        case ServedPath.health:
            return Self.text("ok\n")
        case ServedPath.readiness:
            if isReady() { return Self.text("ready\n" + clusterLine) }
            var response = Self.text("draining\n" + clusterLine, status: 503)
            response.headers.append((name: "retry-after", value: "1"))
            return response
        case ServedPath.metrics:
            if let refusal = admin.refusal(ofMetrics: request) { return refusal.response }
            return Self.text(metrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
        case _ where isAdmin:
            return GateRefusal.notFound.response
        case ServedPath.session:
            return .fault(
                status: 400, code: "notWebSocket",
                message: "Sessions are WebSockets; this request is not an upgrade.")
        default:
            guard servesDemo, let file = SiteFile.at(request.path) else {
                return GateRefusal.notFound.response
            }
            return HTTPResponse(
                status: 200,
                headers: [("content-type", file.contentType), ("cache-control", "no-cache")],
                body: file.body)
        }
    }

    /// The line about the cluster on the readiness page. A daemon without the bus is ready too.
    private var clusterLine: String {
        guard let status = cluster?() else { return "" }
        guard status.isConnected else { return "cluster: not connected\n" }
        return status.isFencing == false
            ? "cluster: connected, fencing unavailable\n" : "cluster: connected\n"
    }

    private static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("content-type", contentType), ("cache-control", "no-store")],
            body: Array(text.utf8))
    }

    /// The headers of every answer. With these headers, a browser loads and runs only the daemon's
    /// own files, lets no other web page show them in a frame, and does not guess content types.
    private static let safetyHeaders = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src 'self' data:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
}
