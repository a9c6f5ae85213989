internal import RefreshProtocol
package import WebSocketTransport

/// Decides whether an admin request is permitted, and converts it to an `AdminOrder`. The results
/// depend only on the input. Source: docs/operations.md, "Admin".
package struct AdminRequests: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The request is for another part of the daemon.
        case foreign
        case refused(HTTPResponse)
        case granted(AdminOrder)
    }

    private let gate: GatePolicy
    private let tokens: AccessTokens

    package init(gate: GatePolicy, tokens: AccessTokens) {
        self.gate = gate
        self.tokens = tokens
    }

    /// Returns the decision about a request that is not an upgrade. A caller without permission
    /// does not learn which sessions exist.
    package func verdict(on request: HTTPRequest) -> Verdict {
        guard let target = AdminTarget(path: request.path) else { return .foreign }
        if let refusal = refusal(of: request, for: .administer) {
            return .refused(refusal.response)
        }
        if target == .nothing { return .refused(GateRefusal.notFound.response) }
        guard target.methods.contains(request.method) else {
            return .refused(
                ChangeRequests.refusal(allow: target.methods.joined(separator: ", ")))
        }
        switch target {
        case .sessions:
            return .granted(
                .list(
                    after: Query.value(of: "after", in: request.query),
                    ofCluster: Query.isOfCluster(request.query)))
        case .cluster: return .granted(.cluster)
        case .session(let name): return .granted(.describe(session: name))
        case .trace(let name):
            return .granted(.trace(session: name, isOn: request.method == "POST"))
        case .journal(let name):
            return .granted(.journal(session: name, isOn: request.method == "POST"))
        case .watch:
            return .refused(
                .fault(
                    status: 400, code: "notWebSocket",
                    message: "Events are sent over a WebSocket; this request is not an upgrade."))
        case .nothing: return .refused(GateRefusal.notFound.response)
        }
    }

    /// Returns why an upgrade of a watcher (an operator's WebSocket connection) is refused; nil:
    /// the upgrade is admitted.
    package func refusal(ofWatch request: UpgradeRequest, hasPlace: Bool) -> GateRefusal? {
        let refusal = refusal(
            host: request.host, origin: request.origin, authorization: request.authorization,
            peer: GatePolicy.Peer(request), localAddress: request.localAddress,
            localPort: request.localPort, isEncrypted: request.isEncrypted, for: .administer)
        return refusal ?? (hasPlace ? nil : .tooManyWatchers)
    }

    /// Returns why a request for the metrics is refused; nil: the request is admitted. Source:
    /// docs/operations.md, "Who may read them".
    func refusal(ofMetrics request: HTTPRequest) -> GateRefusal? {
        refusal(of: request, for: .measure)
    }

    private func refusal(of request: HTTPRequest, for action: AccessTokens.Action) -> GateRefusal? {
        refusal(
            host: request.host, origin: request.origin, authorization: request.authorization,
            peer: GatePolicy.Peer(request), localAddress: request.localAddress,
            localPort: request.localPort, isEncrypted: request.isEncrypted, for: action)
    }

    private func refusal(
        host: String?, origin: String?, authorization: String?, peer: GatePolicy.Peer,
        localAddress: String, localPort: UInt16, isEncrypted: Bool, for action: AccessTokens.Action
    ) -> GateRefusal? {
        if let refusal = gate.refusal(
            host: host, localAddress: localAddress, localPort: localPort)
        {
            return refusal
        }
        // A foreign web page in a browser on this machine must be refused. The browser sends the
        // page's origin.
        if let origin,
            !gate.originPolicy.isOriginAllowed(
                origin, host: host, peer: peer, isEncrypted: isEncrypted)
        {
            return .originNotAllowed
        }
        if gate.isUnknownProxy(peer) { return .proxyNotConfigured }
        if gate.isAdmin(address: localAddress, port: localPort) { return nil }
        if action == .measure, gate.isLocal(peer, localAddress: localAddress) { return nil }
        return switch tokens.verdict(BearerToken.read(authorization), for: action) {
        case .allowed: nil
        case .unknown: .tokenRequired
        case .forbidden: .tokenNotAllowed
        }
    }
}
