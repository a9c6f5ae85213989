/// The reason why a received message is dropped.
package enum BusMessageDrop: String, CaseIterable, Error, Sendable {
    /// The message is not a JSON object on one line, or the bytes after the line are not a JSON
    /// array.
    case malformed
    /// The message has another version of the format.
    case version
    /// The type of the message is unknown.
    case type
    /// A member is missing, has the wrong type, or is out of range.
    case member
    /// The first line is longer than `BusMessageLimits.headBytesMax`.
    case tooLong
    /// The message is from a new node, and `Membership.nodesMax` nodes are live.
    case tooManyNodes
    /// The message arrived while this node was disconnected from the bus, or before the connection
    /// was reported.
    case disconnected
}

/// The limits of bus messages. A message above a limit is not written, and it is dropped when it is
/// received.
package enum BusMessageLimits {
    /// The maximum length in bytes of the first line.
    package static let headBytesMax = 262_144
    /// The maximum number of feeds in a `state` message. The changes of further feeds are noticed
    /// by `changed` messages only.
    static let feedsMax = 1024
    static let nodeNameBytesMax = 128
    static let versionBytesMax = 64
    static let feedNameBytesMax = 256
    static let idempotencyKeyBytesMax = 128
    static let parametersMax = 256
    static let headersMax = 256
    static let pageSizeMax = 100_000
    /// The maximum number of counts of each kind in a `counts` message.
    static let countsMax = 512
    /// The largest count in a `counts` message.
    static let countMax = 1_000_000
    /// The maximum number of changes in a `load` message.
    static let seenMax = 256
    /// The maximum length of a failure's message, in Unicode scalars.
    static let failureScalarsMax = 1000
    /// The maximum number of sessions in a `listed` message, and in the answer to an operator.
    package static let listedSessionsMax = 1000
    /// The maximum number of events in a `watched` message.
    static let eventsMax = 1024
    static let sessionNameBytesMax = 64
    static let sessionStateBytesMax = 16
    /// Source: `Identity.subjectBytesMax`.
    static let subjectBytesMax = 256
    static let addressBytesMax = 64
    static let attemptMax = 1_000_000
    /// One day. Longer times are shortened to it.
    static let timeMsMax = 86_400_000
    /// The largest integer that a JSON number represents exactly in every parser.
    static let integerMax = 9_007_199_254_740_991
}
