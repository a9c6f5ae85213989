import Testing

/// A kind of backend, and how to make one behave.
struct ContractSubject: Sendable, CustomTestStringConvertible {
    let kind: String
    /// What it can be made to do: the other behaviours are none of this kind.
    let covered: Set<Behaviour>
    /// A rig of this kind; called for `covered` only.
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

    /// Nil if this kind cannot show that behaviour.
    func rig(_ behaviour: Behaviour) async throws -> Rig? {
        covered.contains(behaviour) ? try await make(behaviour) : nil
    }

    /// A subject was asked for what it does not cover: a mistake of the suite.
    struct Uncovered: Error {}
}
