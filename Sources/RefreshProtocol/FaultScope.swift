/// What a fault concerns: what of the client's doing came to nothing.
package enum FaultScope: String, CaseIterable, Sendable {
    /// A frame: nothing in it was done.
    case frame
    /// A message: it was not done, and others of its frame were.
    case message
    /// A view, or what was asked of it.
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
    /// Whether the session that was open waits for its client to come back; 4102 says that there is
    /// no room for it. Source: docs/protocol.md, "Coming back".
    package var keepsSession: Bool { rawValue >= 4100 && self != .overloaded }

    /// Whether the same may succeed later, unchanged.
    package var isTemporary: Bool { rawValue >= 4100 }
}
