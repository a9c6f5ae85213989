import RefreshIndicator
import RefreshProtocol

/// One frame after the other of an indicator, at a moment of its life: what a `stream` client costs
/// beside its message.
struct FrameBenchmark {
    /// What it goes through; each is measured by itself.
    enum Moment: String, CaseIterable {
        /// A finger pulls, a little farther or back with each frame.
        case pull
        /// The pull has just come far enough.
        case arming
        /// The refresh has just begun.
        case starting
        /// It goes on.
        case run
        /// It has ended.
        case finish
    }

    private var player: IndicatorPlayer
    private let moment: Moment
    /// Milliseconds.
    private var now: Double
    private let step: Double

    /// Milliseconds that a transition into a state takes at least, where there is one.
    private static let transition = 100.0
    /// Milliseconds from frame to frame of what moves by itself.
    private static let frame = 1000.0 / 30

    /// A player that is at `moment` and stays there for `count` frames: where the moment is short,
    /// time goes on by little.
    init(_ programme: Programme, at moment: Moment, count: Int) {
        player = IndicatorPlayer(
            Choreography(programme), role: .refresh, motion: .full, state: .idle, at: 0)
        self.moment = moment
        now = 1000
        player.show(.pulling, pull: 0.5, result: nil, at: now)
        now += 1000
        if moment != .pull { player.show(.eligible, pull: 1.1, result: nil, at: now) }
        let short = Self.transition / Double(count + 1)
        switch moment {
        case .pull: step = 1000.0 / 60
        case .arming: step = short
        case .starting:
            now += 1000
            player.show(.refreshing, pull: 0, result: nil, at: now)
            step = short
        case .run:
            now += 1000
            player.show(.refreshing, pull: 0, result: nil, at: now)
            now += 3000
            step = Self.frame
        case .finish:
            now += 1000
            player.show(.refreshing, pull: 0, result: nil, at: now)
            // A moment at which each of the endings lets it end.
            now += programme.run?.duration ?? 0
            player.show(.finishing, pull: 0, result: .success, at: now)
            player.show(.idle, pull: 0, result: .success, at: now)
            step = (programme.finish?.success?.duration ?? 0) / Double(count + 1)
        }
    }

    /// The next frame.
    mutating func frame(_ item: Int) {
        now += step
        if moment == .pull { player.show(.pulling, pull: Self.pull(item), result: nil, at: now) }
        player.advance(to: now)
    }

    /// There and back between nothing and beyond the threshold; no two neighbours are equal.
    private static func pull(_ item: Int) -> Double {
        let place = Double(item % 100)
        return (place < 50 ? place + 1 : 99.5 - place) / 40
    }

    /// - Throws: `BenchmarkError` when the moment has passed before the last frame.
    mutating func check(_ name: String) throws {
        let shown: EdgeState =
            switch moment {
            case .pull: .pulling
            case .arming: .eligible
            case .starting, .run: .refreshing
            case .finish: .finishing
            }
        let isMoving = player.nextChange(after: now) == now
        let mustMove = moment == .run || moment == .finish
        guard player.shown == shown, isMoving || !mustMove else {
            throw BenchmarkError.unexpected("\(name) did not reach its moment \(moment.rawValue)")
        }
    }
}

extension FrameBenchmark {
    /// What a frame costs at each moment of a programme's.
    struct Cost {
        let moment: Moment
        let microseconds: Double
        let allocations: Double
    }

    /// Frames of one round; the fastest of the rounds counts.
    private static let count = 10_000
    private static let rounds = 20

    static func measure(_ name: String, _ programme: Programme) throws -> [Cost] {
        try Moment.allCases.map { try measure(name, programme, at: $0) }
    }

    static func measure(_ name: String, _ programme: Programme, at moment: Moment) throws -> Cost {
        let warmup = count / 10
        var frames = FrameBenchmark(programme, at: moment, count: warmup + count * rounds)
        let measurement = Measurement(warmup: warmup, count: count, rounds: rounds) {
            frames.frame($0)
        }
        try frames.check(name)
        return Cost(
            moment: moment, microseconds: 1_000_000 / measurement.rate,
            allocations: measurement.allocations)
    }
}
