import RefreshEngine
import RefreshProtocol

/// The state diagram of a machine. It is found by passing every fact to every phase.
struct MachineDiagram<State: Hashable & Sendable>: Sendable {
    /// The kinds of fact that lead from one phase to another, in the order in which they were
    /// found.
    private(set) var edges: [(from: String, to: String, kinds: [String])] = []
    private var reportedSuccessors: [State: Set<State>] = [:]
    /// The states that can be sent to a client.
    private(set) var states: Set<State> = []
    private let start: String

    private init(from start: String) { self.start = start }

    private mutating func record(
        from: String, to: String, _ kind: String, reported: (from: State, to: State)
    ) {
        states.insert(reported.from)
        if reported.from != reported.to {
            reportedSuccessors[reported.from, default: []].insert(reported.to)
        }
        let (from, to) = (from.firstWord, to.firstWord)
        guard from != to else { return }
        guard let index = edges.firstIndex(where: { $0.from == from && $0.to == to }) else {
            return edges.append((from, to, [kind]))
        }
        if !edges[index].kinds.contains(kind) { edges[index].kinds.append(kind) }
    }

    /// The states that can be sent to a client next after `state`.
    func successors(of state: State) -> Set<State> { reportedSuccessors[state] ?? [] }

    /// The diagram of the phases, in the language of Mermaid.
    var mermaid: String {
        let lines = edges.map { edge in
            "    \(edge.from) --> \(edge.to): \(edge.kinds.joined(separator: ", "))"
        }
        return (["```mermaid", "stateDiagram-v2", "    [*] --> \(start)"] + lines + ["```"])
            .joined(separator: "\n")
    }
}

extension MachineDiagram where State == EdgeState {
    static let refresh: MachineDiagram = {
        var diagram = MachineDiagram(from: "idle")
        for (name, phase) in RefreshPhase.samples {
            for (_, fact) in RefreshFact.samples {
                let next = phase.transition(for: fact).phase
                diagram.record(
                    from: name, to: next.name, fact.kind, reported: (phase.state, next.state))
            }
        }
        return diagram
    }()

    static let loadMore: MachineDiagram = {
        var diagram = MachineDiagram(from: "idle")
        for (name, phase) in LoadMorePhase.samples {
            for (_, fact) in LoadMoreFact.samples {
                let next = phase.transition(for: fact).phase
                diagram.record(
                    from: name, to: next.name, fact.kind, reported: (phase.state, next.state))
            }
        }
        return diagram
    }()
}

extension MachineDiagram where State == FloorState {
    static let floor: MachineDiagram = {
        var diagram = MachineDiagram(from: "closed")
        for (name, phase) in FloorPhase.samples {
            for (_, fact) in FloorFact.samples {
                let next = phase.transition(for: fact).phase
                diagram.record(
                    from: name, to: next.name, fact.kind, reported: (phase.state, next.state))
            }
        }
        return diagram
    }()
}

extension String {
    fileprivate var firstWord: String { split(separator: " ").first.map(String.init) ?? self }
}
