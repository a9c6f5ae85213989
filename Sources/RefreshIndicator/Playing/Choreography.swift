package import RefreshProtocol

/// A programme prepared for playback. Everything that does not depend on the time is computed once.
/// Any number of players can share a choreography.
///
/// A *look* is an array of the values of all properties of all layers at one time. A *slot* is an
/// index in a look. A colour has three slots.
package final class Choreography: Sendable {
    package let programme: Programme
    let pull: CompiledPart
    let run: CompiledPart
    let success: CompiledPart
    let failure: CompiledPart
    /// The look that consists of the layers' own values. There are ten numbers for each layer (see
    /// `LayerProperty`).
    package let initial: [Double]
    /// The look at a pull of 0. `fullPull` is the look at a pull of 1.
    let rest: [Double]
    let fullPull: [Double]
    /// The slots whose numbers can change, in ascending order.
    package let liveSlots: [Int]
    /// The numbers at `liveSlots`, each with its precision on the wire.
    let liveNumbers: [LiveNumber]
    let liveLayers: [LiveLayer]
    /// The members that frames can contain, layer by layer, and the prepared JSON texts between
    /// them.
    let liveMembers: [LiveMember]
    let memberTexts: PreparedTexts
    /// The numbers that change with each sample of a pull while nothing else moves. Nil if the pull
    /// also changes a colour.
    let steadyPull: [PulledNumber]?
    /// Whether a state has texts that differ from the layers' own.
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
        fullPull = look
        let states = programme.states.mapValues { CompiledState($0, layers: layers) }
        self.states = states
        var live = Set(pull.slots + run.slots + success.slots + failure.slots)
        for state in states.values { live.formUnion(state.settings.map(\.slot)) }
        liveSlots = live.sorted()
        let liveLayers = Self.liveLayers(layers, liveSlots, states)
        var texts = PreparedTexts()
        let members = Self.liveMembers(layers, liveLayers, liveSlots, &texts)
        self.liveLayers = liveLayers
        liveMembers = members
        steadyPull = Self.pulledNumbers(pull, liveSlots, members, &texts)
        memberTexts = texts
        liveNumbers = liveSlots.map {
            LiveNumber(
                slot: $0,
                parts: Self.property(at: $0) == .color ? 1 : LiveNumber.fraction)
        }
        hasStateTexts = liveLayers.contains { $0.hasStateTexts }
    }

    private static let perLayer = LayerProperty.slotsPerLayer

    private static func property(at slot: Int) -> LayerProperty {
        LayerProperty.at(slot: slot % perLayer)
    }

    private static func liveLayers(
        _ layers: [Layer], _ slots: [Int], _ states: [EdgeState: CompiledState]
    ) -> [LiveLayer] {
        layers.indices.compactMap { index in
            let hasStateTexts = states.values.contains { $0.texts[index] != nil }
            guard hasStateTexts || slots.contains(where: { $0 / perLayer == index }) else {
                return nil
            }
            return LiveLayer(index: index, hasStateTexts: hasStateTexts)
        }
    }

    private static func liveMembers(
        _ layers: [Layer], _ live: [LiveLayer], _ slots: [Int], _ texts: inout PreparedTexts
    ) -> [LiveMember] {
        var members: [LiveMember] = []
        for (place, layer) in live.enumerated() {
            var contents: [(name: String, content: LiveMember.Content)] = []
            for (number, slot) in slots.enumerated() where slot / perLayer == layer.index {
                let property = property(at: slot)
                // A colour is sent as a whole, when the first of its components is reached.
                guard property.slot == slot % perLayer else { continue }
                let isColor = property == .color
                contents.append((property.rawValue, isColor ? .color(number) : .number(number)))
            }
            if layer.hasStateTexts { contents.append(("text", .text(layer.index))) }
            for (name, content) in contents {
                members.append(
                    member(name, content, of: layers[layer.index].name, at: place, &texts))
            }
        }
        return members
    }

    private static func member(
        _ name: String, _ content: LiveMember.Content, of layer: String, at place: Int,
        _ texts: inout PreparedTexts
    ) -> LiveMember {
        var member = ByteBuffer()
        member.appendQuoted(name)
        member.append(0x3A as UInt8)
        // A colour is sent as a string, which begins with a quotation mark.
        if case .color = content { member.append(0x22 as UInt8) }
        var opening = ByteBuffer()
        opening.append(literal: "},")
        opening.appendQuoted(layer)
        opening.append(literal: ":{")
        opening.append(member.bytes)
        var next = ByteBuffer()
        next.append(0x2C as UInt8)
        next.append(member.bytes)
        return LiveMember(
            layer: place, content: content, opening: texts.add(opening), next: texts.add(next))
    }

    private static func pulledNumbers(
        _ pull: CompiledPart, _ live: [Int], _ members: [LiveMember],
        _ texts: inout PreparedTexts
    ) -> [PulledNumber]? {
        var numbers: [PulledNumber] = []
        for slot in pull.slots.sorted() {
            let member = members.first {
                if case .number(let place) = $0.content { live[place] == slot } else { false }
            }
            guard let member, case .number(let place) = member.content,
                let curve = pull.curve(ofSlot: slot)
            else { return nil }
            var first = ByteBuffer()
            first.append(literal: #","frame":{"#)
            first.append(texts.bytes(of: member.opening.dropFirst(2)))
            numbers.append(
                PulledNumber(
                    curve: curve, place: place, layer: member.layer, first: texts.add(first),
                    opening: member.opening, next: member.next))
        }
        return numbers
    }

    /// The layer's own values.
    private static func numbers(of layer: Layer) -> [Double] {
        LayerProperty.allCases.flatMap { property in
            if let value = layer.values[property] { return value.numbers }
            return property == .color ? [0, 0, 0] : [property.initial]
        }
    }

    func state(_ state: EdgeState) -> CompiledState? { states[state] }

    /// Whether, in this state, the values that the pull's tracks move depend only on the pull.
    func isSteady(in state: EdgeState) -> Bool {
        steadyPull != nil && states[state]?.sets(anyOf: pull.slots) != true
    }

    /// Whether at least one layer has another text in state `new` than in state `old`.
    func textsDiffer(in new: EdgeState, from old: EdgeState?) -> Bool {
        liveLayers.contains {
            $0.hasStateTexts
                && text(ofLayerAt: $0.index, in: new) != text(ofLayerAt: $0.index, in: old)
        }
    }

    /// The text of a layer in a state. If `state` is nil, it is the layer's own text. Nil if the
    /// layer is not a text layer.
    package func text(ofLayerAt index: Int, in state: EdgeState?) -> String? {
        guard case .text(let own, _, _) = programme.layers[index].content else { return nil }
        return state.flatMap { states[$0]?.texts[index] } ?? own
    }
}
