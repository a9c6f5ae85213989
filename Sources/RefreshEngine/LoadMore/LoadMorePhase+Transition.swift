import RefreshProtocol

extension LoadMorePhase {
    package struct Transition: Hashable, Sendable {
        package var phase: LoadMorePhase
        package var action: LoadMoreAction

        init(_ phase: LoadMorePhase, _ action: LoadMoreAction) {
            self.phase = phase
            self.action = action
        }
    }

    /// Returns the transition for `fact`. Every phase handles every fact.
    package func transition(for fact: LoadMoreFact) -> Transition {
        switch self {
        case .disabled: whenDisabled(fact)
        case .idle, .approaching, .eligible: whenNoLoadRuns(fact)
        case .waiting: whenWaiting(fact)
        case .triggered(let load), .loading(let load): whenLoading(load, fact)
        case .failed: whenFailed(fact)
        case .noMore: whenNoMore(fact)
        }
    }

    private var unchanged: Transition { Transition(self, .nothing) }

    private func whenDisabled(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .enabled(let hasMore): Transition(hasMore ? .idle : .noMore, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .approached, .released, .cancelled, .rested, .requested, .resumed, .contentReplaced,
            .rearmed,
            .loadCancelled, .disabled:
            unchanged
        }
    }

    /// Returns the transition in `idle`, `approaching` or `eligible`. In these phases no load runs.
    private func whenNoLoadRuns(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .approached(let progress, let approach): approached(to: progress, approach)
        case .released(let start): self == .eligible ? fired(start) : unchanged
        case .cancelled:
            self == .eligible
                ? Transition(.approaching(progress: 1), .show) : unchanged
        case .rested: self == .idle ? unchanged : Transition(.idle, .show)
        case .requested(let start, let waits): requested(start, waits: waits)
        case .contentReplaced(let hasMore): hasMore ? unchanged : Transition(.noMore, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .disabled: Transition(.disabled, .show)
        case .resumed, .rearmed, .loadCancelled, .enabled: unchanged
        }
    }

    /// The transition for a load that a gesture requests.
    private func fired(_ start: LoadStart) -> Transition {
        switch start {
        case .now(let load): Transition(.loading(load), .fire(load))
        case .later: Transition(.waiting, .queue)
        case .never:
            self == .approaching(progress: 1)
                ? unchanged : Transition(.approaching(progress: 1), .show)
        }
    }

    /// The transition for a load that is requested explicitly.
    private func requested(_ start: LoadStart, waits: Bool) -> Transition {
        switch start {
        case .now(let load):
            waits
                ? Transition(.triggered(load), .beginHidden(load))
                : Transition(.loading(load), .begin(load))
        case .later: Transition(.waiting, .show)
        case .never: unchanged
        }
    }

    private func whenWaiting(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .resumed(let load, let waits), .requested(.now(let load), let waits):
            requested(.now(load), waits: waits)
        case .contentReplaced(let hasMore): hasMore ? unchanged : Transition(.noMore, .show)
        case .loadCancelled: Transition(.idle, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .disabled: Transition(.disabled, .show)
        case .approached, .released, .cancelled, .rested, .requested, .rearmed, .enabled: unchanged
        }
    }

    private func approached(to progress: Double, _ approach: LoadMoreFact.Approach) -> Transition {
        guard progress > 0 else {
            return self == .idle ? unchanged : Transition(.idle, .show)
        }
        guard progress >= 1 else {
            // A finger that does not move repeats its position, so there is nothing new to send.
            guard self != .approaching(progress: progress) else {
                return unchanged
            }
            return Transition(
                .approaching(progress: progress), self == .eligible ? .disarm : .show)
        }
        switch approach {
        case .arming:
            return self == .eligible
                ? unchanged : Transition(.eligible, .arm)
        case .reaching(let start): return fired(start)
        case .showing:
            guard self != .approaching(progress: 1) else { return unchanged }
            return Transition(.approaching(progress: 1), .show)
        }
    }

    private func whenLoading(_ load: LoadID, _ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .loadBegan(load):
            self == .loading(load) ? unchanged : Transition(.loading(load), .reveal)
        case .loadEnded(load, let result, let hasMore): ended(load, result, hasMore: hasMore)
        case .loadRefused(load): Transition(.idle, .finish(load, .refused))
        case .loadCancelled: Transition(.idle, .finish(load, .cancelled))
        case .disabled: Transition(.disabled, .finish(load, .cancelled))
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .approached, .released, .cancelled, .rested, .requested, .resumed, .contentReplaced,
            .rearmed,
            .enabled:
            unchanged
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
        // If the list leaves the zone, a gesture can request a page again. While the list stays in
        // the zone, nothing is requested automatically (B-IQ-16, O-IQ-12).
        case .approached(let progress, _):
            progress > 0 ? unchanged : Transition(.idle, .show)
        case .requested(let start, let waits): requested(start, waits: waits)
        case .rearmed: Transition(.idle, .show)
        case .contentReplaced(let hasMore): Transition(hasMore ? .idle : .noMore, .show)
        case .disabled: Transition(.disabled, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .released, .cancelled, .rested, .resumed, .loadCancelled, .enabled: unchanged
        }
    }

    private func whenNoMore(_ fact: LoadMoreFact) -> Transition {
        switch fact {
        case .contentReplaced(let hasMore):
            hasMore ? Transition(.idle, .show) : unchanged
        case .disabled: Transition(.disabled, .show)
        case .loadBegan(let id), .loadRefused(let id), .loadEnded(let id, _, _):
            Transition(self, .reportLateAnswer(id))
        case .approached, .released, .cancelled, .rested, .requested, .resumed, .rearmed,
            .loadCancelled,
            .enabled:
            unchanged
        }
    }
}
