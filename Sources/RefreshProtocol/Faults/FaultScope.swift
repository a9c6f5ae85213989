/// The extent of a fault: the part of the client's input that had no effect.
package enum FaultScope: String, CaseIterable, Sendable {
    /// A frame: none of its messages was processed.
    case frame
    /// A message: this message was not processed, but other messages of its frame were.
    case message
    /// A view, or a request to it.
    case view
    /// A load.
    case load
    /// The session as a whole.
    case session
}

extension FaultCode {
    package var scope: FaultScope {
        switch self {
        case .malformedJSON, .invalidText, .binaryFrame, .frameTooLarge, .depthExceeded,
            .stringTooLong, .numberOutOfRange, .batchTooLong:
            .frame
        case .duplicateField, .unknownType, .missingField, .invalidField, .valueOutOfRange,
            .helloRequired, .alreadyGreeted, .unsupportedFrames, .staleSequence,
            .staleGeneration:
            .message
        case .unknownView, .viewExists, .tooManyViews, .unknownProfile, .unknownFeed,
            .forbiddenFeed, .unknownIndicator, .unknownParameter, .invalidParameter, .missingEdge,
            .invalidOption:
            .view
        case .unknownLoad, .notClientBackend, .nothingToRetry, .backendUnavailable,
            .backendTimedOut, .backendSuspended, .backendRejected, .backendFailed,
            .backendUntrusted, .backendAnswerMalformed, .backendAnswerTooLarge, .backendBusy:
            .load
        case .unsupportedProtocol, .helloTimeout, .unauthorized, .authUnavailable, .tooManyFaults,
            .tooManyFrames, .tooManyBytes, .slowClient, .idleClient, .sessionTaken, .tokenExpired,
            .tooManySessions, .outOfMemory, .draining:
            .session
        }
    }
}

extension CloseCode {
    /// Whether an open session waits for its client to resume. Code 4102 means that the daemon has
    /// no capacity for the session. Source: docs/protocol.md, "Coming back".
    package var keepsSession: Bool { rawValue >= 4100 && self != .overloaded }

    /// Whether the client can succeed later with the same messages.
    package var isTemporary: Bool { rawValue >= 4100 }
}
