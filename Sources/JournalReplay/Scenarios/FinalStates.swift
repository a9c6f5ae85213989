internal import RefreshProtocol
internal import ScenarioKit

/// The states of a recorded session's views. At the end of the scenario, the states of the views at
/// rest are expected.
struct FinalStates {
    private var states: [String: JSONValue] = [:]

    /// The states in which an edge stays without a load or a finger.
    private static let resting: Set = ["idle", "noMore", "disabled"]

    mutating func update(from message: JSONValue) {
        guard let view = message["view"]?.string else { return }
        switch message["type"]?.string {
        case "attached": states[view] = message
        case "update": states[view] = merge(message, into: states[view] ?? .object([]))
        default: return
        }
    }

    mutating func remove(_ view: String) { states[view] = nil }

    /// Returns one expectation for each view whose edges all rest.
    var expectations: [String] {
        states.sorted { $0.key < $1.key }.compactMap { view, state in
            let edges = ExpectedMessage.edges.filter { state[$0] != nil }
            guard
                edges.allSatisfy({ Self.resting.contains(state[$0]?["state"]?.string ?? "") })
            else { return nil }
            var fields = edges.map { edge in
                Pattern.Field(
                    edge,
                    .object(ExpectedMessage.scalars(["state"], of: state[edge] ?? .null)))
            }
            fields += [
                ExpectedMessage.inset(state), ExpectedMessage.offset(state),
                ExpectedMessage.list(state),
            ].compactMap(\.self)
            guard !fields.isEmpty else { return nil }
            return "expect state \(ScenarioText.word(view)) "
                + ScenarioText.pattern(.object(fields))
        }
    }

    private func merge(_ update: JSONValue, into state: JSONValue) -> JSONValue {
        var state = state
        guard case .object(let members) = update else { return state }
        let merged = Set(ExpectedMessage.edges + ["inset"])
        for member in members {
            let old = merged.contains(member.name) ? state[member.name] : nil
            state[member.name] = old.map { $0.merged(with: member.value) } ?? member.value
        }
        return state
    }
}
