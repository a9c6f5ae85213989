/// Whether an upgrade is let in.
package enum UpgradeDecision: Sendable {
    /// Let in. `messageBytesMax` bounds one received message (a longer one closes with 1009); `tag`
    /// comes back as `Connection.tag` and says what was admitted; `subprotocol` is the index of the
    /// one that is spoken there, among `LoopConfiguration.subprotocols`; `loosePerSecondMax` bounds
    /// frames that are no whole message, fragments and pongs that carry something: twice as many at
    /// once; `owner` is kept for the connection (`Connection.owner`) before it is opened.
    case accept(
        messageBytesMax: Int, tag: Int, subprotocol: Int = 0, loosePerSecondMax: Int = .max,
        owner: (any AnyObject & Sendable)? = nil)
    /// Refused with this answer; the connection is closed after it.
    case refuse(HTTPResponse)
}
