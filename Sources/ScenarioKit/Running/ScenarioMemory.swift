internal import RefreshProtocol

/// The state that all clients of a scenario share. It is used from one task.
package final class ScenarioMemory {
    /// The values of variables.
    var variables: [String: JSONValue] = [:]
    /// The seed of all random values.
    private(set) var seed: UInt64
    /// Whether the seed was given to `init`, so that no step can change the seed.
    private let isFixed: Bool
    /// Whether any random value was drawn so far.
    var hasDrawnRandom = false
    /// The time at which the scenario started, which is when its first client was created.
    var start: Instant?

    /// Creates the state. If `seed` is not nil, it overrides the seeds in steps.
    init(seed: UInt64? = nil) {
        self.seed = seed ?? 1
        isFixed = seed != nil
    }

    /// Sets the seed for later random values, if no seed was given to `init`.
    func setSeed(_ seed: UInt64) {
        if !isFixed { self.seed = seed }
    }
}
