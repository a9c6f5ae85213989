internal import ScenarioKit

/// The statement that a case tests, and its section of the documentation. Reports on servers and on
/// clients contain it.
package struct ConformanceStatement: Sendable {
    /// The unique, permanent id: the group and a number.
    package var id: String
    /// The name of the case's group.
    package var group: String
    /// A name of a few words.
    package var name: String
    package var description: String
    package var expectation: String
    /// The section of the documentation that makes the statement.
    package var reference: String
    package var level: ConformanceCase.Level
    /// The optional features that the server or client needs, in words.
    package var requirements: [String]
}

extension ConformanceCase {
    /// The statement of the case.
    package var statement: ConformanceStatement {
        ConformanceStatement(
            id: id, group: group.rawValue, name: name, description: description,
            expectation: expectation, reference: reference, level: level,
            requirements: requirements.map(\.description))
    }
}
