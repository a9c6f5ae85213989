/// Why a connection was refused, or closed before its first request.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// The connection exceeds the limit of connections, but not the surplus. The surplus is a small
    /// number of further connections, which are accepted only so that the daemon can answer their
    /// requests with 503.
    case tooManyConnections
    /// The connection exceeds both the limit and the surplus. It is closed at once.
    case turnedAway
    /// The head or the body of its request did not arrive within `headTimeoutMs`.
    case headTimeout
}
