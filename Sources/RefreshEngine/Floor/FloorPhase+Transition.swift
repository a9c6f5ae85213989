extension FloorPhase {
    package struct Transition: Hashable, Sendable {
        package var phase: FloorPhase
        package var action: FloorAction

        init(_ phase: FloorPhase, _ action: FloorAction) {
            self.phase = phase
            self.action = action
        }
    }

    /// Returns the transition for `fact`. Every phase handles every fact.
    package func transition(for fact: FloorFact) -> Transition {
        switch self {
        case .closed, .pulling, .eligible: whenClosed(fact)
        case .opening: whenOpening(fact)
        case .open: whenOpen(fact)
        case .closing: whenClosing(fact)
        }
    }

    private var unchanged: Transition { Transition(self, .nothing) }

    /// Returns the transition in `closed`, `pulling` or `eligible`. In these phases the floor is
    /// not visible.
    private func whenClosed(_ fact: FloorFact) -> Transition {
        switch fact {
        case .pulled(let progress, let mayArm): pulled(to: progress, mayArm: mayArm)
        case .released(let isFast):
            self == .eligible || isFast ? Transition(.opening, .open) : unchanged
        case .cancelled:
            self == .eligible ? Transition(.pulling(progress: 1), .show) : unchanged
        case .rested, .removed: self == .closed ? unchanged : Transition(.closed, .show)
        case .openRequested: Transition(.opening, .open)
        case .closeRequested, .arrived: unchanged
        }
    }

    private func pulled(to progress: Double, mayArm: Bool) -> Transition {
        guard progress > 0 else {
            return self == .closed ? unchanged : Transition(.closed, .show)
        }
        guard progress >= 1 else {
            guard self != .pulling(progress: progress) else { return unchanged }
            return Transition(
                .pulling(progress: progress), self == .eligible ? .disarm : .show)
        }
        guard mayArm else {
            return self == .pulling(progress: 1)
                ? unchanged : Transition(.pulling(progress: 1), .show)
        }
        return self == .eligible ? unchanged : Transition(.eligible, .arm)
    }

    private func whenOpening(_ fact: FloorFact) -> Transition {
        switch fact {
        case .arrived: Transition(.open, .show)
        case .closeRequested: Transition(.closing, .close)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .openRequested: unchanged
        }
    }

    private func whenOpen(_ fact: FloorFact) -> Transition {
        switch fact {
        case .closeRequested: Transition(.closing, .close)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .openRequested, .arrived: unchanged
        }
    }

    private func whenClosing(_ fact: FloorFact) -> Transition {
        switch fact {
        case .arrived: Transition(.closed, .show)
        case .openRequested: Transition(.opening, .open)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .closeRequested: unchanged
        }
    }
}
