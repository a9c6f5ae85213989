import RefreshEngine
import RefreshProtocol

/// Every phase and every fact of the refresh edge, each with the name that tables and diagrams use.
/// A fact is an input of the state machine (see `PhaseTable`). In the names, A is the load in
/// flight, B is a load that has ended, and N is the next load.
extension RefreshPhase {
    static let samples: [(name: String, phase: RefreshPhase)] = [
        ("disabled", .disabled), ("idle", .idle), ("pulling .5", .pulling(progress: 0.5)),
        ("pulling 1", .pulling(progress: 1)), ("eligible", .eligible),
        ("waiting", .waiting), ("triggered A", .triggered(.a)),
        ("refreshing A", .refreshing(.a)), ("refreshing", .refreshing(nil)),
        ("lingering ok", .lingering(.success)), ("lingering failed", .lingering(.failed)),
        ("held ok", .held(.success)), ("held failed", .held(.failed)), ("finishing", .finishing),
    ]

    var name: String {
        switch self {
        case .disabled, .idle, .eligible, .finishing: "\(state)"
        case .waiting: "waiting"
        case .lingering(let result): "lingering \(result.isAccepted ? "ok" : "failed")"
        case .held(let result): "held \(result.isAccepted ? "ok" : "failed")"
        case .pulling(let progress): "pulling \(short(progress))"
        case .triggered(let load): "triggered \(load.letter)"
        case .refreshing(let load): load.map { "refreshing \($0.letter)" } ?? "refreshing"
        }
    }
}

extension RefreshFact {
    static let samples: [(name: String, fact: RefreshFact)] = [
        ("pulled 0 showing", .pulled(progress: 0, .showing)),
        ("pulled .25 showing", .pulled(progress: 0.25, .showing)),
        ("pulled .5 arming", .pulled(progress: 0.5, .arming)),
        ("pulled .5 reaching", .pulled(progress: 0.5, .reaching(.now(.n)))),
        ("pulled 1 showing", .pulled(progress: 1, .showing)),
        ("pulled 1 arming", .pulled(progress: 1, .arming)),
        ("pulled 1 reaching", .pulled(progress: 1, .reaching(.now(.n)))),
        ("pulled 1 reaching later", .pulled(progress: 1, .reaching(.later))),
        ("pulled 1 reaching never", .pulled(progress: 1, .reaching(.never))),
        ("released", .released(.now(.n))), ("released later", .released(.later)),
        ("released never", .released(.never)), ("cancelled", .cancelled), ("rested", .rested),
        ("touched", .touched),
        ("requested", .requested(.now(.n), waits: false)),
        ("requested, waits", .requested(.now(.n), waits: true)),
        ("requested later", .requested(.later, waits: false)),
        ("requested never", .requested(.never, waits: false)),
        ("resumed", .resumed(.n, waits: false)), ("resumed, waits", .resumed(.n, waits: true)),
        ("superseded", .superseded(by: .n)),
        ("shown", .shown), ("hidden", .hidden(.rest)), ("hidden, finish", .hidden(.finish)),
        ("A began", .loadBegan(.a)), ("A refused", .loadRefused(.a, .rest)),
        ("A refused, finish", .loadRefused(.a, .finish)),
        ("B began", .loadBegan(.b)), ("B refused", .loadRefused(.b, .rest)),
        ("A success", .loadEnded(.a, .success, .rest)), ("A empty", .loadEnded(.a, .empty, .rest)),
        ("A noMore", .loadEnded(.a, .noMore, .rest)), ("A failed", .loadEnded(.a, .failed, .rest)),
        ("A cancelled", .loadEnded(.a, .cancelled, .rest)),
        ("A timedOut", .loadEnded(.a, .timedOut, .rest)),
        ("A success, linger", .loadEnded(.a, .success, .linger)),
        ("A success, hold", .loadEnded(.a, .success, .hold)),
        ("A failed, hold", .loadEnded(.a, .failed, .hold)),
        ("A success, finish", .loadEnded(.a, .success, .finish)),
        ("B success", .loadEnded(.b, .success, .rest)),
        ("time up, linger", .timeUp(.linger)), ("time up, hold", .timeUp(.hold)),
        ("time up, finish", .timeUp(.finish)), ("time up, rest", .timeUp(.rest)),
        ("enabled", .enabled), ("disabled", .disabled),
    ]

    /// The fact without its values, for diagrams.
    var kind: String {
        switch self {
        case .pulled: "pulled"
        case .released: "released"
        case .cancelled: "cancelled"
        case .rested: "rested"
        case .touched: "touched"
        case .resumed: "resumed"
        case .timeUp: "time up"
        case .requested: "requested"
        case .superseded: "superseded"
        case .shown: "shown"
        case .hidden: "hidden"
        case .loadBegan: "load began"
        case .loadRefused: "load refused"
        case .loadEnded: "load ended"
        case .enabled: "enabled"
        case .disabled: "disabled"
        }
    }
}

extension RefreshAction {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .show: "show"
        case .arm: "arm"
        case .disarm: "disarm"
        case .fire(let load): "fire \(load.letter)"
        case .queue: "queue"
        case .conclude(let load, let result): "conclude \(load.letter) \(result)"
        case .close: "close"
        case .begin(let load): "begin \(load.letter)"
        case .beginHidden(let load): "ask \(load.letter)"
        case .attachLoad(let load): "join \(load.letter)"
        case .supersede(let old): "replace \(old.letter)"
        case .reveal: "reveal"
        case .finish(let load, let result):
            "finish \(load?.letter ?? "-") \(result.map { "\($0)" } ?? "-")"
        case .reportLateAnswer(let load): "drop \(load.letter)"
        }
    }
}

extension LoadID {
    static let a = LoadID(1)
    static let b = LoadID(2)
    static let n = LoadID(9)

    var letter: String {
        switch self {
        case .a: "A"
        case .b: "B"
        case .n: "N"
        default: description
        }
    }
}

/// Returns the number without a leading zero: `.5` for a half.
func short(_ value: Double) -> String {
    let text = number(value)
    return text.hasPrefix("0.") ? String(text.dropFirst()) : text
}
