/// The reason why a connection could not be dialed.
package enum DialFailure: Error, Hashable, Sendable {
    /// The text is not a `ws` URL, nor a `wss` URL for a dialer that supports TLS.
    case urlInvalid(String)
    /// The server answered the upgrade with a status other than 101. The library does not provide
    /// the body.
    case refused(status: Int)
    /// No connection was established, or it ended before an answer.
    case unreachable(reason: String)
    /// The time limit was exceeded.
    case timedOut
}
