package import RefreshConfiguration
package import WebSocketTransport

/// Why a server could not be created or started.
package enum ServerError: Error, Sendable, CustomStringConvertible {
    /// The configuration is invalid, or a part of the server cannot be created from it.
    case configuration(ConfigurationError)
    case transport(TransportError)

    /// The text for an operator. It has one line for each problem.
    package var description: String {
        switch self {
        case .configuration(let error): error.description
        case .transport(let error): error.description
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .configuration(let error): error.exitStatus
        case .transport(.listenFailed), .transport(.socketUnusable): .unavailable
        case .transport: .system
        }
    }
}
