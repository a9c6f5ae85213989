/// Where a moment stands in the picture of a session: time goes evenly to the right, but long
/// silences are cut short.
struct TimeScale {
    /// Nothing happened from one moment to the other, milliseconds.
    struct Silence: Equatable {
        var from: Double
        var to: Double
    }

    let left: Double
    let width: Double
    let end: Double
    private(set) var silences: [Silence] = []
    private let pointsPerMs: Double

    /// A silence that is longer is cut short, milliseconds; so much of it is left on either side.
    private static let silenceMs = 1500.0
    private static let shownOfSilenceMs = 150.0
    /// How wide a silence is, points.
    static let silenceWidth = 26.0

    /// `moments`: at which something happened, in order; the first is the beginning and the last
    /// the end.
    init(_ moments: [Double], from left: Double, width: Double) {
        self.left = left
        self.width = width
        end = max(moments.last ?? 0, 1)
        for (now, next) in zip(moments, moments.dropFirst()) where next - now > Self.silenceMs {
            silences.append(
                Silence(from: now + Self.shownOfSilenceMs, to: next - Self.shownOfSilenceMs))
        }
        // So many that nothing else has room: then none is cut.
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

    /// What is not cut short.
    private var stretches: [ClosedRange<Double>] {
        var from = 0.0
        var stretches: [ClosedRange<Double>] = []
        for silence in silences {
            stretches.append(from...silence.from)
            from = silence.to
        }
        return stretches + [from...max(from, end)]
    }

    /// Round moments, about as far apart as their labels need.
    var ticks: [Double] {
        let leastMs = 64 / pointsPerMs
        let decade = [1.0, 2, 5].flatMap { step in
            [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000].map { step * $0 }
        }.sorted()
        guard let step = decade.first(where: { $0 >= leastMs }) else { return [0] }
        // Of a silence none is made, however many it has: it may be years.
        let all = stretches.flatMap { stretch in
            let first = (stretch.lowerBound / step).rounded(.up) * step
            return Array(stride(from: first, through: stretch.upperBound, by: step))
        }
        // Beside a silence two may come close.
        return all.reduce(into: []) { kept, t in
            if kept.last.map({ x(t) - x($0) >= 50 }) ?? true { kept.append(t) }
        }
    }

    /// Seconds to a millisecond, all of one form: they stand below each other.
    static func label(_ ms: Double) -> String { "\(LoadFindings.fixed(ms / 1000, 3)) s" }
}
