internal import RefreshProtocol

/// What all clients of one scenario share. Used from one task.
final class ScenarioMemory {
    /// What `$name` stands for.
    var variables: [String: JSONValue] = [:]
    /// Where what is drawn comes from.
    private(set) var seed: UInt64
    /// Whether a seed was given that no step changes.
    private let isFixed: Bool
    /// Whether anything was drawn so far.
    var hasDrawn = false
    /// When the scenario began: when its first client came.
    var start: Instant?

    /// `seed`: what is drawn comes from there, whatever steps say.
    init(seed: UInt64? = nil) {
        self.seed = seed ?? 1
        isFixed = seed != nil
    }

    /// What is drawn from now on comes from there, unless another seed was given to the whole.
    func plant(_ seed: UInt64) {
        if !isFixed { self.seed = seed }
    }
}
