internal import LoadTesting

/// The horizontal scale of a session's picture. Time is linear, but long silences are shortened.
struct TimeScale {
    /// A period without events, in milliseconds.
    struct Silence: Equatable {
        var from: Double
        var to: Double
    }

    let left: Double
    let width: Double
    let end: Double
    private(set) var silences: [Silence] = []
    private let pointsPerMs: Double

    /// Silences longer than `silenceMs` are shortened. At each end of a silence, `shownOfSilenceMs`
    /// milliseconds keep their full width.
    private static let silenceMs = 1500.0
    private static let shownOfSilenceMs = 150.0
    /// The width of a shortened silence, in points.
    static let silenceWidth = 26.0

    /// Creates a scale. `moments` are the times of events, in order. The first time is the start of
    /// the scale, and the last time is its end.
    init(_ moments: [Double], from left: Double, width: Double) {
        self.left = left
        self.width = width
        end = max(moments.last ?? 0, 1)
        for (now, next) in zip(moments, moments.dropFirst()) where next - now > Self.silenceMs {
            silences.append(
                Silence(from: now + Self.shownOfSilenceMs, to: next - Self.shownOfSilenceMs))
        }
        // If shortened silences would take more than half of the width, none is shortened.
        if Double(silences.count) * Self.silenceWidth > width / 2 { silences = [] }
        let silent = silences.reduce(0) { $0 + $1.to - $1.from }
        pointsPerMs = (width - Double(silences.count) * Self.silenceWidth) / max(end - silent, 1)
    }

    func x(_ t: Double) -> Double {
        var ms = min(max(t, 0), end)
        var skipped = 0.0
        for silence in silences where t > silence.from {
            let part = min(t, silence.to) - silence.from
            ms -= part
            skipped += Self.silenceWidth * part / (silence.to - silence.from)
        }
        return left + ms * pointsPerMs + skipped
    }

    /// The periods that are not shortened.
    private var unshortenedPeriods: [ClosedRange<Double>] {
        var from = 0.0
        var stretches: [ClosedRange<Double>] = []
        for silence in silences {
            stretches.append(from...silence.from)
            from = silence.to
        }
        return stretches + [from...max(from, end)]
    }

    /// The times at which the axis has labels. They are round times, with enough distance for the
    /// labels.
    var ticks: [Double] {
        let leastMs = 64 / pointsPerMs
        let decade = [1.0, 2, 5].flatMap { step in
            [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000].map { step * $0 }
        }.sorted()
        guard let step = decade.first(where: { $0 >= leastMs }) else { return [0] }
        // Silences get no ticks, because a silence can last for years.
        let all = unshortenedPeriods.flatMap { stretch in
            let first = (stretch.lowerBound / step).rounded(.up) * step
            return Array(stride(from: first, through: stretch.upperBound, by: step))
        }
        // The last tick before a silence and the first tick after it can be too close to each
        // other.
        return all.reduce(into: []) { kept, t in
            if kept.last.map({ x(t) - x($0) >= 50 }) ?? true { kept.append(t) }
        }
    }

    /// Returns a time in seconds with three decimals, so that times in a column are aligned.
    static func label(_ ms: Double) -> String { "\(LoadResults.fixed(ms / 1000, 3)) s" }
}
