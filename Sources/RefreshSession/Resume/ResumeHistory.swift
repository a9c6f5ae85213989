internal import RefreshProtocol

/// The session's history: where it was opened, and where it was rebuilt from snapshots.
///
/// A line is an uninterrupted run of the session in one process. Its name is unique: it is the name
/// of the fresh session that the run replaced. Given two states of a session, the history shows
/// which one continues the other, whatever the clocks show. Source: docs/protocol.md, "Sealed
/// snapshots".
package struct ResumeHistory: Hashable, Sendable {
    /// A line, and how far the session got on it.
    package struct Step: Hashable, Sendable {
        package var line: String
        /// How many `welcome` messages were sent on the line.
        package var welcomes: UInt64

        package init(_ line: String, _ welcomes: UInt64) {
            self.line = line
            self.welcomes = welcomes
        }
    }

    /// The number of lines that are remembered, the latest ones.
    package static let stepsMax = 8

    /// The lines, oldest first, at most `most`.
    package private(set) var steps: [Step]

    /// Keeps the latest `most` steps.
    package init(_ steps: [Step]) { self.steps = steps.suffix(Self.stepsMax) }

    /// The history of a session that is opened: its `welcome` is the first.
    init(openedAs name: String) { self.init([Step(name, 1)]) }

    /// How many `welcome` messages were sent on the last line.
    var welcomes: UInt64 { steps.last?.welcomes ?? 0 }

    /// The history of the session rebuilt in place of the fresh session named `line`. No `welcome`
    /// was sent on that line yet.
    func continued(as line: String) -> ResumeHistory { ResumeHistory(steps + [Step(line, 0)]) }

    /// Counts one more `welcome`.
    mutating func recordWelcome() {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].welcomes += 1
    }

    /// Whether a session with this history must be replaced by a snapshot of `other`. That is so if
    /// the client with that snapshot has continued from this session's state, or from a state that
    /// this session itself continued later.
    ///
    /// `heard`: the number of the last `welcome` on the last line that the client is known to have
    /// received. A later one may have been lost, and the client may have continued elsewhere with
    /// what it had before. The ones between were sent on connections that no client has resumed
    /// from since.
    func isSuperseded(by other: ResumeHistory, received: UInt64) -> Bool {
        for (index, step) in steps.enumerated().reversed() {
            guard let place = other.steps.lastIndex(where: { $0.line.hasBytes(of: step.line) })
            else { continue }
            let welcomes = other.steps[place].welcomes
            guard welcomes <= step.welcomes else { return true }
            guard place < other.steps.count - 1 else { return false }
            let behind = steps.count - 1 - index
            if behind == 0 { return welcomes == received || welcomes == step.welcomes }
            // If the client is not known to have received any `welcome` of the last line, that line
            // does not count yet.
            return behind == 1 && received == 0 && welcomes == step.welcomes
        }
        return false
    }
}

/// Encoded as a list: a name, a number, a name, and so on.
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
