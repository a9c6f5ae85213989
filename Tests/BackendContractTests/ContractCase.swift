import Testing

/// A kind with a behaviour of its, as the argument of a test.
struct ContractCase: Sendable, CustomTestStringConvertible {
    let subject: ContractSubject
    let behaviour: Behaviour

    init(_ subject: ContractSubject, _ behaviour: Behaviour) {
        self.subject = subject
        self.behaviour = behaviour
    }

    var testDescription: String { "\(subject.kind), \(behaviour)" }

    func rig() async throws -> Rig {
        try #require(try await subject.rig(behaviour), "\(testDescription) is not covered")
    }
}
