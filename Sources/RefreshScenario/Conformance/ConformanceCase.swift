/// One statement of docs/protocol.md, and how a server is asked whether it holds.
package struct ConformanceCase: Sendable {
    /// Unique and lasting: the group and a number, `pull-07`.
    package var id: String
    package var group: ConformanceGroup
    /// In a word or two: `release-fires`.
    package var name: String
    /// What is stated.
    package var description: String
    /// What the case wants to see.
    package var expectation: String
    /// Where it is stated: `docs/protocol.md#states`.
    package var reference: String
    package var level: Level
    /// What a server must have that need not have it.
    package var requirements: [ConformanceRequirement]
    /// How long the case takes at least, milliseconds, where that is long; 0: moments.
    package var patienceMs: Double
    package var body: Body

    /// How much a server is bound by the statement.
    package enum Level: String, Hashable, Sendable {
        /// A server that does otherwise fails.
        case must
        /// A server that does otherwise is not strict.
        case should
        /// What the server does is told, and held against nobody.
        case may
    }

    /// How the server is asked.
    package enum Body: Sendable {
        /// Phases of a scenario, each over one of the case's connections.
        case script([Act])
        /// What cannot be written down beforehand, for it depends on the server's limits.
        case exchange(@Sendable (ConformanceSession) async throws(StepFailure) -> Void)
        /// Bytes over a bare socket.
        case probe(HandshakeProbe)
    }

    /// A phase over a connection.
    package struct Act: Sendable {
        /// The connection's name; one that is not there is made.
        package var connection: String
        /// The connections that are cut off before.
        package var cut: [String]
        package var phase: Scenario.Phase
    }
}
