/// The party that caused the end of a connection and can do something about it.
package enum ResponsibleParty: String, CaseIterable, Sendable {
    case client
    case worker
    case server
    /// The party that sent the frame to which the code refers.
    case sender
    /// The operator of the daemon or of the client, who configured TLS.
    case setup
    /// The code does not show the cause. The network can have failed, or the user can have left.
    case unknown

    /// The party in words, for output after the label "responsible".
    package var phrase: String {
        switch self {
        case .client: "the client"
        case .worker: "the worker"
        case .server: "the server"
        case .sender: "the sender of the frame"
        case .setup: "the certificate or the trusted authorities"
        case .unknown: "unknown"
        }
    }
}

extension CloseCode {
    package var responsibleParty: ResponsibleParty {
        switch self {
        case .normal, .invalidText, .messageTooBig, .unsupportedProtocol, .tooManyFaults,
            .helloTimeout, .unauthorized, .sessionTaken, .slow, .tooFast, .idle, .tokenExpired:
            .client
        case .workerToken, .workerFeed, .workerMessage: .worker
        case .draining, .overloaded, .authUnavailable: .server
        }
    }
}
