internal import WebSocketTransport

extension GatePolicy.Peer {
    /// Who asks for a page.
    init(_ request: HTTPRequest) {
        self.init(address: request.peerAddress, isForwarding: request.isForwarded)
    }

    /// Who asks for a WebSocket.
    init(_ request: UpgradeRequest) {
        self.init(address: request.peerAddress, isForwarding: request.isForwarded)
    }
}
