/// The party that caused the end of a connection and can do something about it.
package enum CloseBlame: String, CaseIterable, Sendable {
    case client
    case worker
    case server
    /// The sender of the frame that the code refers to.
    case sender
    /// The operator who configured TLS on either side.
    case setup
    /// No party: networks break, and users leave.
    case nobody

    /// A readable form for the output, to follow the label "whose doing".
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
