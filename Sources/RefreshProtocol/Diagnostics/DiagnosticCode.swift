/// Everything that the daemon ignores without a fault: the registry of `diagnostic` messages.
///
/// A diagnostic has no effect and does not count towards the fault budget. The table in
/// docs/protocol.md is generated from it. The raw value is the code on the wire.
package enum DiagnosticCode: String, CaseIterable, Sendable, Codable {
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

    /// One sentence for the reader of the client's log.
    package var message: String {
        switch self {
        case .unknownField: "The message has no field of this name; it was ignored."
        case .unknownOption: "There is no option of this name here; it was ignored."
        case .notConfigurable: "This cannot be changed here; it was ignored."
        case .edgeDisabled: "The edge is disabled; nothing was done."
        case .intentLeftOut: "The edge's `intents` leave this cause out; nothing was done."
        case .coolingDown: "The edge's `coolDown` is not over; nothing was done."
        case .alreadyLoading: "A load of this edge is under way; nothing was done."
        case .otherEdgeLoading:
            "The other edge's load goes first, by the edge's policy; nothing was done."
        case .nothingToLoad: "There is no next page; nothing was done."
        case .resumedOtherwise:
            "The resumed view was attached with another value, which it keeps."
        }
    }

    /// Whether the same request may succeed later, unchanged.
    package var isTemporary: Bool {
        switch self {
        case .coolingDown, .alreadyLoading, .otherEdgeLoading: true
        case .unknownField, .unknownOption, .notConfigurable, .edgeDisabled, .intentLeftOut,
            .nothingToLoad, .resumedOtherwise:
            false
        }
    }

    /// The recommended reaction of the client.
    package var advice: String {
        switch self {
        case .unknownField, .unknownOption: "Correct the name; `suggestion` may have it."
        case .notConfigurable: "Name it in `attach`, or leave it out."
        case .edgeDisabled: "Send `enable` first."
        case .intentLeftOut: "Name the cause in `intents`."
        case .coolingDown: "Wait, or send the cause `code`."
        case .alreadyLoading, .otherEdgeLoading: "Wait for the load to end."
        case .nothingToLoad: "Refresh first, or stop asking at `noMore`."
        case .resumedOtherwise: "Detach the view, and attach it anew."
        }
    }
}
