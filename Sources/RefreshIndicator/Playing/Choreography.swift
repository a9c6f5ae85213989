package import RefreshProtocol

/// A programme made ready to be played: everything that does not depend on the moment is computed
/// here, once. Any number of players share it.
package final class Choreography: Sendable {
    package let programme: Programme
    let pull: CompiledPart
    let run: CompiledPart
    let success: CompiledPart
    let failure: CompiledPart
    /// What the layers have by themselves; ten numbers for each, see `LayerProperty`.
    package let initial: [Double]
    /// What the pull shows at 0, and at 1.
    let rest: [Double]
    let settled: [Double]
    /// The numbers that ever change, in their order.
    package let liveSlots: [Int]
    private let states: [EdgeState: CompiledState]

    package init(_ programme: Programme) {
        self.programme = programme
        let layers = programme.layers
        pull = CompiledPart(programme.pull, layers: layers)
        run = CompiledPart(programme.run?.tracks ?? [], layers: layers)
        success = CompiledPart(programme.finish?.success?.tracks ?? [], layers: layers)
        failure = CompiledPart(programme.finish?.failure?.tracks ?? [], layers: layers)
        initial = layers.flatMap(Self.numbers)
        var look = initial
        pull.apply(at: 0, to: &look)
        rest = look
        look = initial
        pull.apply(at: 1, to: &look)
        settled = look
        let states = programme.states.mapValues { CompiledState($0, layers: layers) }
        self.states = states
        var live = Set(pull.slots + run.slots + success.slots + failure.slots)
        for state in states.values { live.formUnion(state.settings.map(\.slot)) }
        liveSlots = live.sorted()
    }

    /// What a layer is by itself.
    private static func numbers(of layer: Layer) -> [Double] {
        LayerProperty.allCases.flatMap { property in
            if let value = layer.values[property] { return value.numbers }
            return property == .color ? [0, 0, 0] : [property.initial]
        }
    }

    func state(_ state: EdgeState) -> CompiledState? { states[state] }

    /// The text of a layer in a state; nil if it is no text layer.
    package func text(ofLayerAt index: Int, in state: EdgeState) -> String? {
        guard case .text(let own, _, _) = programme.layers[index].content else { return nil }
        return states[state]?.texts[index] ?? own
    }

    /// Whether what a state says is anything but what the layers say.
    package var hasStateTexts: Bool { programme.states.values.contains { !$0.texts.isEmpty } }
}
