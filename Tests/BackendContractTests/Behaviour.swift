import RefreshProtocol

/// A behaviour of a backend's source (such as a file, server or process) that a clause of the
/// contract needs.
enum Behaviour: Hashable, Sendable, CustomStringConvertible {
    /// The source has a list of at least 21 items, and pages of 20 are requested until the end.
    case list
    /// The source's list is empty.
    case empty
    /// The source answers with items whose JSON text has other equivalent forms.
    case verbatim
    /// The answer has the same item twice.
    case duplicates
    /// The answer specifies its cache lifetime.
    case lifetime
    /// The only item is an object with the parts of the request, see `EchoedRequest`.
    case echo
    /// The source fails with this code. A kind that cannot express the failure does not support it.
    case failing(FaultCode, retryAfterMs: Int? = nil)
    /// The source reports the progress 0.25 and 0.5, and then answers.
    case progress
    /// The source does not answer.
    case hanging
    /// The answer is not JSON, or violates the source's own format.
    case garbage
    /// The answer has values of wrong types.
    case wrongTypes
    /// The answer is incomplete.
    case halfAnswer
    /// The answer is up to a gigabyte long.
    case gigabyte
    /// The answer arrives in very small pieces, before the deadline.
    case dripping
    /// The source answers with an endless chain of redirects.
    case redirecting
    /// The answer arrives in very small pieces, and is not complete at the deadline.
    case trickling
    /// The source ends during the call.
    case dying

    /// All behaviours that any kind supports, without duplicates.
    static let all: [Behaviour] =
        [.list, .empty, .verbatim, .duplicates, .lifetime, .echo] + failures
        + [.progress, .hanging, .dripping] + faults

    static let failures: [Behaviour] = [
        .failing(.backendUnavailable), .failing(.backendUnavailable, retryAfterMs: 2000),
        .failing(.backendTimedOut), .failing(.backendFailed), .failing(.backendBusy),
        .failing(.backendBusy, retryAfterMs: 3000), .failing(.backendRejected),
        .failing(.backendUntrusted),
    ]

    /// The behaviours that make a load fail although the source reports no failure. `Rig.code` is
    /// the expected code.
    static let faults: [Behaviour] = [
        .garbage, .wrongTypes, .halfAnswer, .gigabyte, .redirecting, .trickling, .dying,
    ]

    var description: String {
        switch self {
        case .list: "list"
        case .empty: "empty"
        case .verbatim: "verbatim"
        case .duplicates: "duplicates"
        case .lifetime: "lifetime"
        case .echo: "echo"
        case .failing(let code, let retryAfterMs):
            code.rawValue + (retryAfterMs.map { " after \($0)" } ?? "")
        case .progress: "progress"
        case .hanging: "hanging"
        case .garbage: "garbage"
        case .wrongTypes: "wrong types"
        case .halfAnswer: "half an answer"
        case .gigabyte: "a gigabyte"
        case .dripping: "dripping"
        case .redirecting: "redirecting"
        case .trickling: "trickling"
        case .dying: "dying"
        }
    }
}
