internal import RefreshProtocol

/// The path of a list after its release, as an `offset` command contains it. Source:
/// docs/protocol.md, "Commands and timelines".
struct ReleasePath {
    let to: Double
    let duration: Double
    /// The start of the path, on the daemon's clock.
    let start: Double
    /// The points of the path: the time after its start in milliseconds, and the offset at that
    /// time.
    let keys: [(ms: Double, offset: Double)]

    /// Creates a path. Nil if `command` has no `path`.
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

    /// Returns the offset of the list at a time on the daemon's clock, by linear interpolation.
    func offset(at time: Double) -> Double {
        Self.interpolatedValue(through: keys.map { ($0.ms, $0.offset) }, at: time - start)
    }

    /// The error in the first or last point of the path, or in its times. Nil if there is no error.
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

    /// Returns the value at `place` by linear interpolation. Before the first point, the result is
    /// the value of that point. After the last point, the result is the value of the last point or,
    /// if `extrapolates` is true, a value on the extended last segment.
    static func interpolatedValue(
        through points: [(Double, Double)], at place: Double, extrapolates: Bool = false
    ) -> Double {
        guard let first = points.first, let last = points.last, place > first.0 else {
            return points.first?.1 ?? 0
        }
        guard place < last.0 || (extrapolates && points.count > 1) else { return last.1 }
        let end = points.dropFirst().firstIndex { $0.0 >= place } ?? points.count - 1
        let (from, to) = (points[end - 1], points[end])
        guard to.0 > from.0 else { return to.1 }
        return from.1 + (to.1 - from.1) * (place - from.0) / (to.0 - from.0)
    }
}
