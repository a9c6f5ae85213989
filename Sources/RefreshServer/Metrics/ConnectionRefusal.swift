/// Why a connection was not served, or not any longer, before it had asked for anything.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// One too many: what it asked for, or would have, is answered 503.
    case tooManyConnections
    /// One too many, when there were too many of those already: closed at once.
    case turnedAway
    /// The head of its request did not come within `headTimeoutMs`.
    case headTimeout
}
