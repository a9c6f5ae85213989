import RefreshProtocol

/// What came of a simulated world.
package struct SimulationVerdict {
    let plan: SimulationPlan
    /// Nil: all that must hold did.
    package let failure: String?
    let failedAt: Instant
    /// Of all that was said and heard: the same for the same plan.
    package let trace: UInt64
    /// What happened, how often.
    package let tally: [String: Int]
    /// Each frame, if it was asked for.
    package let log: [String]
}
