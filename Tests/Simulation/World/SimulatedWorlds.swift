import RefreshProtocol

/// Runs worlds, and reduces a failing world with few extra runs.
package enum SimulatedWorlds {
    /// The kinds of worlds.
    package enum Kind {
        /// Clients without features.
        case plain
        /// Readers of model lists, with features.
        case readers(ServerVariant)
        /// Clients without features, of daemons that form a cluster.
        case cluster(ClusterDefect?)
        /// Clients that edit a live list, of daemons that form a cluster.
        case live(LiveDefect?)

        /// Readers with a correct server.
        package static let readers = Kind.readers(.correct)
        /// A cluster of correct nodes.
        package static let cluster = Kind.cluster(nil)
        /// A live list of correct daemons.
        package static let live = Kind.live(nil)
    }

    /// Runs the world of the seed in full size.
    package static func run(
        _ seed: UInt64, _ kind: Kind = .plain, isLogging: Bool = false
    ) -> SimulationVerdict {
        Simulation(plan(seed, kind), isLogging: isLogging).run()
    }

    private static func plan(_ seed: UInt64, _ kind: Kind) -> SimulationPlan {
        switch kind {
        case .plain: return SimulationPlan(seed: seed)
        case .readers(let variant):
            var plan = SimulationPlan.readers(seed)
            plan.variant = variant
            return plan
        case .cluster(let defect):
            var plan = SimulationPlan.cluster(seed)
            plan.cluster?.defect = defect
            return plan
        case .live(let defect):
            var plan = SimulationPlan.live(seed)
            plan.live?.defect = defect
            return plan
        }
    }

    /// Reduces the number of clients, and then the actions of each client, for as long as the
    /// seed's world fails. Returns the result of the last world that failed. Nil if the seed does
    /// not fail.
    package static func smallest(
        _ seed: UInt64, _ kind: Kind = .plain
    ) -> SimulationVerdict? {
        var plan = plan(seed, kind)
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
    /// The result as text for the terminal.
    package var report: String {
        guard let failure else { return "seed \(plan.seed): all well (\(plan.summary))" }
        return "seed \(plan.seed): \(failure) at \(failedAt.milliseconds) ms\n    \(plan.summary)"
    }
}
