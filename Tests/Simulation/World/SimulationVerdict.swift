import RefreshProtocol

/// The result of a simulated world.
package struct SimulationVerdict {
    let plan: SimulationPlan
    /// The first condition that did not hold. Nil if all conditions held.
    package let failure: String?
    let failedAt: Instant
    /// The hash of all messages sent and received. Equal plans give equal hashes.
    package let trace: UInt64
    /// How often each kind of event occurred.
    package let tally: [String: Int]
    /// All frames, if logging was requested.
    package let log: [String]
}
