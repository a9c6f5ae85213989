import Testing

/// Searches all states of a session that moves between loops, connections and daemons. Source:
/// docs/simulation.md.
struct ReturnSearchTests {
    /// A state, given as the acts that lead to it. Each act has a fingerprint that identifies the
    /// jobs that the act posted (see `PostingCauses`).
    private struct Path {
        var steps: [(act: ReturnWorld.Act, cause: StateFingerprint)] = []

        func walk(_ rules: ReturnWorld.Rules) -> ReturnWorld {
            let world = ReturnWorld(rules)
            for step in steps { world.perform(step.act, because: step.cause) }
            return world
        }

        var text: String { steps.map { "\($0.act)" }.joined(separator: ", ") }
    }

    /// The search stops when a world has more states than this.
    private static let most = 20_000

    private static let searches = [
        ReturnWorld.Rules(name: "a lost welcome", lines: 2),
        ReturnWorld.Rules(name: "a load", lines: 2, refreshes: 1, depth: 8),
        ReturnWorld.Rules(name: "a load that is cancelled", lines: 1, refreshes: 1, cancels: 1),
        ReturnWorld.Rules(
            name: "the clock advances beyond the resume window", lines: 1, passes: 3),
        ReturnWorld.Rules(name: "an intruder with a replaced token", lines: 2, intruders: 1),
        ReturnWorld.Rules(
            name: "a crash", sealsSnapshots: true, lines: 1, refreshes: 1, crashes: 1),
        ReturnWorld.Rules(
            name: "two daemons", isSplit: true, sealsSnapshots: true, lines: 2, refreshes: 1,
            depth: 6),
    ]

    @Test("In every state, the client can resume its session", arguments: searches)
    func search(_ rules: ReturnWorld.Rules) {
        let start = ReturnWorld(rules)
        var seen: Set = [start.fingerprint]
        var frontier = [(path: Path(), acts: start.acts, hosts: start.hostsFingerprint)]
        var transitions = 0
        var depth = 0
        while !frontier.isEmpty, depth < rules.depth ?? .max {
            var next: [(path: Path, acts: [ReturnWorld.Act], hosts: StateFingerprint)] = []
            for state in frontier {
                for (index, act) in state.acts.enumerated() {
                    let world = state.path.walk(rules)
                    var cause = state.hosts
                    cause.mix(index)
                    var path = state.path
                    path.steps.append((act, cause))
                    world.perform(act, because: cause)
                    transitions += 1
                    if seen.insert(world.fingerprint).inserted {
                        next.append((path, world.acts, world.hostsFingerprint))
                        world.end(at: transitions % 2)
                    }
                    if let mistake = world.mistake {
                        Issue.record("\(rules.name): \(mistake), after \(path.text)")
                        return
                    }
                }
            }
            frontier = next
            depth += 1
            guard seen.count <= Self.most else { break }
        }
        print(
            "\(rules.name): \(seen.count) states, \(transitions) transitions,",
            frontier.isEmpty ? "all by \(depth)" : "cut at \(depth)")
        #expect(frontier.isEmpty == (rules.depth == nil), "the search did not reach all states")
        #expect(seen.count > 50)
    }
}

extension ReturnWorld.Rules: CustomTestStringConvertible {
    var testDescription: String { name }
}
