import RefreshEngine
import RefreshProtocol

/// The state diagram of a machine, drawn by driving every phase with every fact.
struct MachineDiagram {
    /// Which kinds of fact lead from one state to another, in the order in which they were met.
    private(set) var edges: [(from: EdgeState, to: EdgeState, kinds: [String])] = []

    static var refresh: MachineDiagram {
        var diagram = MachineDiagram()
        for (_, phase) in RefreshPhase.samples {
            for (_, fact) in RefreshFact.samples {
                diagram.note(phase.state, phase.handling(fact).phase.state, fact.kind)
            }
        }
        return diagram
    }

    static var loadMore: MachineDiagram {
        var diagram = MachineDiagram()
        for (_, phase) in LoadMorePhase.samples {
            for (_, fact) in LoadMoreFact.samples {
                diagram.note(phase.state, phase.handling(fact).phase.state, fact.kind)
            }
        }
        return diagram
    }

    private mutating func note(_ from: EdgeState, _ to: EdgeState, _ kind: String) {
        guard from != to else { return }
        guard let index = edges.firstIndex(where: { $0.from == from && $0.to == to }) else {
            return edges.append((from, to, [kind]))
        }
        if !edges[index].kinds.contains(kind) { edges[index].kinds.append(kind) }
    }

    func successors(of state: EdgeState) -> Set<EdgeState> {
        Set(edges.filter { $0.from == state }.map(\.to))
    }

    /// The diagram in Mermaid's language.
    var mermaid: String {
        let lines = edges.map { edge in
            "    \(edge.from) --> \(edge.to): \(edge.kinds.joined(separator: ", "))"
        }
        return (["```mermaid", "stateDiagram-v2", "    [*] --> idle"] + lines + ["```"])
            .joined(separator: "\n")
    }
}
