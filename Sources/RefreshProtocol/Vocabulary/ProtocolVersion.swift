/// The protocol version that this build implements.
package enum ProtocolVersion {
    package static let current = 1
    /// The WebSocket subprotocol of `current`.
    package static let subprotocol = "refresh.v1"
    package static let sessionPath = "/v1/session"
    /// The WebSocket subprotocol of workers.
    package static let workerSubprotocol = "refresh.worker.v1"
    package static let workerPath = "/v1/worker"
    /// The WebSocket subprotocol of watchers of sessions.
    package static let watchSubprotocol = "refresh.watch.v1"
    package static let watchPath = "/v1/watch"
}
