package import RefreshProtocol

/// What a `stream` client was told of a look, and the writing of what it was not. Source:
/// docs/indicators.md, "Frames".
package struct SentLook: Sendable {
    /// How many parts of 1 are told of what is no colour.
    private static let places = 10_000.0

    /// For each live slot of the choreography, in parts.
    private var told: [Int32]
    /// The state whose texts were told; nil: the layers' own.
    private var textsOf: EdgeState?

    /// A client that knows the layers' own values.
    package init(_ choreography: Choreography) {
        told = choreography.liveSlots.map { Self.parts(choreography.initial[$0], at: $0) }
    }

    /// Whether the look is anything but what was told.
    package func differs(from player: borrowing IndicatorPlayer) -> Bool {
        let slots = player.choreography.liveSlots
        for index in slots.indices
        where Self.parts(player.values[slots[index]], at: slots[index]) != told[index] {
            return true
        }
        return player.shown != textsOf
            && player.choreography.saysOtherwise(in: player.shown, than: textsOf)
    }

    /// Appends `"frame":{…}` if the look is not what was told.
    package mutating func writeChanges(
        of player: borrowing IndicatorPlayer, to out: inout ByteBuffer
    ) {
        let choreography = player.choreography
        let newState = player.shown
        var isOpen = false
        for layer in choreography.liveLayers {
            var members = MemberSeparator()
            var isLayerOpen = false
            for index in layer.slots {
                let slot = choreography.liveSlots[index]
                let property = LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer)
                // A colour is looked at whole, with its first part.
                if property == .color, slot % LayerProperty.slotsPerLayer != property.slot {
                    continue
                }
                guard note(index, property, player.values, choreography.liveSlots) else {
                    continue
                }
                if !isLayerOpen { Self.open(layer, &isOpen, &out) }
                isLayerOpen = true
                members.next(&out)
                write(index, property, to: &out)
            }
            if layer.hasStateTexts, textsOf != newState {
                let old = choreography.text(ofLayerAt: layer.index, in: textsOf)
                let new = choreography.text(ofLayerAt: layer.index, in: newState)
                if let new, new != old {
                    if !isLayerOpen { Self.open(layer, &isOpen, &out) }
                    isLayerOpen = true
                    members.next(&out)
                    out.append(literal: #""text":"#)
                    out.appendQuoted(new)
                }
            }
            if isLayerOpen { out.append(0x7D as UInt8) }
        }
        textsOf = newState
        if isOpen { out.append(0x7D as UInt8) }
    }

    /// Takes up what a property is now; whether that is something else. Of a colour all three parts.
    private mutating func note(
        _ index: Int, _ property: LayerProperty, _ values: [Double], _ slots: [Int]
    ) -> Bool {
        var hasChanged = false
        for part in index..<(property == .color ? index + 3 : index + 1) {
            let value = Self.parts(values[slots[part]], at: slots[part])
            if value != told[part] { hasChanged = true }
            told[part] = value
        }
        return hasChanged
    }

    private static func open(
        _ layer: LiveLayer, _ isOpen: inout Bool, _ out: inout ByteBuffer
    ) {
        if isOpen {
            out.append(0x2C as UInt8)
        } else {
            out.append(literal: #""frame":{"#)
        }
        isOpen = true
        out.append(layer.opening)
    }

    private func write(_ index: Int, _ property: LayerProperty, to out: inout ByteBuffer) {
        out.append(literal: property.memberOpening)
        guard property == .color else {
            return out.append(Double(told[index]) / Self.places)
        }
        out.append(0x22 as UInt8)
        RGBColor(Double(told[index]), Double(told[index + 1]), Double(told[index + 2]))
            .write(to: &out)
        out.append(0x22 as UInt8)
    }

    /// What is told of a value: whole parts of a colour, else four places.
    private static func parts(_ value: Double, at slot: Int) -> Int32 {
        let isColor = LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer) == .color
        let scaled = (isColor ? value : value * places).rounded()
        // Also for what is no number at all: nothing that a programme computes may trap.
        guard scaled > -2e9 else { return -2_000_000_000 }
        return scaled < 2e9 ? Int32(scaled) : 2_000_000_000
    }
}

extension LayerProperty {
    /// The beginning of its member.
    fileprivate var memberOpening: StaticString {
        switch self {
        case .x: #""x":"#
        case .y: #""y":"#
        case .rotation: #""rotation":"#
        case .scale: #""scale":"#
        case .opacity: #""opacity":"#
        case .color: #""color":"#
        case .strokeStart: #""strokeStart":"#
        case .strokeEnd: #""strokeEnd":"#
        }
    }
}
