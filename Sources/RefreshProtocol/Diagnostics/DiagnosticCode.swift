/// Everything that the daemon ignores without a fault, and the frequent mistakes of new clients. It
/// is the registry of `diagnostic` messages.
///
/// A diagnostic has no effect and does not count towards the fault budget. The table in
/// docs/protocol.md is generated from this registry. The raw value is the code on the wire.
public enum DiagnosticCode: String, CaseIterable, Sendable, Codable {
    // The content of a message.
    case unknownField
    case unknownOption
    case notConfigurable

    // The request.
    case edgeDisabled
    case intentLeftOut
    case coolingDown
    case alreadyLoading
    case otherEdgeLoading
    case nothingToLoad

    // Resuming.
    case resumedOtherwise

    // A mistake of the client. Each is reported at most once for a view of a connection.
    case sequenceMissing
    case contentMissing
    case idleMissing
    case springBackMissing

    /// One sentence for the reader of the client's log.
    package var message: String {
        switch self {
        case .unknownField: "The message has no field of this name; the field was ignored."
        case .unknownOption: "There is no option of this name here; it was ignored."
        case .notConfigurable:
            "This cannot be changed here; it was ignored."
        case .edgeDisabled: "The edge is disabled; the request was ignored."
        case .intentLeftOut:
            "The edge's `intents` do not include this cause; the request was ignored."
        case .coolingDown: "The edge's `coolDown` has not elapsed; the request was ignored."
        case .alreadyLoading: "A load of this edge is in flight; the request was ignored."
        case .otherEdgeLoading:
            "The other edge's load has priority by the edge's policy; the request was ignored."
        case .nothingToLoad: "There is no next page; the request was ignored."
        case .resumedOtherwise:
            "The resumed view was attached with another value, and keeps that value."
        case .sequenceMissing: "The message has no `seq`; it was dropped."
        case .contentMissing:
            "The view has items and its list moves, but no size of the `content` was reported."
        case .idleMissing: "The list came to rest, but the client did not send `idle`."
        case .springBackMissing: "After a release, the list rests beyond its start."
        }
    }

    /// Whether the same request, unchanged, can succeed later.
    package var isTemporary: Bool {
        switch self {
        case .coolingDown, .alreadyLoading, .otherEdgeLoading: true
        case .unknownField, .unknownOption, .notConfigurable, .edgeDisabled, .intentLeftOut,
            .nothingToLoad, .resumedOtherwise, .sequenceMissing, .contentMissing, .idleMissing,
            .springBackMissing:
            false
        }
    }

    /// The recommended reaction of the client.
    package var advice: String {
        switch self {
        case .unknownField, .unknownOption: "Correct the name; `suggestion` may contain it."
        case .notConfigurable: "Set it in `attach`, or omit it."
        case .edgeDisabled: "Send `enable` first."
        case .intentLeftOut: "Add the cause to `intents`."
        case .coolingDown: "Wait, or send the cause `code`."
        case .alreadyLoading, .otherEdgeLoading: "Wait for the load to end."
        case .nothingToLoad: "Refresh first, or request no page after `noMore`."
        case .resumedOtherwise: "Detach the view, and attach it again."
        case .sequenceMissing: "Give each message a larger `seq` than the message before."
        case .contentMissing: "Send `geometry` with `content` whenever its size changes."
        case .idleMissing: "Send `idle` with the final offset when the list rests."
        case .springBackMissing:
            "Spring back to the start or to the open room, and then send `idle`. Report the list's "
                + "own insets in `geometry`."
        }
    }

    /// The section of the documentation that shows what a client must do instead, as a path with an
    /// anchor. Nil if the code is not a mistake of the client.
    package var page: String? {
        switch self {
        case .sequenceMissing: "docs/start.md#sequence-numbers"
        case .contentMissing: "docs/start.md#content"
        case .idleMissing: "docs/start.md#idle"
        case .springBackMissing: "docs/start.md#spring-back"
        case .unknownField, .unknownOption, .notConfigurable, .edgeDisabled, .intentLeftOut,
            .coolingDown, .alreadyLoading, .otherEdgeLoading, .nothingToLoad, .resumedOtherwise:
            nil
        }
    }
}
