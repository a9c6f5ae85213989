/// The session's history: its opening, and each time it was rebuilt from a snapshot.
///
/// A *line* is an uninterrupted run of the session in one process. Each new connection opens a new
/// session with a unique name. If the client resumes on it, the resumed session replaces the new
/// session. The name of a line is the name of the new session with which the line began. Given two
/// states of a session, the histories show which state continues the other, independent of clocks.
/// Source: docs/protocol.md, "Sealed snapshots".
package struct ResumeHistory: Hashable, Sendable {
    /// A line, and the number of `welcome` messages on it.
    package struct Step: Hashable, Sendable {
        package var line: String
        /// How many `welcome` messages were sent on the line.
        package var welcomes: UInt64

        package init(_ line: String, _ welcomes: UInt64) {
            self.line = line
            self.welcomes = welcomes
        }
    }

    /// The number of latest lines that a history keeps.
    package static let stepsMax = 8

    /// The steps, oldest first, at most `stepsMax`.
    package private(set) var steps: [Step]

    /// Creates a history from the latest `stepsMax` of the steps.
    package init(_ steps: [Step]) { self.steps = steps.suffix(Self.stepsMax) }

    /// Creates the history of a session that is opened, and counts its first `welcome`.
    package init(openedAs name: String) { self.init([Step(name, 1)]) }

    /// How many `welcome` messages were sent on the last line.
    package var welcomes: UInt64 { steps.last?.welcomes ?? 0 }

    /// Returns the history of a session that is rebuilt in place of the new session with the name
    /// `line`. No `welcome` was sent on that line yet.
    package func continued(as line: String) -> ResumeHistory {
        ResumeHistory(steps + [Step(line, 0)])
    }

    /// Counts one more `welcome`.
    package mutating func recordWelcome() {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].welcomes += 1
    }

    /// Whether a session with this history must be replaced by a snapshot with the history `other`.
    /// This is the case if the client of the snapshot has continued from this session's state. It
    /// is also the case if both the client and this session have continued from the same earlier
    /// state.
    ///
    /// The client has certainly received the `welcome` number `received` of the last line. Later
    /// `welcome` messages may have been lost, and the client may have continued elsewhere from the
    /// state before them. No client has continued from a `welcome` between `received` and the last
    /// `welcome`. So a snapshot with the number of such a `welcome` is not newer.
    package func isSuperseded(by other: ResumeHistory, received: UInt64) -> Bool {
        for (index, step) in steps.enumerated().reversed() {
            guard let place = other.steps.lastIndex(where: { $0.line.hasBytes(of: step.line) })
            else { continue }
            let welcomes = other.steps[place].welcomes
            guard welcomes <= step.welcomes else { return true }
            guard place < other.steps.count - 1 else { return false }
            let behind = steps.count - 1 - index
            if behind == 0 { return welcomes == received || welcomes == step.welcomes }
            // If it is possible that no `welcome` of the last line reached the client, the last
            // line does not count.
            return behind == 1 && received == 0 && welcomes == step.welcomes
        }
        return false
    }
}

/// The history is encoded as a list in which the name of a line and its number of `welcome`
/// messages alternate.
extension ResumeHistory: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var steps: [Step] = []
        while !list.isAtEnd {
            steps.append(Step(try list.decode(String.self), try list.decode(UInt64.self)))
        }
        self.init(steps)
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for step in steps {
            try list.encode(step.line)
            try list.encode(step.welcomes)
        }
    }
}
