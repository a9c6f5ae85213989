/// Whose doing the end of a connection is, and who can do something about it.
package enum CloseBlame: String, CaseIterable, Sendable {
    case client
    case worker
    case server
    /// Of whoever sent the frame that the code speaks of.
    case sender
    /// Of who set up TLS on either side.
    case setup
    /// Networks break, and people leave.
    case nobody

    /// For people, behind "whose doing".
    package var words: String {
        switch self {
        case .client: "the client's"
        case .worker: "the worker's"
        case .server: "the server's"
        case .sender: "the sender's of the frame"
        case .setup: "the certificate's, or who is believed"
        case .nobody: "nobody's"
        }
    }
}

extension CloseCode {
    package var blame: CloseBlame {
        switch self {
        case .normal, .invalidText, .messageTooBig, .unsupportedProtocol, .tooManyFaults,
            .helloTimeout, .unauthorized, .sessionTaken, .slow, .tooFast, .idle, .tokenExpired:
            .client
        case .workerToken, .workerFeed, .workerMessage: .worker
        case .draining, .overloaded, .authUnavailable: .server
        }
    }
}
