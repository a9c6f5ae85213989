import RefreshIndicator
import RefreshProtocol

/// Plays a programme for a contact sheet. It shows pulls of different lengths (each with a resting
/// finger), the refresh that follows, and each way in which the refresh can end.
struct PreviewPlayback {
    private let choreography: Choreography

    /// The shown lengths of a pull, as fractions of the threshold.
    static let pulls = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 2]
    /// The time after which every transition has ended, in milliseconds.
    private static let settleTime = 2 * ProgrammeLimits.timeMax

    init(_ programme: Programme) {
        choreography = Choreography(programme)
    }

    /// Returns the rows of a contact sheet with the given number of columns.
    func rows(columns: Int) -> [PlottedRow] {
        var rows = [
            PlottedRow(
                title: "Pull", note: "progress towards the threshold, which is 1",
                frames: Self.pulls.map(pullFrame))
        ]
        if choreography.programme.run != nil {
            rows.append(
                PlottedRow(
                    title: "Refresh", note: "milliseconds after it began",
                    frames: refreshFrames(
                        columns >= Self.pulls.count ? Self.pulls.count : 2 * columns)))
        }
        rows += endingRows(columns >= Self.pulls.count ? Self.pulls.count : columns)
        if !states.frames.isEmpty { rows.append(states) }
        return rows
    }

    /// Returns a frame in which the finger rests after a pull of this length.
    private func pullFrame(_ pull: Double) -> PlottedFrame {
        let state: EdgeState = pull == 0 ? .idle : pull < 1 ? .pulling : .eligible
        return PlottedFrame(
            restingPlayer(in: state, pull: pull), label: JSONValue.number(pull).text)
    }

    private func restingPlayer(in state: EdgeState, pull: Double) -> IndicatorPlayer {
        var player = makePlayer()
        player.show(state, pull: pull, result: nil, at: 0)
        player.advance(to: Self.settleTime)
        return player
    }

    private func makePlayer() -> IndicatorPlayer {
        IndicatorPlayer(choreography, role: .refresh, motion: .full, state: .idle, at: 0)
    }

    /// A player that shows a refresh after a pull to the threshold. The refresh starts at
    /// `settleTime`.
    private var refreshing: IndicatorPlayer {
        var player = restingPlayer(in: .eligible, pull: 1)
        player.show(.refreshing, pull: 0, result: nil, at: Self.settleTime)
        return player
    }

    /// The duration of the shown part of the refresh. It is the duration of the programme's `run`.
    /// If the transition into the state `refreshing` takes longer, as many cycles as needed are
    /// added.
    private var runTime: Double {
        guard let run = choreography.programme.run else { return 0 }
        let entering = choreography.programme.states[.refreshing]?.enter.map(\.duration).max()
        let cycle = run.duration - run.loopFrom
        var time = run.duration
        while cycle > 0, time < entering ?? 0 { time += cycle }
        return time
    }

    private func refreshFrames(_ count: Int) -> [PlottedFrame] {
        let turns = turningPoints
        let times =
            2 * turns.count >= count
            ? Self.filledTimes(turns, to: count) : Self.evenlySpacedTimes(runTime, count)
        var player = refreshing
        return times.map { time in
            player.advance(to: Self.settleTime + time)
            return PlottedFrame(player, label: Self.milliseconds(time))
        }
    }

    /// The times of those keyframes at which the indicator has a new appearance, and the end of the
    /// programme's `run`. Empty if the shown part of the refresh is longer than `run`.
    private var turningPoints: [Double] {
        guard let run = choreography.programme.run, runTime == run.duration else { return [] }
        let keys = Set(run.tracks.flatMap { $0.keys.map(\.position) } + [0, run.duration])
        var player = refreshing
        var looks: Set<[Double]> = []
        return keys.sorted().filter { time in
            player.advance(to: Self.settleTime + time)
            return looks.insert(player.values).inserted || time == run.duration
        }
    }

    /// Inserts times between the given times until there are `count` times.
    private static func filledTimes(_ times: [Double], to count: Int) -> [Double] {
        var times = times
        while times.count < count {
            let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
            guard let widest = gaps.indices.max(by: { gaps[$0] < gaps[$1] }) else { break }
            times.insert(times[widest] + gaps[widest] / 2, at: widest + 1)
        }
        return times
    }

    private static func evenlySpacedTimes(_ time: Double, _ count: Int) -> [Double] {
        (0..<count).map { time * Double($0) / Double(count - 1) }
    }

    private func endingRows(_ columns: Int) -> [PlottedRow] {
        let success = endingFrames(.succeeded, .success, count: min(columns, 7))
        let failure = endingFrames(.failed, .failed, count: min(columns, 7))
        let note = "milliseconds after the run ended"
        if success.isEmpty && failure.isEmpty { return [] }
        let isSame = zip(success, failure).allSatisfy { $0.hasSameAppearance(as: $1) }
        if isSame && success.count == failure.count {
            return [PlottedRow(title: "Success and failure", note: note, frames: success)]
        }
        return [
            PlottedRow(title: "Success", note: note, frames: success),
            PlottedRow(title: "Failure", note: note, frames: failure),
        ].filter { !$0.frames.isEmpty }
    }

    private func endingFrames(
        _ state: EdgeState, _ result: LoadResult, count: Int
    ) -> [PlottedFrame] {
        let finish = choreography.programme.finish
        guard let clip = state == .failed ? finish?.failure : finish?.success else { return [] }
        let end = Self.settleTime + runTime
        var player = refreshing
        player.advance(to: end)
        player.show(state, pull: 0, result: result, at: end)
        return Self.evenlySpacedTimes(clip.duration, count).map { time in
            player.advance(to: end + time)
            return PlottedFrame(player, label: Self.milliseconds(time))
        }
    }

    /// The row with the text of each state.
    private var states: PlottedRow {
        let frames = EdgeState.allCases.compactMap { state -> PlottedFrame? in
            guard let look = choreography.programme.states[state], !look.texts.isEmpty else {
                return nil
            }
            return PlottedFrame(playerAtRest(in: state), label: state.rawValue)
        }
        return PlottedRow(title: "States", note: "the text of each state", frames: frames)
    }

    /// Returns a player at rest in a state. If the state follows a refresh, the player has played a
    /// refresh before.
    private func playerAtRest(in state: EdgeState) -> IndicatorPlayer {
        switch state {
        case .succeeded, .finishing, .failed:
            var player = refreshing
            let end = Self.settleTime + runTime
            player.advance(to: end)
            player.show(
                state, pull: 0, result: state == .failed ? .failed : .success, at: end)
            player.advance(to: end + Self.settleTime)
            return player
        case .pulling, .approaching: return restingPlayer(in: state, pull: 0.5)
        case .disabled, .idle, .eligible, .triggered, .refreshing, .loading, .noMore:
            return restingPlayer(in: state, pull: 1)
        }
    }

    private static func milliseconds(_ time: Double) -> String {
        JSONValue.number(time.rounded()).text
    }
}
