package import RefreshProtocol

/// What a `stream` client was told of a look, and the writing of what it was not. Source:
/// docs/indicators.md, "Frames".
package struct SentLook: Sendable {
    /// For each live slot of the choreography, in parts.
    private var told: [Int32]
    /// The same of the look that was noted last.
    private var noted: [Int32]
    /// The state whose texts were told; nil: the layers' own.
    private var textsOf: EdgeState?

    /// A client that knows the layers' own values.
    package init(_ choreography: Choreography) {
        let initial = zip(choreography.liveSlots, choreography.liveParts)
        told = initial.map { Self.whole(choreography.initial[$0] * $1) }
        noted = told
    }

    /// Takes up how it looks; whether that is anything but what was told.
    package mutating func note(_ player: borrowing IndicatorPlayer) -> Bool {
        let choreography = player.choreography
        var isOther = false
        for index in noted.indices {
            let value = player.values[choreography.liveSlots[index]]
            let parts = Self.whole(value * choreography.liveParts[index])
            noted[index] = parts
            if parts != told[index] { isOther = true }
        }
        if isOther { return true }
        return choreography.hasStateTexts && player.shown != textsOf
            && choreography.saysOtherwise(in: player.shown, than: textsOf)
    }

    /// Appends `"frame":{…}` if the look that was noted is not what was told.
    package mutating func writeChanges(
        of player: borrowing IndicatorPlayer, to out: inout ByteBuffer
    ) {
        let choreography = player.choreography
        let newState = player.shown
        var isOpen = false
        for layer in choreography.liveLayers {
            var members = MemberSeparator()
            var isLayerOpen = false
            for member in layer.members where isNew(member) {
                if !isLayerOpen { Self.open(layer, &isOpen, &out) }
                isLayerOpen = true
                members.next(&out)
                write(member, to: &out)
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
        for index in told.indices { told[index] = noted[index] }
        if isOpen { out.append(0x7D as UInt8) }
    }

    private func isNew(_ member: LiveLayer.Member) -> Bool {
        let first = member.first
        if noted[first] != told[first] { return true }
        guard member.property == .color else { return false }
        return noted[first + 1] != told[first + 1] || noted[first + 2] != told[first + 2]
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

    private func write(_ member: LiveLayer.Member, to out: inout ByteBuffer) {
        out.append(literal: member.property.memberOpening)
        let first = member.first
        guard member.property == .color else { return out.append(Double(noted[first]) / 10_000) }
        out.append(0x22 as UInt8)
        RGBColor(Double(noted[first]), Double(noted[first + 1]), Double(noted[first + 2]))
            .write(to: &out)
        out.append(0x22 as UInt8)
    }

    /// To the nearest whole one. Also what is no number at all: nothing that a programme computes may trap.
    private static func whole(_ parts: Double) -> Int32 {
        // Not `rounded`, which is a call of a library's.
        let moved = parts < 0 ? parts - 0.5 : parts + 0.5
        guard moved > -2e9 else { return -2_000_000_000 }
        return moved < 2e9 ? Int32(moved) : 2_000_000_000
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
