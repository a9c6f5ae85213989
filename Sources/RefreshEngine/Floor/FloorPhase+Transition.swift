extension FloorPhase {
    package struct Transition: Hashable, Sendable {
        package var phase: FloorPhase
        package var deed: FloorAction

        init(_ phase: FloorPhase, _ deed: FloorAction) {
            self.phase = phase
            self.deed = deed
        }
    }

    /// Returns the transition for `fact`. Total: every phase handles every fact.
    package func handling(_ fact: FloorFact) -> Transition {
        switch self {
        case .closed, .pulling, .eligible: whenShut(fact)
        case .opening: whenOpening(fact)
        case .open: whenOpen(fact)
        case .closing: whenClosing(fact)
        }
    }

    private var unchanged: Transition { Transition(self, .nothing) }

    /// In `closed`, `pulling` and `eligible`: the floor is not visible.
    private func whenShut(_ fact: FloorFact) -> Transition {
        switch fact {
        case .pulled(let progress, let mayArm): pulled(to: progress, mayArm: mayArm)
        case .released(let isFast):
            self == .eligible || isFast ? Transition(.opening, .open) : unchanged
        case .cancelled:
            self == .eligible ? Transition(.pulling(progress: 1), .show) : unchanged
        case .rested, .removed: self == .closed ? unchanged : Transition(.closed, .show)
        case .openAsked: Transition(.opening, .open)
        case .closeAsked, .arrived: unchanged
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
        case .closeAsked: Transition(.closing, .close)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .openAsked: unchanged
        }
    }

    private func whenOpen(_ fact: FloorFact) -> Transition {
        switch fact {
        case .closeAsked: Transition(.closing, .close)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .openAsked, .arrived: unchanged
        }
    }

    private func whenClosing(_ fact: FloorFact) -> Transition {
        switch fact {
        case .arrived: Transition(.closed, .show)
        case .openAsked: Transition(.opening, .open)
        case .removed: Transition(.closed, .remove)
        case .pulled, .released, .cancelled, .rested, .closeAsked: unchanged
        }
    }
}
