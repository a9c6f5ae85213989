import RefreshProtocol

extension RefreshPhase {
    /// The reaction to a fact: the next phase, and the action of the engine.
    package struct Transition: Hashable, Sendable {
        package var phase: RefreshPhase
        package var action: RefreshAction

        init(_ phase: RefreshPhase, _ action: RefreshAction) {
            self.phase = phase
            self.action = action
        }
    }

    /// Returns the transition for `fact`. Every phase handles every fact.
    package func transition(for fact: RefreshFact) -> Transition {
        switch self {
        case .disabled: whenDisabled(fact)
        case .idle, .pulling, .eligible: whenNoRefreshRuns(fact)
        case .waiting: whenWaiting(fact)
        case .triggered(let load): whenTriggered(load, fact)
        case .refreshing(let load): whenRefreshing(load, fact)
        case .lingering(let result): whenCompleted(showing: result, fact)
        case .held(let result): whenCompleted(showing: result, fact)
        case .finishing: whenFinishing(fact)
        }
    }

    private var unchanged: Transition { Transition(self, .nothing) }

    private func whenDisabled(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .enabled: Transition(.idle, .show)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .touched, .requested, .resumed, .shown,
            .hidden, .superseded,
            .timeUp, .disabled:
            unchanged
        }
    }

    /// Returns the transition in `idle`, `pulling` or `eligible`. In these phases no refresh runs.
    private func whenNoRefreshRuns(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .pulled(let progress, let pull): pulled(to: progress, pull)
        case .released(let start): self == .eligible ? fired(start) : unchanged
        case .cancelled:
            self == .eligible ? Transition(.pulling(progress: 1), .show) : unchanged
        case .rested: self == .idle ? unchanged : Transition(.idle, .show)
        case .requested(let start, let waits): requested(start, waits: waits)
        case .shown: Transition(.refreshing(nil), .reveal)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .disabled: Transition(.disabled, .show)
        case .touched, .resumed, .superseded, .hidden, .timeUp, .enabled: unchanged
        }
    }

    /// Returns the transition for a pull in `idle`, `pulling` or `eligible`.
    @inline(__always)
    func pulled(to progress: Double, _ pull: RefreshFact.Pull) -> Transition {
        guard progress > 0 else {
            return self == .idle ? unchanged : Transition(.idle, .show)
        }
        guard progress >= 1 else {
            // A finger that does not move repeats its position, so there is nothing new to send.
            guard self != .pulling(progress: progress) else { return unchanged }
            return Transition(
                .pulling(progress: progress), self == .eligible ? .disarm : .show)
        }
        switch pull {
        case .arming: return self == .eligible ? unchanged : Transition(.eligible, .arm)
        case .reaching(let start): return fired(start)
        case .showing:
            guard self != .pulling(progress: 1) else { return unchanged }
            return Transition(.pulling(progress: 1), .show)
        }
    }

    /// Returns the transition for a load that a gesture requests.
    private func fired(_ start: LoadStart) -> Transition {
        switch start {
        case .now(let load): Transition(.refreshing(load), .fire(load))
        case .later: Transition(.waiting, .queue)
        case .never:
            self == .pulling(progress: 1) ? unchanged : Transition(.pulling(progress: 1), .show)
        }
    }

    /// Returns the transition for an explicitly requested load, in a phase without a load. If
    /// `waits` is true, the refresh is shown only after the backend has begun the load.
    private func requested(_ start: LoadStart, waits: Bool) -> Transition {
        switch start {
        case .now(let load):
            waits
                ? Transition(.triggered(load), .beginHidden(load))
                : Transition(.refreshing(load), .begin(load))
        case .later: Transition(.waiting, .show)
        case .never: unchanged
        }
    }

    private func whenWaiting(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .resumed(let load, let waits), .requested(.now(let load), let waits):
            requested(.now(load), waits: waits)
        case .hidden: Transition(.idle, .show)
        case .disabled: Transition(.disabled, .show)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .touched, .requested, .superseded, .shown,
            .timeUp, .enabled:
            unchanged
        }
    }

    private func whenTriggered(_ load: LoadID, _ fact: RefreshFact) -> Transition {
        switch fact {
        case .loadBegan(load): Transition(.refreshing(load), .reveal)
        case .loadRefused(load, _): Transition(.idle, .finish(load, .refused))
        case .loadEnded(load, let result, _): Transition(.idle, .finish(load, result))
        case .hidden: Transition(.idle, .finish(load, .cancelled))
        case .disabled: Transition(.disabled, .finish(load, .cancelled))
        case .superseded(let new): Transition(.triggered(new), .supersede(load))
        case .shown: Transition(.refreshing(load), .reveal)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .touched, .requested, .resumed, .timeUp,
            .enabled:
            unchanged
        }
    }

    private func whenRefreshing(_ load: LoadID?, _ fact: RefreshFact) -> Transition {
        switch fact {
        case .requested(.now(let new), _), .resumed(let new, _):
            load == nil ? Transition(.refreshing(new), .attachLoad(new)) : unchanged
        case .requested(.later, _): load == nil ? Transition(.waiting, .close) : unchanged
        case .superseded(let new):
            load.map { Transition(.refreshing(new), .supersede($0)) } ?? unchanged
        case .hidden(let display):
            closed(display, .finish(load, load == nil ? nil : .cancelled))
        case .disabled: Transition(.disabled, .finish(load, load == nil ? nil : .cancelled))
        case .loadRefused(let id, let display) where id == load:
            closed(display, .finish(id, .refused))
        case .loadEnded(let id, let result, let display) where id == load:
            ended(id, result, display)
        case .loadBegan(let id) where id == load: unchanged
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .touched, .requested, .shown, .timeUp,
            .enabled:
            unchanged
        }
    }

    private func ended(
        _ load: LoadID, _ result: LoadResult, _ display: RefreshFact.CompletionDisplay
    ) -> Transition {
        switch display {
        case .linger: Transition(.lingering(result), .conclude(load, result))
        case .hold: Transition(.held(result), .conclude(load, result))
        case .finish, .rest: closed(display, .finish(load, result))
        }
    }

    /// Returns the transition that ends the display of the indicator. The display ends immediately,
    /// or after a phase in which the indicator closes. This phase delays nothing: a requested load,
    /// for example, begins during it.
    private func closed(_ display: RefreshFact.CompletionDisplay, _ action: RefreshAction)
        -> Transition
    {
        switch display {
        case .linger, .hold, .finish: Transition(.finishing, action)
        case .rest: Transition(.idle, action)
        }
    }

    /// Returns the transition in `lingering` or `held`. In these phases no load runs, and the
    /// indicator is visible.
    private func whenCompleted(showing result: LoadResult, _ fact: RefreshFact) -> Transition {
        switch fact {
        case .timeUp(.hold):
            if case .held = self { unchanged } else { Transition(.held(result), .show) }
        case .timeUp(.finish), .hidden(.linger), .hidden(.hold), .hidden(.finish):
            Transition(.finishing, .close)
        case .timeUp(.rest), .hidden(.rest), .touched: Transition(.idle, .close)
        case .timeUp(.linger): unchanged
        case .requested(.now(let load), _), .resumed(let load, _):
            Transition(.refreshing(load), .attachLoad(load))
        case .requested(.later, _): Transition(.waiting, .close)
        case .shown: Transition(.refreshing(nil), .reveal)
        case .disabled: Transition(.disabled, .close)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .requested, .superseded, .enabled: unchanged
        }
    }

    private func whenFinishing(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .timeUp, .touched: Transition(.idle, .show)
        case .requested(let start, let waits): requested(start, waits: waits)
        case .shown: Transition(.refreshing(nil), .reveal)
        case .disabled: Transition(.disabled, .show)
        case .loadBegan(let id), .loadRefused(let id, _), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .resumed, .superseded, .hidden, .enabled:
            unchanged
        }
    }
}
