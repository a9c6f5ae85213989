/// Why a dialed connection did not come to stand.
package enum DialFailure: Error, Hashable, Sendable {
    /// The text is not a `ws` URL, nor a `wss` URL for a dialer that speaks TLS.
    case urlInvalid(String)
    /// The server answered the upgrade with another status than 101. Its body cannot be had from
    /// the library.
    case refused(status: Int)
    /// There was no connection, or it ended before an answer.
    case unreachable(reason: String)
    /// The time given was over.
    case timedOut
}
