internal import RefreshProtocol

/// The paths on the daemon's port.
package enum ServedPath {
    /// WebSocket sessions.
    package static let session = ProtocolVersion.sessionPath
    /// Workers, if a feed uses them.
    package static let worker = ProtocolVersion.workerPath
    /// The conformance echo, if it is enabled.
    package static let echo = "/echo"
    /// For reports of changes: the parts of the path before and after the feed's name.
    static let feeds = "/v1/feeds/"
    static let changed = "/changed"
    /// Admin requests about live sessions.
    static let sessions = "/v1/sessions"
    /// Admin requests about the nodes of the cluster.
    static let cluster = "/v1/cluster"
    /// Events of live sessions.
    package static let watch = ProtocolVersion.watchPath
    package static let health = "/healthz"
    package static let readiness = "/readyz"
    package static let metrics = "/metrics"

    /// Whether the path is for reports of changes. The feed may have any name.
    static func isChangeReport(_ path: String) -> Bool {
        guard path.hasPrefix(feeds), path.hasSuffix(changed),
            path.utf8.count > feeds.utf8.count + changed.utf8.count
        else { return false }
        return !path.dropFirst(feeds.count).dropLast(changed.count).contains("/")
    }
}
