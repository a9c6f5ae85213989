import RefreshProtocol

/// Runs worlds, and makes one that went wrong as small as it cheaply gets.
package enum SimulatedWorlds {
    /// The world of the seed, whole.
    package static func run(_ seed: UInt64, isLogging: Bool = false) -> SimulationVerdict {
        Simulation(SimulationPlan(seed: seed), isLogging: isLogging).run()
    }

    /// What went wrong, in the smallest world of the seed that still does so: with fewer clients,
    /// and as few actions of each as it takes. Nil if nothing does.
    package static func smallest(_ seed: UInt64) -> SimulationVerdict? {
        var plan = SimulationPlan(seed: seed)
        guard failed(plan) != nil else { return nil }
        for clients in 1..<max(plan.clients, 2) {
            var smaller = plan
            smaller.clients = clients
            guard failed(smaller) != nil else { continue }
            plan = smaller
            break
        }
        for actions in 0...plan.actions {
            var smaller = plan
            smaller.actions = actions
            guard failed(smaller) != nil else { continue }
            plan = smaller
            break
        }
        return Simulation(plan, isLogging: true).run()
    }

    private static func failed(_ plan: SimulationPlan) -> String? { Simulation(plan).run().failure }
}

extension SimulationVerdict {
    /// For whoever has to find out.
    package var report: String {
        guard let failure else { return "seed \(plan.seed): all well (\(plan.summary))" }
        return "seed \(plan.seed): \(failure) at \(failedAt.milliseconds) ms\n    \(plan.summary)"
    }
}
