import RefreshProtocol

extension LoadMorePhase {
    package struct Transition: Hashable, Sendable {
        package var phase: LoadMorePhase
        package var deed: LoadMoreDeed

        init(_ phase: LoadMorePhase, _ deed: LoadMoreDeed) {
            self.phase = phase
            self.deed = deed
        }
    }

    /// What follows from `fact` here. Total: every phase answers every fact.
    package func handling(_ fact: LoadMoreFact) -> Transition {
        switch self {
        case .disabled: whenDisabled(fact)
        case .idle, .approaching, .eligible: whenOpen(fact)
        case .loading(let load): whenLoading(load, fact)
        case .failed: whenFailed(fact)
        case .noMore: whenNoMore(fact)
        }
    }

    private func whenDisabled(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .enabled(let hasMore): Transition(hasMore ? .idle : .noMore, .show)
        case .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .dropLateAnswer(id))
        case .neared, .released, .cancelled, .rested, .asked, .renewed, .abandoned, .disabled:
            Transition(self, .nothing)
        }
    }

    /// In `idle`, `approaching` and `eligible`: nothing runs.
    private func whenOpen(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .neared(let progress, let approach): neared(to: progress, approach)
        case .released(let load):
            self == .eligible
                ? Transition(.loading(load), .fire(load)) : Transition(self, .nothing)
        case .cancelled:
            self == .eligible
                ? Transition(.approaching(progress: 1), .show) : Transition(self, .nothing)
        case .rested: self == .idle ? Transition(self, .nothing) : Transition(.idle, .show)
        case .asked(let load): Transition(.loading(load), .begin(load))
        case .renewed(let hasMore):
            hasMore ? Transition(self, .nothing) : Transition(.noMore, .show)
        case .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .dropLateAnswer(id))
        case .disabled: Transition(.disabled, .show)
        case .abandoned, .enabled: Transition(self, .nothing)
        }
    }

    private func neared(to progress: Double, _ approach: LoadMoreFact.Approach) -> Transition {
        guard progress > 0 else {
            return self == .idle ? Transition(self, .nothing) : Transition(.idle, .show)
        }
        guard progress >= 1 else {
            // A resting finger repeats itself; nothing new is told.
            guard self != .approaching(progress: progress) else {
                return Transition(self, .nothing)
            }
            return Transition(
                .approaching(progress: progress), self == .eligible ? .disarm : .show)
        }
        switch approach {
        case .arming:
            return self == .eligible
                ? Transition(self, .nothing) : Transition(.eligible, .arm)
        case .reaching(let load): return Transition(.loading(load), .fire(load))
        case .showing:
            guard self != .approaching(progress: 1) else { return Transition(self, .nothing) }
            return Transition(.approaching(progress: 1), .show)
        }
    }

    private func whenLoading(_ load: LoadID, _ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .loadEnded(load, let result, let hasMore): ended(load, result, hasMore: hasMore)
        case .loadRefused(load): Transition(.idle, .finish(load, .refused))
        case .abandoned: Transition(.idle, .finish(load, .cancelled))
        case .disabled: Transition(.disabled, .finish(load, .cancelled))
        case .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .dropLateAnswer(id))
        case .neared, .released, .cancelled, .rested, .asked, .renewed, .enabled:
            Transition(self, .nothing)
        }
    }

    private func ended(_ load: LoadID, _ result: LoadResult, hasMore: Bool) -> Transition {
        switch result {
        case .success, .empty, .noMore:
            Transition(hasMore ? .idle : .noMore, .finish(load, result))
        case .failed, .timedOut: Transition(.failed, .finish(load, result))
        case .cancelled, .refused: Transition(.idle, .finish(load, result))
        }
    }

    private func whenFailed(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        // Leaving the zone re-arms; staying in it never asks again by itself (B-IQ-16, O-IQ-12).
        case .neared(let progress, _):
            progress > 0 ? Transition(self, .nothing) : Transition(.idle, .show)
        case .asked(let load): Transition(.loading(load), .begin(load))
        case .renewed(let hasMore): Transition(hasMore ? .idle : .noMore, .show)
        case .disabled: Transition(.disabled, .show)
        case .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .dropLateAnswer(id))
        case .released, .cancelled, .rested, .abandoned, .enabled: Transition(self, .nothing)
        }
    }

    private func whenNoMore(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .renewed(let hasMore):
            hasMore ? Transition(.idle, .show) : Transition(self, .nothing)
        case .disabled: Transition(.disabled, .show)
        case .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .dropLateAnswer(id))
        case .neared, .released, .cancelled, .rested, .asked, .abandoned, .enabled:
            Transition(self, .nothing)
        }
    }
}
