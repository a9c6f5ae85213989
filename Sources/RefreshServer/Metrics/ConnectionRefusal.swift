/// Why a connection was refused, or closed before its first request.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// The connection exceeds the limit of connections, but not the surplus: the few connections
    /// beyond the limit that are accepted only to be refused. Its request, if it sends one, is
    /// answered with 503.
    case tooManyConnections
    /// The connection exceeds both the limit and the surplus. It is closed at once.
    case turnedAway
    /// The head or the body of its request did not arrive within `headTimeoutMs`.
    case headTimeout
}
