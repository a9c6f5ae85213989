/// The standard WebSocket close codes that the daemon does not choose. A library, a proxy or a
/// browser sends them, or a client reports them when no code was received. The codes that the
/// daemon chooses are in `CloseCode`. Source: RFC 6455, 7.4.1; IANA, "WebSocket Close Code Number
/// Registry".
package enum StandardCloseCode: UInt16, CaseIterable, Sendable {
    case goingAway = 1001
    case protocolError = 1002
    case unsupportedData = 1003
    case noCode = 1005
    case abnormal = 1006
    case policyViolation = 1008
    case extensionMissing = 1010
    case serverError = 1011
    case serviceRestart = 1012
    case tryAgainLater = 1013
    case badGateway = 1014
    case handshakeFailed = 1015

    package var meaning: String {
        switch self {
        case .goingAway:
            "One end goes away: a page is left, a server or a proxy ends without draining."
        case .protocolError:
            "A frame broke RFC 6455: the daemon's library says so of a client's, a client's of what "
                + "came to it."
        case .unsupportedData:
            "A kind of data was refused; the daemon does not say so, it answers `binaryFrame`."
        case .noCode: "A close frame had no code. It is never sent."
        case .abnormal: "The connection broke without a close frame. It is never sent."
        case .policyViolation: "Something between client and daemon refused what was sent."
        case .extensionMissing: "A client misses an extension that it needs; none is needed here."
        case .serverError: "Something on the server's side failed, mostly a proxy's."
        case .serviceRestart: "The server, or a proxy before it, is started anew."
        case .tryAgainLater: "The server, or a proxy before it, has too much to do."
        case .badGateway: "A proxy got no good answer of the daemon."
        case .handshakeFailed: "TLS could not be agreed upon. It is never sent."
        }
    }

    package var blame: CloseBlame {
        switch self {
        case .protocolError, .unsupportedData: .sender
        case .policyViolation, .extensionMissing: .client
        case .serverError, .serviceRestart, .tryAgainLater, .badGateway: .server
        case .goingAway, .noCode, .abnormal: .nobody
        case .handshakeFailed: .setup
        }
    }

    package var advice: String {
        switch self {
        case .protocolError, .unsupportedData:
            "Reconnect with back-off, and resume; if it comes again, mend the library that wrote "
                + "the frame."
        case .policyViolation:
            "Reconnect with back-off, and resume; if it comes again, ask whoever runs the proxy."
        case .extensionMissing: "Ask for no extension, then reconnect and resume."
        case .goingAway, .noCode, .abnormal, .serverError, .serviceRestart, .tryAgainLater,
            .badGateway:
            "Reconnect with back-off, and resume."
        case .handshakeFailed:
            "Look at the certificate and who is believed; reconnect with back-off."
        }
    }

    /// Whether there was a session that now waits for its client to resume. A session waits after
    /// every end except a `CloseCode` for a fault of the client. Source: docs/protocol.md, "Coming
    /// back".
    package var keepsSession: Bool { self != .handshakeFailed }

    /// Whether the same request may succeed later, unchanged.
    package var isTemporary: Bool {
        switch blame {
        case .nobody, .server: true
        case .client, .worker, .sender, .setup: false
        }
    }
}
