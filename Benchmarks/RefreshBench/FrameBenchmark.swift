import RefreshIndicator
import RefreshProtocol

/// Computes successive animation frames of an indicator in one phase of a refresh (`Moment`). The
/// daemon does this work only for `stream` clients.
struct FrameBenchmark {
    /// The phases of a refresh in which an indicator is measured, each separately.
    enum Moment: String, CaseIterable {
        /// A finger pulls a little farther or back with each frame.
        case pull
        /// The pull has just reached the threshold.
        case arming
        /// The refresh has just begun.
        case starting
        /// The refresh continues.
        case run
        /// The refresh has ended.
        case finish
    }

    private var player: IndicatorPlayer
    private let moment: Moment
    /// The current time in milliseconds.
    private var now: Double
    private let step: Double

    /// The minimum duration of a transition into a state, in milliseconds.
    private static let transition = 100.0
    /// The interval between animation frames, in milliseconds.
    private static let frame = 1000.0 / 30

    /// Creates a player that stays at `moment` for `count` frames. If the moment is short, time
    /// advances in small steps.
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
            // After one `duration` of the run, the finish begins without a delay, whatever the
            // `ending` of the programme is.
            now += programme.run?.duration ?? 0
            player.show(.finishing, pull: 0, result: .success, at: now)
            player.show(.idle, pull: 0, result: .success, at: now)
            step = (programme.finish?.success?.duration ?? 0) / Double(count + 1)
        }
    }

    /// Computes the next frame.
    mutating func frame(_ item: Int) {
        now += step
        if moment == .pull { player.show(.pulling, pull: Self.pull(item), result: nil, at: now) }
        player.advance(to: now)
    }

    /// Returns the pull of a frame, as a fraction of the threshold. The pull grows from zero to
    /// beyond the threshold, and then shrinks again. Successive values differ.
    private static func pull(_ item: Int) -> Double {
        let place = Double(item % 100)
        return (place < 50 ? place + 1 : 99.5 - place) / 40
    }

    /// - Throws: `BenchmarkError` if the moment has passed before the last frame.
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
    /// The cost of a frame of a programme at one moment.
    struct Cost {
        let moment: Moment
        let microseconds: Double
        let allocations: Double
    }

    /// The number of frames in a round. Only the fastest round counts.
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
