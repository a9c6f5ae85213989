/// The codes of all faults of peers: the single registry of faults.
///
/// The table in docs/protocol.md is generated from this registry. The raw value is the code on the
/// wire.
public enum FaultCode: String, CaseIterable, Error, Sendable, Codable {
    // The frame.
    case malformedJSON
    case invalidText
    case binaryFrame
    case frameTooLarge
    case depthExceeded
    case stringTooLong
    case numberOutOfRange
    case duplicateField
    case batchTooLong

    // The message.
    case unknownType
    case missingField
    case invalidField
    case valueOutOfRange
    case helloRequired
    case alreadyGreeted
    case unsupportedProtocol
    case unsupportedFrames
    case helloTimeout
    case unauthorized
    case authUnavailable
    case staleSequence
    case staleGeneration

    // The view.
    case unknownView
    case viewExists
    case tooManyViews
    case unknownProfile
    case unknownFeed
    case forbiddenFeed
    case unknownIndicator
    case unknownParameter
    case invalidParameter
    case missingEdge
    case invalidOption

    // Loads.
    case unknownLoad
    case notClientBackend
    case nothingToRetry

    // Loads that failed: the codes of `loading`.
    case backendUnavailable
    case backendTimedOut
    case backendSuspended
    case backendRejected
    case backendFailed
    case backendUntrusted
    case backendAnswerMalformed
    case backendAnswerTooLarge
    case backendBusy

    // The session.
    case tooManyFaults
    case tooManyFrames
    case tooManyBytes
    case slowClient
    case idleClient
    case sessionTaken
    case tokenExpired
    case tooManySessions
    case outOfMemory
    case draining

    /// One sentence for the reader of the client's log.
    package var message: String {
        switch self {
        case .malformedJSON: "The frame is not a JSON object or array of objects in UTF-8."
        case .invalidText: "The text is not UTF-8."
        case .binaryFrame: "Binary frames are not supported."
        case .frameTooLarge: "The message is larger than `frameBytesMax`."
        case .depthExceeded: "Values are nested deeper than `jsonDepthMax`."
        case .stringTooLong: "A string is longer than `stringBytesMax`."
        case .numberOutOfRange: "A number does not fit a double."
        case .duplicateField: "A field occurs twice in one object."
        case .batchTooLong: "The batch contains more than `batchMessagesMax` messages."
        case .unknownType: "There is no message of this type."
        case .missingField: "A required field is missing."
        case .invalidField: "A field has the wrong type or an unknown value."
        case .valueOutOfRange: "A number is outside the range of its field."
        case .helloRequired: "The first message must be `hello`."
        case .alreadyGreeted: "The session has already received a `hello`."
        case .unsupportedProtocol:
            "This protocol version is not supported; `versions` lists those that are."
        case .unsupportedFrames: "The mode of `frames` must be `plain`, `stream` or `local`."
        case .helloTimeout: "No `hello` arrived in time."
        case .unauthorized: "The token is missing, unknown, expired, or not for this daemon."
        case .authUnavailable: "The daemon could not determine the client's identity."
        case .staleSequence: "`seq` is not larger than the last one; the message was dropped."
        case .staleGeneration:
            "The message is for an earlier view of this name; it was dropped."
        case .unknownView: "No view of that name is attached."
        case .viewExists: "A view of that name is already attached."
        case .tooManyViews: "The session already has `viewsPerSessionMax` views."
        case .unknownProfile: "There is no profile of that name."
        case .unknownFeed: "There is no feed of that name."
        case .forbiddenFeed: "This client may not use that feed."
        case .unknownIndicator: "There is no indicator of that name."
        case .unknownParameter: "The feed declares no parameter of that name."
        case .invalidParameter:
            "A parameter's value is not of the type that the feed declares."
        case .missingEdge: "The view has no such edge."
        case .invalidOption: "The options do not form a valid edge or paging."
        case .unknownLoad: "No load with that identifier is in flight; the answer was dropped."
        case .notClientBackend: "The view has a feed; the daemon performs its loads."
        case .nothingToRetry: "There is no failed load to retry."
        case .backendUnavailable: "The backend could not be reached."
        case .backendTimedOut: "The backend did not answer in time."
        case .backendSuspended:
            "The backend failed too often; calls to it are suspended for a while."
        case .backendRejected: "The backend refused the request."
        case .backendFailed: "The backend failed."
        case .backendUntrusted: "The backend's certificate does not prove its identity."
        case .backendAnswerMalformed: "The backend's answer could not be parsed."
        case .backendAnswerTooLarge: "The backend's answer is larger than allowed."
        case .backendBusy: "Too many loads are in flight."
        case .tooManyFaults: "The session has exhausted its fault budget."
        case .tooManyFrames: "More than `framesPerSecondMax` frames arrived in a second."
        case .tooManyBytes: "More than `receivedBytesPerSecondMax` bytes arrived in a second."
        case .slowClient:
            "More than `queueBytesMax` was queued for the client, or for longer than `queueAgeMs`."
        case .idleClient: "The client sent nothing for `idleTimeoutMs`."
        case .sessionTaken: "The session continues on another connection."
        case .tokenExpired: "The token that opened the session has expired."
        case .tooManySessions: "The daemon already serves `sessionsMax` sessions."
        case .outOfMemory: "The daemon has reached its memory limit."
        case .draining: "The daemon is stopping."
        }
    }

    /// Whether the same request, unchanged, can succeed later.
    package var isTemporary: Bool {
        switch self {
        case .slowClient, .tooManySessions, .outOfMemory, .draining: true
        case .authUnavailable, .tooManyFrames, .tooManyBytes, .idleClient, .tokenExpired: true
        case .backendUnavailable, .backendTimedOut, .backendFailed, .backendBusy: true
        case .backendSuspended: true
        default: false
        }
    }

    /// The code with which the daemon closes the connection because of this fault; nil: the
    /// connection stays open.
    package var closeCode: CloseCode? {
        switch self {
        case .invalidText: .invalidText
        case .frameTooLarge: .messageTooBig
        case .unsupportedProtocol: .unsupportedProtocol
        case .helloTimeout: .helloTimeout
        case .tooManyFaults: .tooManyFaults
        case .unauthorized: .unauthorized
        case .authUnavailable: .authUnavailable
        case .tooManyFrames, .tooManyBytes: .tooFast
        case .slowClient: .slow
        case .idleClient: .idle
        case .sessionTaken: .sessionTaken
        case .tokenExpired: .tokenExpired
        case .tooManySessions, .outOfMemory: .overloaded
        case .draining: .draining
        default: nil
        }
    }

    /// The recommended reaction of the client.
    package var advice: String {
        switch self {
        case .staleSequence, .staleGeneration, .unknownLoad, .nothingToRetry:
            "Harmless after a race. If there was no race, number messages with one counter."
        case .tooManyViews: "Detach views that no longer exist."
        case .unknownView: "Attach the view first; after a reconnect attach it again."
        case .slowClient, .tooManySessions, .outOfMemory, .draining, .authUnavailable:
            "Reconnect with back-off."
        case .tooManyFrames, .tooManyBytes: "Send less, then reconnect with back-off and resume."
        case .idleClient:
            "Reconnect and resume when the user returns; send `ping` to stay connected."
        case .sessionTaken: "Leave the session to the other connection."
        case .unauthorized: "Get another token."
        case .tokenExpired: "Reconnect at once with a new token, and resume."
        case .forbiddenFeed: "Use a feed that `welcome` lists."
        case .backendUnavailable, .backendTimedOut, .backendFailed, .backendBusy,
            .backendSuspended:
            "Offer `retry`."
        case .backendRejected, .backendUntrusted, .backendAnswerMalformed, .backendAnswerTooLarge:
            "Fix the backend or the feed's configuration."
        case .batchTooLong: "Split the batch."
        case .helloRequired, .helloTimeout: "Send `hello` first."
        default: "Fix the client."
        }
    }
}
