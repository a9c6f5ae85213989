internal import RefreshProtocol

/// The way of a list that was let go, as an `offset` command tells it. Source: docs/protocol.md,
/// "Commands and timelines".
struct ToldWay {
    let to: Double
    let duration: Double
    /// Daemon time.
    let start: Double
    /// Ms after the start, and offset.
    let keys: [(ms: Double, offset: Double)]

    /// Nil: it is no command with a `path`.
    init?(_ command: JSONValue?) {
        guard let command, let to = command["to"]?.number,
            let duration = command["duration"]?.number, let start = command["start"]?.number,
            let path = command["path"]?.array
        else { return nil }
        var keys: [(ms: Double, offset: Double)] = []
        for key in path {
            guard let pair = key.array, pair.count == 2, let ms = pair[0].number,
                let offset = pair[1].number
            else { return nil }
            keys.append((ms, offset))
        }
        guard !keys.isEmpty else { return nil }
        self.to = to
        self.duration = duration
        self.start = start
        self.keys = keys
    }

    /// Where it has the list at a daemon time: by straight lines.
    func offset(at time: Double) -> Double {
        Self.line(through: keys.map { ($0.ms, $0.offset) }, at: time - start)
    }

    /// What is wrong with its ends and its times; nil: nothing.
    var flaw: String? {
        guard let first = keys.first, first.ms == 0 else { return "does not begin at 0" }
        guard let last = keys.last, last.ms == duration, abs(last.offset - to) < 0.01 else {
            return "does not end with [\(duration), \(to)]"
        }
        guard zip(keys, keys.dropFirst()).allSatisfy({ $0.ms < $1.ms }) else {
            return "has times that do not grow"
        }
        return keys.count > 48 ? "has \(keys.count) keys" : nil
    }

    /// The value at a place by straight lines through points; before the first and behind the last
    /// it stays, or with `goesOn` the last line goes on.
    static func line(
        through points: [(Double, Double)], at place: Double, goesOn: Bool = false
    ) -> Double {
        guard let first = points.first, let last = points.last, place > first.0 else {
            return points.first?.1 ?? 0
        }
        guard place < last.0 || (goesOn && points.count > 1) else { return last.1 }
        let end = points.dropFirst().firstIndex { $0.0 >= place } ?? points.count - 1
        let (from, to) = (points[end - 1], points[end])
        guard to.0 > from.0 else { return to.1 }
        return from.1 + (to.1 - from.1) * (place - from.0) / (to.0 - from.0)
    }
}
