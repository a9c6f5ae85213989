internal import RefreshProtocol

/// The paths on the daemon's port.
package enum ServedPath {
    /// WebSocket sessions.
    package static let session = ProtocolVersion.sessionPath
    /// Workers, where feeds are served by them.
    package static let worker = ProtocolVersion.workerPath
    /// The conformance echo, where it is switched on.
    package static let echo = "/echo"
    /// What stands before and behind a feed's name where changes are said.
    static let feeds = "/v1/feeds/"
    static let changed = "/changed"
    /// What operators ask of live sessions.
    static let sessions = "/v1/sessions"
    /// Events of live sessions.
    package static let watch = ProtocolVersion.watchPath
    package static let health = "/healthz"
    package static let readiness = "/readyz"
    package static let metrics = "/metrics"
}
