import RefreshProtocol

extension RefreshPhase {
    package struct Transition: Hashable, Sendable {
        package var phase: RefreshPhase
        package var deed: RefreshDeed

        init(_ phase: RefreshPhase, _ deed: RefreshDeed) {
            self.phase = phase
            self.deed = deed
        }
    }

    /// What follows from `fact` here. Total: every phase answers every fact.
    package func handling(_ fact: RefreshFact) -> Transition {
        switch self {
        case .disabled: whenDisabled(fact)
        case .idle, .pulling, .eligible: whenOpen(fact)
        case .triggered(let load): whenTriggered(load, fact)
        case .refreshing(let load): whenRefreshing(load, fact)
        }
    }

    private func whenDisabled(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .enabled: Transition(.idle, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _):
            Transition(self, .dropLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .asked, .shown, .hidden, .disabled:
            Transition(self, .nothing)
        }
    }

    /// In `idle`, `pulling` and `eligible`: nothing runs.
    private func whenOpen(_ fact: RefreshFact) -> Transition {
        switch fact {
        case .pulled(let progress, let pull): pulled(to: progress, pull)
        case .released(let load):
            self == .eligible
                ? Transition(.refreshing(load), .fire(load)) : Transition(self, .nothing)
        case .cancelled:
            self == .eligible
                ? Transition(.pulling(progress: 1), .show) : Transition(self, .nothing)
        case .rested: self == .idle ? Transition(self, .nothing) : Transition(.idle, .show)
        case .asked(let load, let waits):
            waits
                ? Transition(.triggered(load), .ask(load))
                : Transition(.refreshing(load), .begin(load))
        case .shown: Transition(.refreshing(nil), .reveal)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _):
            Transition(self, .dropLateAnswer(id))
        case .disabled: Transition(.disabled, .show)
        case .hidden, .enabled: Transition(self, .nothing)
        }
    }

    private func pulled(to progress: Double, _ pull: RefreshFact.Pull) -> Transition {
        guard progress > 0 else {
            return self == .idle ? Transition(self, .nothing) : Transition(.idle, .show)
        }
        guard progress >= 1 else {
            // A resting finger repeats itself; nothing new is told.
            guard self != .pulling(progress: progress) else { return Transition(self, .nothing) }
            return Transition(
                .pulling(progress: progress), self == .eligible ? .disarm : .show)
        }
        switch pull {
        case .arming:
            return self == .eligible
                ? Transition(self, .nothing) : Transition(.eligible, .arm)
        case .reaching(let load): return Transition(.refreshing(load), .fire(load))
        case .showing:
            guard self != .pulling(progress: 1) else { return Transition(self, .nothing) }
            return Transition(.pulling(progress: 1), .show)
        }
    }

    private func whenTriggered(_ load: LoadID, _ fact: RefreshFact) -> Transition {
        switch fact {
        case .loadBegan(load): Transition(.refreshing(load), .reveal)
        case .loadRefused(load): Transition(.idle, .finish(load, .refused))
        case .loadEnded(load, let result): Transition(.idle, .finish(load, result))
        case .hidden: Transition(.idle, .finish(load, .cancelled))
        case .disabled: Transition(.disabled, .finish(load, .cancelled))
        case .shown: Transition(.refreshing(load), .reveal)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _):
            Transition(self, .dropLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .asked, .enabled:
            Transition(self, .nothing)
        }
    }

    private func whenRefreshing(_ load: LoadID?, _ fact: RefreshFact) -> Transition {
        switch fact {
        case .asked(let new, _):
            load == nil
                ? Transition(.refreshing(new), .join(new)) : Transition(self, .nothing)
        case .hidden: Transition(.idle, .finish(load, load == nil ? nil : .cancelled))
        case .disabled: Transition(.disabled, .finish(load, load == nil ? nil : .cancelled))
        case .loadRefused(let id) where id == load: Transition(.idle, .finish(id, .refused))
        case .loadEnded(let id, let result) where id == load:
            Transition(.idle, .finish(id, result))
        case .loadBegan(let id) where id == load: Transition(self, .nothing)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _):
            Transition(self, .dropLateAnswer(id))
        case .pulled, .released, .cancelled, .rested, .shown, .enabled:
            Transition(self, .nothing)
        }
    }
}
