internal import RefreshProtocol

/// How a session came to be what it is: where it was opened, and where it was rebuilt from a
/// snapshot since.
///
/// A line is what one process tells a session without break, under a name that nobody else has:
/// that of the fresh session in whose place it began. Of two states of a session it says which one
/// has gone on from which, whatever clocks show. Source: docs/protocol.md, "Sealed snapshots".
package struct Lineage: Hashable, Sendable {
    /// A line, and how far the session got on it.
    package struct Step: Hashable, Sendable {
        package var line: String
        /// How many welcomes were told on it.
        package var welcomes: UInt64

        package init(_ line: String, _ welcomes: UInt64) {
            self.line = line
            self.welcomes = welcomes
        }
    }

    /// So many lines are remembered, the latest.
    package static let most = 8

    /// The oldest first, at most `most`.
    package private(set) var steps: [Step]

    /// Of more than `most` the latest.
    package init(_ steps: [Step]) { self.steps = steps.suffix(Self.most) }

    /// Of a session that is opened: its `welcome` is the first.
    init(openedAs name: String) { self.init([Step(name, 1)]) }

    /// How many welcomes were told on the last line.
    var welcomes: UInt64 { steps.last?.welcomes ?? 0 }

    /// The session is rebuilt in the place of the fresh one of that name, and nobody was welcomed
    /// yet.
    func goingOn(as line: String) -> Lineage { Lineage(steps + [Step(line, 0)]) }

    /// The session's client is welcomed once more.
    mutating func welcome() {
        guard !steps.isEmpty else { return }
        steps[steps.count - 1].welcomes += 1
    }

    /// Whether a session of this lineage has to give way to a snapshot of `other`: whoever has that
    /// has gone on from here, or from where this one itself had gone on later.
    ///
    /// `heard`: of the welcomes on the last line the last that its client is known to have heard;
    /// one that was told later may have been lost, and the client may have gone elsewhere with what
    /// it had before. Those in between went to nobody who has shown up since.
    func isOutdone(by other: Lineage, heard: UInt64) -> Bool {
        for (index, step) in steps.enumerated().reversed() {
            guard let place = other.steps.lastIndex(where: { $0.line.hasBytes(of: step.line) })
            else { continue }
            let welcomes = other.steps[place].welcomes
            guard welcomes <= step.welcomes else { return true }
            guard place < other.steps.count - 1 else { return false }
            let behind = steps.count - 1 - index
            if behind == 0 { return welcomes == heard || welcomes == step.welcomes }
            // Of a last line that its client is not known to have heard of, nothing holds yet.
            return behind == 1 && heard == 0 && welcomes == step.welcomes
        }
        return false
    }
}

/// As a list: a name, a number, a name, and so on.
extension Lineage: Codable {
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
