package import RefreshProtocol

/// One indicator during playback, with its programme, the state of its edge, and its history. The
/// player receives the state of the edge, and computes the look of the layers at a given time.
///
/// A programme has a run (shown during the load) and a finish (shown after it). Each of the two
/// ends at its exact instant, and this instant does not depend on when the player is called.
/// Source: docs/indicators.md, "What is shown when". The web client implements the same rules, and
/// a test compares both implementations.
package struct IndicatorPlayer: Sendable {
    /// The part that is shown.
    enum Stage: Hashable, Sendable, Codable {
        /// The look at a pull of 0.
        case rest
        case pull
        /// The run, from `since` to `until`. `until` is infinity while the refresh runs.
        case run(since: Double, until: Double)
        case finish(since: Double, isFailure: Bool)
    }

    /// A negligible duration, in milliseconds.
    private static let negligibleMs = 1e-6

    package let choreography: Choreography
    let role: EdgeRole
    let motion: MotionPreference
    /// The state of the edge.
    var state: EdgeState
    private var stateSince: Double
    /// The state whose `StateLook` (settings, transitions and texts) is shown.
    package private(set) var shown: EdgeState
    /// The settings in the `StateLook` of `shown`.
    private var settings: [(slot: Int, value: Double)]
    private(set) var stage: Stage
    package private(set) var pull: Double
    private var result: LoadResult?
    /// The look that `advance` computed last: ten numbers for each layer. Numbers that never change
    /// have their initial values.
    package private(set) var values: [Double]
    /// The look from which the finish began.
    private(set) var lookBeforeFinish: [Double] = []
    private var fade = Fade()
    /// Whether only the pull can change the look until another state or part is shown. If so,
    /// nothing fades, and the current state does not set the values that the pull moves.
    package private(set) var isSteady = false

    /// Creates a player for an edge that has been in this state since `now`, in milliseconds.
    package init(
        _ choreography: Choreography, role: EdgeRole, motion: MotionPreference,
        state: EdgeState, pull: Double = 0, at now: Double
    ) {
        self.choreography = choreography
        self.role = role
        self.motion = motion
        self.state = state
        self.shown = state
        self.settings = choreography.state(state)?.settings ?? []
        self.stateSince = now
        self.pull = pull
        self.values = choreography.initial
        switch state.display(at: role) {
        case .pull: stage = .pull
        case .run: stage = .run(since: now, until: .infinity)
        case .end, .rest, .nothing: stage = .rest
        }
        advance(to: now)
    }

    // MARK: State of the edge

    /// Shows `state` from `now` on. `pull` is the fraction of the distance to the threshold. Beyond
    /// the threshold, it is above 1. `result` is the result of the load; nil if the update of the
    /// edge contains none.
    package mutating func show(
        _ state: EdgeState, pull: Double, result: LoadResult?, at now: Double
    ) {
        // Nearly every call is for the next sample of a pull.
        if case .pull = stage, state == self.state, result == nil {
            self.pull = pull
            return
        }
        applyDueEnds(at: now)
        let wasRunning = self.state.display(at: role) == .run
        if let result { self.result = result }
        if state != self.state { stateSince = now }
        self.state = state
        switch state.display(at: role) {
        case .pull:
            transition(to: state, .pull, at: now)
            self.pull = pull
        case .run:
            // The result of the previous run does not apply to the new one.
            if !wasRunning { self.result = nil }
            beginRun(at: now)
        case .end, .rest: endRun(at: now)
        case .nothing: transition(to: state, .rest, at: now)
        }
    }

    private mutating func beginRun(at now: Double) {
        if case .run(let since, _) = stage {
            transition(to: state, .run(since: since, until: .infinity), at: now)
        } else {
            transition(to: state, .run(since: now, until: .infinity), at: now)
        }
    }

    private mutating func endRun(at now: Double) {
        guard motion == .full else { return transition(to: state, .rest, at: now) }
        switch stage {
        case .rest, .pull: transition(to: state, .rest, at: now)
        case .run(let since, let until):
            guard until == .infinity else { return }
            stage = .run(since: since, until: end(ofRunSince: since, at: now))
        case .finish: transition(to: stateOfFinish, stage, at: now)
        }
        applyDueEnds(at: now)
    }

    /// The time at which a run ends after its refresh has ended.
    private func end(ofRunSince since: Double, at now: Double) -> Double {
        guard let run = choreography.programme.run else { return now }
        switch choreography.programme.finish?.ending ?? .atOnce {
        case .atOnce: return now
        case .atStep: return since + ((now - since) / run.step).rounded(.up) * run.step
        case .atCycle:
            let first = since + run.duration
            let cycle = run.duration - run.loopFrom
            if now <= first { return first }
            return cycle > 0 ? first + ((now - first) / cycle).rounded(.up) * cycle : now
        case .atRelease: return state == .finishing ? .infinity : now
        }
    }

    /// The state during a finish. It is always a state whose display is `end`.
    private var stateOfFinish: EdgeState {
        switch state {
        case .succeeded, .failed, .finishing: state
        default: .finishing
        }
    }

    /// Ends the parts that must have ended by `now`.
    private mutating func applyDueEnds(at now: Double) {
        if case .run(_, let until) = stage, until <= now { beginFinish(at: until) }
        guard case .finish(let since, let isFailure) = stage else { return }
        let end = since + (clip(isFailure)?.duration ?? 0)
        if end <= now, state.display(at: role) == .rest {
            transition(to: state, .rest, at: max(end, stateSince))
        }
    }

    private mutating func beginFinish(at instant: Double) {
        let isFailure = result == .failed || result == .timedOut
        if clip(isFailure) == nil, state.display(at: role) == .rest {
            return transition(to: state, .rest, at: instant)
        }
        updateRunEndValues(at: instant)
        lookBeforeFinish = values
        transition(to: stateOfFinish, .finish(since: instant, isFailure: isFailure), at: instant)
    }

    func clip(_ isFailure: Bool) -> Programme.Clip? {
        isFailure
            ? choreography.programme.finish?.failure : choreography.programme.finish?.success
    }

    private mutating func transition(to newShown: EdgeState, _ newStage: Stage, at now: Double) {
        if newShown != shown {
            updateValues(at: now)
            isSteady = false
            fade = Fade()
            if motion == .full {
                fade.begin(
                    leaving: choreography.state(shown), entering: choreography.state(newShown),
                    at: now, from: values)
            }
            shown = newShown
            settings = choreography.state(newShown)?.settings ?? []
        }
        if newStage != .pull { isSteady = false }
        stage = newStage
    }

    // MARK: Look of the layers

    /// Updates `values` to `now`, which must never decrease.
    package mutating func advance(to now: Double) {
        if isSteady { return choreography.pull.apply(at: pull, to: &values) }
        applyDueEnds(at: now)
        updateValues(at: now)
        isSteady =
            stage == .pull && motion == .full && !fade.isActive(at: now)
            && choreography.isSteady(in: shown)
    }

    /// The time at which the look changes next without an input. It is `now` if the look is moving.
    /// If not, it is the instant at which the run ends. Nil if the look does not change.
    package mutating func nextChange(after now: Double) -> Double? {
        applyDueEnds(at: now)
        guard motion == .full else { return nil }
        if fade.isActive(at: now) { return now }
        switch stage {
        case .rest, .pull: return nil
        case .run(let since, let until):
            if isRunMoving(since: since, at: now) { return now }
            return until < .infinity ? until : nil
        case .finish(let since, let isFailure):
            guard let clip = clip(isFailure), now < since + clip.duration else { return nil }
            return now
        }
    }

    private func isRunMoving(since: Double, at now: Double) -> Bool {
        guard let run = choreography.programme.run, !choreography.run.isEmpty else {
            return false
        }
        return run.duration > run.loopFrom || now < since + run.duration
    }

    private mutating func updateValues(at now: Double) {
        updateStageValues(at: now)
        for setting in settings { values[setting.slot] = setting.value }
        fade.apply(at: now, to: &values, choreography.liveSlots)
    }

    /// Sets `values` to those of the current part at `now`.
    private mutating func updateStageValues(at now: Double) {
        switch stage {
        case .rest: setValues(choreography.rest)
        case .pull:
            setValues(choreography.initial)
            choreography.pull.apply(at: pull, to: &values)
        case .run(let since, _):
            setValues(choreography.fullPull)
            if motion == .full {
                choreography.run.apply(at: positionInRun(now - since), to: &values)
            }
        case .finish(let since, let isFailure):
            setValues(lookBeforeFinish)
            let clip = isFailure ? choreography.failure : choreography.success
            clip.apply(at: now - since, to: &values)
        }
        if motion == .reduced { resetMovement() }
    }

    /// Sets `values` to the look at the end of a run. If the run ends at the end of a cycle, this
    /// look is exactly that of the end of the cycle. Rounding errors in the times of the run (up to
    /// `negligibleMs`) do not change it.
    private mutating func updateRunEndValues(at instant: Double) {
        guard case .run(let since, _) = stage, let run = choreography.programme.run else {
            return updateStageValues(at: instant)
        }
        let place = positionInRun(instant - since)
        let isAtEnd =
            place > run.duration - Self.negligibleMs
            || (instant - since > run.duration - Self.negligibleMs
                && place - run.loopFrom < Self.negligibleMs)
        setValues(choreography.fullPull)
        choreography.run.apply(at: isAtEnd ? run.duration : place, to: &values)
    }

    private mutating func setValues(_ look: [Double]) {
        for slot in choreography.liveSlots { values[slot] = look[slot] }
    }

    /// Sets the properties whose change is a movement (`isMovement`) to their values at a pull of
    /// 1.
    private mutating func resetMovement() {
        for slot in choreography.liveSlots
        where LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer).isMovement {
            values[slot] = choreography.fullPull[slot]
        }
    }

    /// The position in the run after `time` milliseconds.
    private func positionInRun(_ time: Double) -> Double {
        guard let run = choreography.programme.run, time >= run.duration else { return time }
        let cycle = run.duration - run.loopFrom
        guard cycle > 0 else { return run.duration }
        return run.loopFrom + (time - run.loopFrom).truncatingRemainder(dividingBy: cycle)
    }
}

// MARK: Saving and restoring
extension IndicatorPlayer {
    /// The saved state of a player, without its programme.
    package struct SavedState: Hashable, Sendable, Codable {
        fileprivate var role: EdgeRole
        fileprivate var motion: MotionPreference
        fileprivate var state: EdgeState
        fileprivate var stateSince: Double
        fileprivate var shown: EdgeState
        fileprivate var stage: Stage
        fileprivate var pull: Double
        fileprivate var result: LoadResult?
        fileprivate var values: [Double]
        fileprivate var lookBeforeFinish: [Double]
        fileprivate var fade: Fade
        fileprivate var isSteady: Bool

        private enum CodingKeys: String, CodingKey {
            case role, motion, state, stateSince, shown, stage, pull, result, values, fade, isSteady
            case lookBeforeFinish = "held"
        }
    }

    package var savedState: SavedState {
        SavedState(
            role: role, motion: motion, state: state, stateSince: stateSince, shown: shown,
            stage: stage, pull: pull, result: result, values: values,
            lookBeforeFinish: lookBeforeFinish, fade: fade, isSteady: isSteady)
    }

    /// Restores the player. Returns nil if the state cannot belong to this programme.
    package init?(_ choreography: Choreography, _ saved: SavedState) {
        let slots = choreography.initial.count
        guard saved.values.count == slots,
            saved.lookBeforeFinish.isEmpty || saved.lookBeforeFinish.count == slots,
            saved.fade.isConsistent(withSlots: slots)
        else { return nil }
        self.init(
            choreography, role: saved.role, motion: saved.motion, state: saved.state, at: 0)
        stateSince = saved.stateSince
        shown = saved.shown
        settings = choreography.state(saved.shown)?.settings ?? []
        stage = saved.stage
        pull = saved.pull
        result = saved.result
        values = saved.values
        lookBeforeFinish = saved.lookBeforeFinish
        fade = saved.fade
        isSteady = saved.isSteady
    }
}
