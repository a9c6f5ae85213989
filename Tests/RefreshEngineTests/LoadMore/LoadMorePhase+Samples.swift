import RefreshEngine
import RefreshProtocol

/// Every phase and every fact of the load-more edge, each with the name that tables and diagrams
/// use. A fact is an input of the state machine (see `PhaseTable`).
extension LoadMorePhase {
    static let samples: [(name: String, phase: LoadMorePhase)] = [
        ("disabled", .disabled), ("idle", .idle), ("approaching .5", .approaching(progress: 0.5)),
        ("approaching 1", .approaching(progress: 1)), ("eligible", .eligible),
        ("waiting", .waiting), ("triggered A", .triggered(.a)), ("loading A", .loading(.a)),
        ("failed", .failed), ("noMore", .noMore),
    ]

    var name: String {
        switch self {
        case .disabled, .idle, .eligible, .failed, .noMore: "\(state)"
        case .approaching(let progress): "approaching \(short(progress))"
        case .waiting: "waiting"
        case .triggered(let load): "triggered \(load.letter)"
        case .loading(let load): "loading \(load.letter)"
        }
    }
}

extension LoadMoreFact {
    static let samples: [(name: String, fact: LoadMoreFact)] = [
        ("approached 0 showing", .approached(progress: 0, .showing)),
        ("approached .25 showing", .approached(progress: 0.25, .showing)),
        ("approached .5 arming", .approached(progress: 0.5, .arming)),
        ("approached .5 reaching", .approached(progress: 0.5, .reaching(.now(.n)))),
        ("approached 1 showing", .approached(progress: 1, .showing)),
        ("approached 1 arming", .approached(progress: 1, .arming)),
        ("approached 1 reaching", .approached(progress: 1, .reaching(.now(.n)))),
        ("approached 1 reaching later", .approached(progress: 1, .reaching(.later))),
        ("approached 1 reaching never", .approached(progress: 1, .reaching(.never))),
        ("released", .released(.now(.n))), ("released later", .released(.later)),
        ("released never", .released(.never)), ("cancelled", .cancelled), ("rested", .rested),
        ("requested", .requested(.now(.n), waits: false)),
        ("requested, waits", .requested(.now(.n), waits: true)),
        ("requested later", .requested(.later, waits: false)),
        ("requested never", .requested(.never, waits: false)),
        ("resumed", .resumed(.n, waits: false)),
        ("resumed, waits", .resumed(.n, waits: true)),
        ("rearmed", .rearmed), ("A began", .loadBegan(.a)), ("B began", .loadBegan(.b)),
        ("A refused", .loadRefused(.a)), ("B refused", .loadRefused(.b)),
        ("A success, more", .loadEnded(.a, .success, hasMore: true)),
        ("A success, all", .loadEnded(.a, .success, hasMore: false)),
        ("A empty, more", .loadEnded(.a, .empty, hasMore: true)),
        ("A noMore, all", .loadEnded(.a, .noMore, hasMore: false)),
        ("A failed", .loadEnded(.a, .failed, hasMore: true)),
        ("A cancelled", .loadEnded(.a, .cancelled, hasMore: true)),
        ("A timedOut", .loadEnded(.a, .timedOut, hasMore: true)),
        ("B success", .loadEnded(.b, .success, hasMore: true)),
        ("renewed, more", .contentReplaced(hasMore: true)),
        ("renewed, all", .contentReplaced(hasMore: false)),
        ("abandoned", .loadCancelled), ("enabled, more", .enabled(hasMore: true)),
        ("enabled, all", .enabled(hasMore: false)), ("disabled", .disabled),
    ]

    /// The name of the fact without its values, for diagrams.
    var kind: String {
        switch self {
        case .approached: "approached"
        case .released: "released"
        case .cancelled: "cancelled"
        case .rested: "rested"
        case .requested: "requested"
        case .resumed: "resumed"
        case .rearmed: "rearmed"
        case .loadBegan: "load began"
        case .loadRefused: "load refused"
        case .loadEnded: "load ended"
        case .contentReplaced: "renewed"
        case .loadCancelled: "abandoned"
        case .enabled: "enabled"
        case .disabled: "disabled"
        }
    }
}

extension LoadMoreAction {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .show: "show"
        case .arm: "arm"
        case .disarm: "disarm"
        case .fire(let load): "fire \(load.letter)"
        case .queue: "queue"
        case .beginHidden(let load): "ask \(load.letter)"
        case .reveal: "reveal"
        case .begin(let load): "begin \(load.letter)"
        case .finish(let load, let result): "finish \(load.letter) \(result)"
        case .reportLateAnswer(let load): "drop \(load.letter)"
        }
    }
}
