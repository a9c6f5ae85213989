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
    /// The same, each with how it is told.
    let liveNumbers: [LiveNumber]
    let liveLayers: [LiveLayer]
    /// What frames tell, layer by layer.
    let liveMembers: [LiveMember]
    /// Whether what a state says is anything but what the layers say.
    package let hasStateTexts: Bool
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
        liveLayers = Self.liveLayers(layers, liveSlots, states)
        liveMembers = Self.liveMembers(liveLayers, liveSlots)
        liveNumbers = liveSlots.map {
            LiveNumber(
                slot: $0, parts: LayerProperty.at(slot: $0 % Self.perLayer) == .color ? 1 : 10_000)
        }
        hasStateTexts = liveLayers.contains { $0.hasStateTexts }
    }

    private static let perLayer = LayerProperty.slotsPerLayer

    private static func liveLayers(
        _ layers: [Layer], _ slots: [Int], _ states: [EdgeState: CompiledState]
    ) -> [LiveLayer] {
        layers.enumerated().compactMap { index, layer in
            let hasStateTexts = states.values.contains { $0.texts[index] != nil }
            guard hasStateTexts || slots.contains(where: { $0 / perLayer == index }) else {
                return nil
            }
            var opening = ByteBuffer()
            opening.appendQuoted(layer.name)
            opening.append(literal: ":{")
            return LiveLayer(index: index, hasStateTexts: hasStateTexts, opening: opening.bytes)
        }
    }

    private static func liveMembers(_ layers: [LiveLayer], _ slots: [Int]) -> [LiveMember] {
        layers.enumerated().flatMap { place, layer in
            var members: [LiveMember] = []
            for (live, slot) in slots.enumerated() where slot / perLayer == layer.index {
                let property = LayerProperty.at(slot: slot % perLayer)
                // A colour is told whole, with its first part.
                guard property.slot == slot % perLayer else { continue }
                members.append(
                    LiveMember(
                        layer: place,
                        content: property == .color ? .color(live) : .number(property, live)))
            }
            if layer.hasStateTexts { members.append(LiveMember(layer: place, content: .text)) }
            return members
        }
    }

    /// What a layer is by itself.
    private static func numbers(of layer: Layer) -> [Double] {
        LayerProperty.allCases.flatMap { property in
            if let value = layer.values[property] { return value.numbers }
            return property == .color ? [0, 0, 0] : [property.initial]
        }
    }

    func state(_ state: EdgeState) -> CompiledState? { states[state] }

    /// Whether a layer says something else in one state than in another.
    func saysOtherwise(in new: EdgeState, than old: EdgeState?) -> Bool {
        liveLayers.contains {
            $0.hasStateTexts
                && text(ofLayerAt: $0.index, in: new) != text(ofLayerAt: $0.index, in: old)
        }
    }

    /// The text of a layer in a state, or without one; nil if it is no text layer.
    package func text(ofLayerAt index: Int, in state: EdgeState?) -> String? {
        guard case .text(let own, _, _) = programme.layers[index].content else { return nil }
        return state.flatMap { states[$0]?.texts[index] } ?? own
    }
}
