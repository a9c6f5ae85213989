internal import ScenarioKit

/// The conformance suite for clients: all cases, by group and number. Source: docs/conformance.md,
/// "Grading a client".
package enum ClientSuite {
    /// All cases.
    package static let cases: [ClientCase] =
        greeting + batches + strangers + updates + commands + timelines + views + floors + layers
        + gestures + resting + items + requests + errors + closing + comeback + sessions + bounds
        + liveness

    /// Returns the cases of these groups whose id or name matches one of the patterns; `*` is a
    /// wildcard. An empty list of groups or patterns selects all cases.
    package static func cases(
        inGroups groups: [ClientGroup], matching patterns: [String]
    ) -> [ClientCase] {
        cases.filter { subject in
            (groups.isEmpty || groups.contains(subject.group))
                && (patterns.isEmpty
                    || patterns.contains { pattern in
                        [subject.id, subject.name].contains { Matcher.matches($0, form: pattern) }
                    })
        }
    }

    /// Returns the cases of a group, numbered in order. The section of each is one of
    /// docs/protocol.md.
    static func numberedCases(_ group: ClientGroup, from first: Int = 1, _ drafts: [Draft])
        -> [ClientCase]
    {
        drafts.enumerated().map { index, draft in
            let number = first + index
            return ClientCase(
                id: "\(group.rawValue)-\(number < 10 ? "0" : "")\(number)", group: group,
                name: draft.name, description: draft.description, expectation: draft.expectation,
                reference: "docs/protocol.md#\(draft.section)", level: draft.level,
                needs: draft.needs, body: draft.body)
        }
    }

    /// A case without its number.
    struct Draft {
        var name: String
        var description: String
        var expectation: String
        var section: String
        var level: ConformanceCase.Level
        var needs: [ClientAbility]
        var body: ClientCase.Body

        init(
            _ name: String, _ description: String, expects expectation: String, at section: String,
            level: ConformanceCase.Level = .must, needs: [ClientAbility] = [],
            _ body: @escaping ClientCase.Body
        ) {
            self.name = name
            self.description = description
            self.expectation = expectation
            self.section = section
            self.level = level
            self.needs = needs
            self.body = body
        }

        /// A case for a client with one view. The frames are sent, the client must show the
        /// pattern, and must keep showing it for `keptForMs`.
        init(
            _ name: String, _ description: String, expects expectation: String, at section: String,
            level: ConformanceCase.Level = .must, needs: [ClientAbility] = [],
            told frames: @autoclosure @escaping @Sendable () -> [[String]], shown pattern: String,
            withinMs: Double? = nil, keptForMs: Double? = nil
        ) {
            self.init(
                name, description, expects: expectation, at: section, level: level, needs: needs
            ) { trial throws(TrialEnd) in
                try trial.open()
                for frame in frames() { try trial.send(frame) }
                try trial.expectShown(pattern, withinMs: withinMs)
                if let keptForMs { try trial.expectStaysShown(pattern, forMs: keptForMs) }
            }
        }
    }
}
