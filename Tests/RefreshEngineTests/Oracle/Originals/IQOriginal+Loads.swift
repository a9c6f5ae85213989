/// IQPullToRefresh's rules for the beginning and the end of a display, and for the callbacks.
/// `departs(_:)` and `amendments` select the behaviour that a verdict demands (see `OracleModel`).
extension IQOriginal {
    mutating func show(_ control: Moment.Control, _ new: Moment.PeerState) {
        guard self[control].state != new else { return }
        self[control].state = new
        actions.append(.state(control, new))
    }

    /// Calls the delegate, which may be the wrapper.
    mutating func trigger(_ control: Moment.Control, type: String) {
        guard self[control].isEnabled else { return }
        if self[control].load != nil, departs("IQ-5") { return }
        guard state.wrapper == nil else { return triggerWrapper(control) }
        startLoad(control)
        actions.append(.callback(control, type: type))
        let shown = self[control].load
        switch state.delegateBegins {
        case "success": begin(control)
        case "failure": end(control, outcome: .answered)
        default: break
        }
        // The engine shows nothing while it waits for the delegate, or if the delegate has not
        // begun the load.
        let isIdle = self[control].state == .none || self[control].state == .refreshing
        if !isIdle, departs(self[control].isSystem ? "IQ-10" : "IQ-5") { show(control, .none) }
        if state.finishesAtOnce, self[control].load == shown, shown != nil {
            finish(control, isSuccess: true)
        }
    }

    mutating func startLoad(_ control: Moment.Control) {
        self[control].load = answers.count
        self[control].hasFailed = false
        self[control].isSuperseded = false
        answers.append(Load(control: control))
    }

    /// Shows the load, at most once.
    mutating func begin(_ control: Moment.Control) {
        guard self[control].state != .refreshing else { return }
        show(control, .refreshing)
        guard !self[control].isSystem else {
            self[control].isSpinning = true
            return move(to: place.reveal(state.pull.length))
        }
        let side: Moment.Side = control == .refresh ? .start : .end
        state.wanted[side] = self[control].length
        writeRoom(side, state.inset[side] + self[control].length)
        // A list at rest at its top moves to make the indicator visible.
        if control == .refresh { move(to: place.reveal(state.pull.length)) }
    }

    /// Ends the display and, if a load is in flight, the load.
    mutating func end(_ control: Moment.Control, outcome: Load.Outcome) {
        if let load = self[control].load { answers[load].outcome = outcome }
        self[control].load = nil
        guard self[control].state == .refreshing else {
            if self[control].isSpinning, departs("IQ-10") {
                self[control].isSpinning = false
                show(control, .none)
            }
            return
        }
        if self[control].isSystem {
            self[control].isSpinning = false
            move(to: place.close())
        } else {
            let side: Moment.Side = control == .refresh ? .start : .end
            if state.wanted[side] != self[control].length { _ = departs("IQ-7") }
            state.wanted[side] = 0
            writeRoom(side, state.inset[side] - self[control].length)
            if control == .refresh { move(to: place.close()) }
        }
        show(control, .none)
    }

    mutating func finish(_ control: Moment.Control, isSuccess: Bool) {
        let wasShown = self[control].state == .refreshing
        if isSuccess {
            self[control].isRenewed = true
            state.approach.hasFailed = false
            if control == .refresh { state.approach.isSuperseded = state.approach.load != nil }
        } else if wasShown, !self[control].isSuperseded {
            _ = departs("IQ-19")
            self[control].hasFailed = true
        }
        end(control, outcome: .answered)
    }

    mutating func stop(_ control: Moment.Control) {
        end(control, outcome: .stopped)
        wrapperStopped()
    }

    /// Whether the report that `load` has finished belongs to the running load. The original
    /// accepts the report for any load.
    mutating func isCurrent(_ load: Int?, of control: Moment.Control) -> Bool {
        guard let load, load != self[control].load else { return true }
        return !departs("IQ-4")
    }

    mutating func enable(_ control: Moment.Control, _ isEnabled: Bool) {
        guard isEnabled != self[control].isEnabled else { return }
        if isEnabled {
            self[control].isEnabled = true
            if self[control].state != .refreshing { show(control, .none) }
            return
        }
        end(control, outcome: .stopped)
        wrapperStopped()
        self[control].isEnabled = false
        if self[control].state != .none, departs("IQ-8") { show(control, .none) }
    }

    mutating func systemControlFired() {
        guard state.pull.isSystem, state.pull.isEnabled else { return }
        if state.pull.load != nil, departs("IQ-5") { return }
        state.pull.isSpinning = true
        trigger(.refresh, type: "refreshControl")
    }

    /// Replaces the refresh control. The original resets the state of the control only while
    /// refreshing is enabled.
    mutating func replaceControl(length: Double?, state own: Moment.PeerState) {
        let isBusy = state.pull.state == .refreshing || state.pull.load != nil
        if isBusy, departs("IQ-7") { stop(.refresh) }
        state.pull.length = length ?? state.pull.length
        if state.pull.isEnabled {
            show(.refresh, .none)
        } else if own == .none || !departs("IQ-9") {
            show(.refresh, own)
        }
    }

    mutating func setAppInsets(_ sides: Moment.Sides) {
        let share = Moment.Sides(
            start: state.inset.start - state.app.start, end: state.inset.end - state.app.end)
        state.app = sides
        state.inset = sides
        let isOwn = share != Moment.Sides() || state.wanted != Moment.Sides()
        if isOwn, departs("IQ-7") {
            state.inset.start += share.start
            state.inset.end += share.end
        }
    }

    /// Sets the inset. The original sets it at once, also under a finger.
    private mutating func writeRoom(_ side: Moment.Side, _ inset: Double) {
        if state.isFingerDown, departs("R10") { return }
        var inset = inset
        if amendments.contains("IQ-7") { inset = state.app[side] + state.wanted[side] }
        // If an inset of the other side is withheld, it is sent together with this inset.
        recordRoom(but: side)
        // If the inset already has the desired value, the engine sets nothing. The inset has this
        // value if the previous change was withheld.
        if state.inset[side] == inset, departs("R10") { return }
        state.inset[side] = inset
        actions.append(.room(side, inset - state.app[side]))
    }

    /// Sends the insets that were withheld while the finger was down.
    mutating func recordRoom(but recorded: Moment.Side? = nil) {
        for side in [Moment.Side.start, .end] where side != recorded && amendments.contains("R10") {
            let inset = state.app[side] + state.wanted[side]
            guard state.inset[side] != inset, departs("R10") else { continue }
            state.inset[side] = inset
            actions.append(.room(side, state.wanted[side]))
        }
    }
}
