/// Why a connection was refused, or closed before its first request.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// Beyond the limit: its request is answered, or would be, with 503.
    case tooManyConnections
    /// Beyond the limit, when the surplus was used up too: closed at once.
    case turnedAway
    /// The head of its request did not arrive within `headTimeoutMs`.
    case headTimeout
}
