/// The WebSocket close codes that the daemon uses. The range of a code decides the client's
/// reaction, so that an old client handles a new code correctly. After a code from 4000 to 4099,
/// the client does not reconnect. After 4100 to 4199, it reconnects with back-off. After 4200 to
/// 4299, it reconnects at once. `StandardCloseCode` has the codes that other parties choose.
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
        case .normal: "The client sent `bye`."
        case .invalidText: "A text frame was not UTF-8."
        case .messageTooBig: "A message was larger than `frameBytesMax`."
        case .unsupportedProtocol: "The client uses a protocol version that is not supported."
        case .tooManyFaults: "The session has exhausted its fault budget."
        case .helloTimeout: "No `hello` or `register` arrived within `helloTimeoutMs`."
        case .unauthorized: "The client's token is not accepted."
        case .sessionTaken: "The session continues on another connection."
        case .workerToken: "The worker's token is unknown, or does not permit `work`."
        case .workerFeed:
            "The worker registered for a feed that workers do not serve."
        case .workerMessage: "The worker sent an invalid message."
        case .draining: "The daemon is stopping."
        case .slow:
            "The client read too slowly: more than `queueBytesMax` was queued for it, or for "
                + "longer than `queueAgeMs`."
        case .overloaded: "The daemon has no room for this session."
        case .authUnavailable: "The daemon could not determine the client's identity."
        case .tooFast: "The client sent more in a second than its limits allow."
        case .idle: "The client sent nothing for `idleTimeoutMs`."
        case .tokenExpired: "The client's token has expired."
        }
    }

    package var advice: String {
        switch self {
        case .normal: "Nothing to do."
        case .invalidText, .messageTooBig, .unsupportedProtocol, .tooManyFaults, .helloTimeout,
            .unauthorized, .workerToken, .workerFeed, .workerMessage:
            "Do not reconnect without a change: the client is at fault."
        case .sessionTaken: "Leave the session to the other connection."
        case .draining, .slow, .tooFast, .idle: "Reconnect with back-off, and resume."
        case .overloaded, .authUnavailable: "Reconnect with back-off."
        case .tokenExpired: "Reconnect at once with a new token, and resume."
        }
    }
}
