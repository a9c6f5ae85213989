/// One statement of docs/protocol.md, and how a client is asked whether it holds.
package struct ClientCase: Sendable {
    /// Unique and lasting: the group and a number, `comeback-07`.
    package var id: String
    package var group: ClientGroup
    /// In a word or two: `token-rotates`.
    package var name: String
    /// What is stated.
    package var description: String
    /// What the case wants to see.
    package var expectation: String
    /// Where it is stated: `docs/protocol.md#states`.
    package var reference: String
    package var level: ConformanceCase.Level
    /// What a client must offer that need not.
    package var needs: [ClientAbility]
    var body: Body

    typealias Body = @Sendable (ClientTrial) throws(TrialEnd) -> Void

    /// What it states.
    package var statement: ConformanceStatement {
        ConformanceStatement(
            id: id, group: group.rawValue, name: name, description: description,
            expectation: expectation, reference: reference, level: level,
            requirements: needs.map(\.description))
    }
}

/// Why a case ends before its end.
enum TrialEnd: Error {
    /// The client did otherwise.
    case failed(StepFailure)
    /// It has no such thing.
    case notOffered(String)
    /// The driver does not do what every driver has to.
    case unserved(StepFailure)

    static func failed(expected: String, came: String, _ mismatches: [Mismatch] = []) -> TrialEnd {
        .failed(StepFailure(expected: expected, came: came, mismatches: mismatches))
    }
}
