internal import ScenarioKit

/// A statement of docs/protocol.md, and the steps that test a client against it.
package struct ClientCase: Sendable {
    /// The unique, permanent id: the group and a number, such as `comeback-07`.
    package var id: String
    package var group: ClientGroup
    /// A name of a few words, such as `token-rotates`.
    package var name: String
    /// The statement.
    package var description: String
    /// The result that the case expects, in words.
    package var expectation: String
    /// The section of the documentation that makes the statement, such as
    /// `docs/protocol.md#states`.
    package var reference: String
    package var level: ConformanceCase.Level
    /// The optional features that the case needs.
    package var needs: [ClientAbility]
    var steps: [ClientStep]

    /// The statement of the case, for reports.
    package var statement: ConformanceStatement {
        ConformanceStatement(
            id: id, group: group.rawValue, name: name, description: description,
            expectation: expectation, reference: reference, level: level,
            requirements: needs.map(\.description))
    }
}

/// The reason why a case ended before its last step.
enum TrialEnd: Error {
    /// The client deviated from the statement of the case.
    case failed(StepFailure)
    /// The client or its driver does not offer a feature.
    case notOffered(String)
    /// The client's driver did not execute an order (a command from the grader) that every driver
    /// must execute.
    case driverFailed(StepFailure)

    static func failed(expected: String, came: String, _ mismatches: [Mismatch] = []) -> TrialEnd {
        .failed(StepFailure(expected: expected, came: came, mismatches: mismatches))
    }
}

/// The topic of a case for clients. A report lists the groups in the order of this enum.
package enum ClientGroup: String, CaseIterable, Hashable, Sendable {
    case greeting
    case batches
    case unknownInput = "strangers"
    case updates
    case commands
    case timelines
    case views
    case floors
    case layers
    case gestures
    case items
    case requests
    case features
    case patches
    case live
    case edits
    case sections
    case rows
    case errors
    case closing
    case comeback
    case liveness
}
