/// The WebSocket close codes that the daemon uses. The range of a code decides the client's
/// reaction, so that an old client handles a new code correctly. Codes 4000-4099: do not reconnect.
/// Codes 4100-4199: reconnect with back-off. Codes 4200-4299: reconnect at once.
/// `StandardCloseCode` has the codes that other parties choose.
///
/// Source: docs/protocol.md, "Close codes"; RFC 6455, 7.4.
package enum CloseCode: UInt16, CaseIterable, Sendable {
    case normal = 1000
    case invalidText = 1007
    case messageTooBig = 1009
    case unsupportedProtocol = 4001
    case tooManyFaults = 4002
    case helloTimeout = 4003
    case unauthorized = 4004
    case sessionTaken = 4005
    case workerToken = 4010
    case workerFeed = 4011
    case workerMessage = 4012
    case draining = 4100
    case slow = 4101
    case overloaded = 4102
    case authUnavailable = 4103
    case tooFast = 4104
    case idle = 4105
    case tokenExpired = 4200

    package var meaning: String {
        switch self {
        case .normal: "The client said `bye`."
        case .invalidText: "A text frame was not UTF-8."
        case .messageTooBig: "A message was larger than `frameBytesMax`."
        case .unsupportedProtocol: "The client speaks a version that is not served."
        case .tooManyFaults: "The session spent its budget of faults."
        case .helloTimeout: "No `hello` or `register` came within `helloTimeoutMs`."
        case .unauthorized: "The client's token is not accepted."
        case .sessionTaken: "The session goes on on another connection."
        case .workerToken: "A worker's token is not known, or may not `work`."
        case .workerFeed:
            "A worker registered for a feed that is not served by workers."
        case .workerMessage: "What a worker said is not understood."
        case .draining: "The daemon is stopping."
        case .slow:
            "The client read too slowly: more than `queueBytesMax`, or for longer than `queueAgeMs`, "
                + "waited for it."
        case .overloaded: "The daemon has no room for this session."
        case .authUnavailable: "It could not be found out who the client is."
        case .tooFast: "The client sent more than it may in a second."
        case .idle: "The client said nothing for `idleTimeoutMs`."
        case .tokenExpired: "The client's token has expired."
        }
    }

    package var advice: String {
        switch self {
        case .normal: "Nothing to do."
        case .invalidText, .messageTooBig, .unsupportedProtocol, .tooManyFaults, .helloTimeout,
            .unauthorized, .workerToken, .workerFeed, .workerMessage:
            "Do not come back unchanged: the client is at fault."
        case .sessionTaken: "Leave the session to the other connection."
        case .draining, .slow, .tooFast, .idle: "Reconnect with back-off, and resume."
        case .overloaded, .authUnavailable: "Reconnect with back-off."
        case .tokenExpired: "Reconnect at once with a new token, and resume."
        }
    }
}
