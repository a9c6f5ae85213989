import RefreshProtocol

/// What a clause of the contract wants the thing behind a backend to do.
enum Behaviour: Hashable, Sendable, CustomStringConvertible {
    /// It has a list of at least 21 items, and pages of 20 are asked for until it ends.
    case list
    /// Its list is empty.
    case empty
    /// It answers with items whose JSON text could be written otherwise.
    case verbatim
    /// Its answer has the same item twice.
    case duplicates
    /// It says for how long its answer may be kept.
    case lifetime
    /// Its only item is an object that tells what it was asked, see `EchoedRequest`.
    case echo
    /// It fails so; what a kind cannot say is not its behaviour.
    case failing(FaultCode, retryAfterMs: Int? = nil)
    /// It says its progress, 0.25 and 0.5, and then answers.
    case progress
    /// It does not answer.
    case hanging
    /// Its answer is no JSON, or nothing that its own format has.
    case garbage
    /// Its answer is JSON, or its own format, of the wrong types.
    case wrongTypes
    /// Its answer breaks off.
    case halfAnswer
    /// Its answer goes on and on.
    case gigabyte
    /// Its answer comes in very small pieces, and in time.
    case dripping
    /// It sends whoever asks to somewhere else, and again, without end.
    case redirecting
    /// Its answer comes in very small pieces, and not in time.
    case trickling
    /// It is gone in the middle of the call.
    case dying

    /// All that any kind shows, once.
    static let all: [Behaviour] =
        [.list, .empty, .verbatim, .duplicates, .lifetime, .echo] + failures
        + [.progress, .hanging, .dripping] + faults

    static let failures: [Behaviour] = [
        .failing(.backendUnavailable), .failing(.backendUnavailable, retryAfterMs: 2000),
        .failing(.backendTimedOut), .failing(.backendFailed), .failing(.backendBusy),
        .failing(.backendBusy, retryAfterMs: 3000), .failing(.backendRejected),
        .failing(.backendUntrusted),
    ]

    /// Those after which a load fails though nobody said so; `Rig.code` names how.
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
