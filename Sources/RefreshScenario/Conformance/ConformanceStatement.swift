/// What a case states and where, for reports: of a case for servers as of one for clients.
package struct ConformanceStatement: Sendable {
    /// Unique and lasting: the group and a number.
    package var id: String
    /// The name of its group.
    package var group: String
    /// In a word or two.
    package var name: String
    package var description: String
    package var expectation: String
    /// The section of the page that states it.
    package var reference: String
    package var level: ConformanceCase.Level
    /// What whoever is asked must have that need not have it, in words.
    package var requirements: [String]
}

extension ConformanceCase {
    /// What it states.
    package var statement: ConformanceStatement {
        ConformanceStatement(
            id: id, group: group.rawValue, name: name, description: description,
            expectation: expectation, reference: reference, level: level,
            requirements: requirements.map(\.description))
    }
}
