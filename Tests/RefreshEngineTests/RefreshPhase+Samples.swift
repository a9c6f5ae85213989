import RefreshEngine
import RefreshProtocol

/// Every phase and every fact of the refresh edge, by the name that tables and diagrams use.
/// Load A is the one in flight, B is stale, N is the next.
extension RefreshPhase {
    static let samples: [(name: String, phase: RefreshPhase)] = [
        ("disabled", .disabled), ("idle", .idle), ("pulling .5", .pulling(progress: 0.5)),
        ("pulling 1", .pulling(progress: 1)), ("eligible", .eligible),
        ("triggered A", .triggered(.a)), ("refreshing A", .refreshing(.a)),
        ("refreshing", .refreshing(nil)),
    ]

    var name: String {
        switch self {
        case .disabled, .idle, .eligible: "\(state)"
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
        ("pulled .5 reaching", .pulled(progress: 0.5, .reaching(.n))),
        ("pulled 1 showing", .pulled(progress: 1, .showing)),
        ("pulled 1 arming", .pulled(progress: 1, .arming)),
        ("pulled 1 reaching", .pulled(progress: 1, .reaching(.n))),
        ("released", .released(.n)), ("cancelled", .cancelled), ("rested", .rested),
        ("asked", .asked(.n, waits: false)), ("asked, waits", .asked(.n, waits: true)),
        ("shown", .shown), ("hidden", .hidden),
        ("A began", .loadBegan(.a)), ("A refused", .loadRefused(.a)),
        ("B began", .loadBegan(.b)), ("B refused", .loadRefused(.b)),
        ("A success", .loadEnded(.a, .success)), ("A empty", .loadEnded(.a, .empty)),
        ("A noMore", .loadEnded(.a, .noMore)), ("A failed", .loadEnded(.a, .failed)),
        ("A cancelled", .loadEnded(.a, .cancelled)), ("A timedOut", .loadEnded(.a, .timedOut)),
        ("B success", .loadEnded(.b, .success)),
        ("enabled", .enabled), ("disabled", .disabled),
    ]

    /// The fact without its values, for diagrams.
    var kind: String {
        switch self {
        case .pulled: "pulled"
        case .released: "released"
        case .cancelled: "cancelled"
        case .rested: "rested"
        case .asked: "asked"
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

extension RefreshDeed {
    var name: String {
        switch self {
        case .nothing: "nothing"
        case .show: "show"
        case .arm: "arm"
        case .disarm: "disarm"
        case .fire(let load): "fire \(load.letter)"
        case .begin(let load): "begin \(load.letter)"
        case .ask(let load): "ask \(load.letter)"
        case .join(let load): "join \(load.letter)"
        case .reveal: "reveal"
        case .finish(let load, let result):
            "finish \(load?.letter ?? "-") \(result.map { "\($0)" } ?? "-")"
        case .dropLateAnswer(let load): "drop \(load.letter)"
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

/// `.5` for a half.
func short(_ value: Double) -> String {
    let text = number(value)
    return text.hasPrefix("0.") ? String(text.dropFirst()) : text
}
