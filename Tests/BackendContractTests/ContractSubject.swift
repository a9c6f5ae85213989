import Testing

/// A kind of backend, and a function that creates a rig with a certain behaviour.
struct ContractSubject: Sendable, CustomTestStringConvertible {
    let kind: String
    /// The behaviours that this kind supports.
    let covered: Set<Behaviour>
    /// Creates a rig of this kind. It is called only for behaviours in `covered`.
    private let make: @Sendable (Behaviour) async throws -> Rig

    init(
        _ kind: String, covers covered: Set<Behaviour>,
        _ make: @escaping @Sendable (Behaviour) async throws -> Rig
    ) {
        self.kind = kind
        self.covered = covered
        self.make = make
    }

    static let all: [ContractSubject] = [
        .demo, .file, .http, .sqlite, .exec, .worker, .script,
    ]

    var testDescription: String { kind }

    /// Returns a rig with this behaviour; nil if this kind does not support it.
    func rig(_ behaviour: Behaviour) async throws -> Rig? {
        covered.contains(behaviour) ? try await make(behaviour) : nil
    }

    /// The error for a requested behaviour that is not in `covered`, which is a mistake of the
    /// suite.
    struct Uncovered: Error {}
}
