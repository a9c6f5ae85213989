import RefreshEngine
import RefreshProtocol

extension Effect {
    /// The effect as one line of a test. The text is exact: numbers are in their shortest form. A
    /// timeline's start is omitted if it is `now`, and its curve if it is the default curve.
    func text(at now: Instant) -> String {
        switch self {
        case .showEdge(let edge, let state, let progress, let cause, let result):
            let parts: [String?] = [
                "\(name(of: edge)) \(state)", progress == 0 ? nil : number(progress),
                cause.map { "by \($0)" }, result.map { "after \($0)" },
            ]
            return parts.compactMap { $0 }.joined(separator: " ")
        case .showFloor(let state, let progress):
            return progress == 0 ? "floor \(state)" : "floor \(state) \(number(progress))"
        case .showList(let count, let hasMore):
            return "list \(count)\(hasMore ? " and more" : "")"
        case .showNewer(let hasNewer): return hasNewer ? "newer" : "nothing newer"
        case .showNewerCount(let count): return "\(count.value.map { "\($0)" } ?? "some") newer"
        case .showAway(let isAway): return isAway ? "away" : "back"
        case .showRevealed(let result): return "revealed: \(result)"
        case .showOperations(let releases): return releases ? "release" : "show operations"
        case .repeatLoad(let order): return "repeat \(order.text)"
        case .play(let haptic): return "\(haptic)"
        case .announce(let cue): return "announce \(cue)"
        case .setInset(let command):
            let shares: [String?] = [
                command.refresh.map { "top \(number($0))" },
                command.loadMore.map { "bottom \(number($0))" },
            ]
            let share = shares.compactMap { $0 }.joined(separator: " ")
            return "inset \(share)\(command.timeline.text(at: now))"
        case .moveContent(let command):
            switch command.movement {
            case .glide(let target, let timeline):
                return "offset \(number(target))\(timeline.text(at: now))"
            case .flight(let flight):
                return "offset \(number(flight.rest)) by flight"
                    + (flight.start == now ? "" : " from \(flight.start.milliseconds)")
            }
        case .startLoad(let order):
            switch order.source {
            case .backend: return "load \(order.text)"
            case .lookUp: return "look up \(order.text)"
            case .cached: return "cached \(order.text)"
            }
        case .endLoad(let load, let kind, let result): return "end \(load) \(kind) \(result)"
        case .endPage(let load, let page, let result): return "page \(page) of \(load) \(result)"
        case .reportLateAnswer(let load): return "late \(load)"
        case .joinRefresh(let load): return "joined \(load.map { "\($0)" } ?? "the wait")"
        case .reportStall: return "stalled"
        case .refuse(let code): return "refuse \(code)"
        case .ignore(let code): return "ignore \(code)"
        }
    }
}

/// Edges are named as in a vertical view.
private func name(of role: EdgeRole) -> String { role == .refresh ? "top" : "bottom" }

extension LoadOrder {
    var text: String {
        let tail: [String?] = [
            cursor.map { "cursor \($0)" }, attempt == 1 ? nil : "attempt \(attempt)",
            pages == 1 ? nil : "pages \(pages)",
        ]
        return
            (["\(id) \(kind) \(trigger) by \(cause), page \(page) offset \(offset) size \(size)"]
            + tail.compactMap { $0 }).joined(separator: " ")
    }
}

extension Timeline {
    func text(at now: Instant) -> String {
        var text = duration == 0 ? "" : " in \(number(duration))"
        if duration != 0, curve != .easeInOut { text += " \(curve)" }
        if start != now { text += " from \(start.milliseconds)" }
        return text
    }
}

/// Whole numbers without a fraction, others in their shortest form.
func number(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    return "\(value)"
}
