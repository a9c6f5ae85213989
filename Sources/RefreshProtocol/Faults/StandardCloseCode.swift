/// The standard WebSocket close codes that the daemon does not choose. A WebSocket library, a proxy
/// or a browser sends these codes, or a client reports them when no code was received. The codes
/// that the daemon chooses are in `CloseCode`. Source: RFC 6455, 7.4.1; IANA, "WebSocket Close Code
/// Number Registry".
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
            "One side goes away: a user leaves a page, or a server or proxy ends without draining."
        case .protocolError:
            "A frame violated RFC 6455. The WebSocket library of the side that received the "
                + "frame sends this code."
        case .unsupportedData:
            "A type of data was refused. The daemon answers `binaryFrame` instead of this code."
        case .noCode: "The close frame contained no code. This code is never sent."
        case .abnormal: "The connection ended without a close frame. This code is never sent."
        case .policyViolation: "An intermediary between client and daemon refused a message."
        case .extensionMissing:
            "The server did not negotiate an extension that the client needs. refreshd needs none."
        case .serverError: "The server's side failed, in most cases a proxy."
        case .serviceRestart: "The server, or a proxy in front of it, restarts."
        case .tryAgainLater: "The server, or a proxy in front of it, is overloaded."
        case .badGateway: "A proxy received no valid response from the daemon."
        case .handshakeFailed: "The TLS handshake failed. This code is never sent."
        }
    }

    package var responsibleParty: ResponsibleParty {
        switch self {
        case .protocolError, .unsupportedData: .sender
        case .policyViolation, .extensionMissing: .client
        case .serverError, .serviceRestart, .tryAgainLater, .badGateway: .server
        case .goingAway, .noCode, .abnormal: .unknown
        case .handshakeFailed: .setup
        }
    }

    package var advice: String {
        switch self {
        case .protocolError, .unsupportedData:
            "Reconnect with back-off, and resume; if it happens again, fix the library that wrote "
                + "the frame."
        case .policyViolation:
            "Reconnect with back-off, and resume; if it happens again, ask the proxy's operator."
        case .extensionMissing: "Request no extension, then reconnect and resume."
        case .goingAway, .noCode, .abnormal, .serverError, .serviceRestart, .tryAgainLater,
            .badGateway:
            "Reconnect with back-off, and resume."
        case .handshakeFailed:
            "Check the certificate and the trusted authorities; reconnect with back-off."
        }
    }

    /// Whether the session of the connection waits for its client to resume. After a failed TLS
    /// handshake, there is no session. After every other end of a connection the session waits,
    /// except after a `CloseCode` whose `keepsSession` is false. Source: docs/protocol.md, "Coming
    /// back".
    package var keepsSession: Bool { self != .handshakeFailed }

    /// Whether the client can succeed later with the same messages.
    package var isTemporary: Bool {
        switch responsibleParty {
        case .unknown, .server: true
        case .client, .worker, .sender, .setup: false
        }
    }
}
