/// The decision about an upgrade.
package enum UpgradeDecision: Sendable {
    /// The upgrade is accepted.
    ///
    /// - `messageBytesMax`: the maximum size of a received message; a longer one closes with 1009.
    /// - `tag`: the value of `Connection.tag`, which identifies what was admitted.
    /// - `subprotocol`: the index of the chosen one in `LoopConfiguration.subprotocols`.
    /// - `loosePerSecondMax`: the rate limit for frames that are not a complete message, that is,
    ///   fragments and pongs with a payload. Twice as many are allowed in a burst.
    /// - `owner`: the initial `Connection.owner`, set before the connection is opened.
    case accept(
        messageBytesMax: Int, tag: Int, subprotocol: Int = 0, loosePerSecondMax: Int = .max,
        owner: (any AnyObject & Sendable)? = nil)
    /// The upgrade is refused with this answer. The connection is closed after it.
    case refuse(HTTPResponse)
}
