/// Why a connection was refused, or closed before its first request.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// The connection exceeds the limit. Its request, if it sends one, is answered with 503.
    case tooManyConnections
    /// The connection exceeds the limit and the surplus. It is closed at once.
    case turnedAway
    /// The head of its request did not arrive within `headTimeoutMs`.
    case headTimeout
}
