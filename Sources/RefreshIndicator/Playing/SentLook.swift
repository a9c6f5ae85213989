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
        told = choreography.liveNumbers.map {
            Self.whole(choreography.initial[$0.slot] * $0.parts)
        }
        noted = told
    }

    /// Takes up how it looks; whether that is anything but what was told.
    package mutating func note(_ player: borrowing IndicatorPlayer) -> Bool {
        let choreography = player.choreography
        var isOther = false
        var index = 0
        for number in choreography.liveNumbers {
            let parts = Self.whole(player.values[number.slot] * number.parts)
            noted[index] = parts
            if parts != told[index] { isOther = true }
            index += 1
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
        var open: Int?
        for member in choreography.liveMembers where isNew(member, player) {
            if member.layer == open {
                out.append(0x2C as UInt8)
            } else {
                out.append(literal: open == nil ? #""frame":{"# : "},")
                out.append(choreography.liveLayers[member.layer].opening)
                open = member.layer
            }
            write(member, player, to: &out)
        }
        if open != nil { out.append(literal: "}}") }
        textsOf = player.shown
        for index in told.indices { told[index] = noted[index] }
    }

    private func isNew(_ member: LiveMember, _ player: borrowing IndicatorPlayer) -> Bool {
        switch member.content {
        case .number(_, let place): noted[place] != told[place]
        case .color(let first):
            noted[first] != told[first] || noted[first + 1] != told[first + 1]
                || noted[first + 2] != told[first + 2]
        case .text:
            textsOf != player.shown
                && text(member, player, in: player.shown) != text(member, player, in: textsOf)
        }
    }

    private func text(
        _ member: LiveMember, _ player: borrowing IndicatorPlayer, in state: EdgeState?
    ) -> String? {
        let choreography = player.choreography
        return choreography.text(
            ofLayerAt: choreography.liveLayers[member.layer].index, in: state)
    }

    private func write(
        _ member: LiveMember, _ player: borrowing IndicatorPlayer, to out: inout ByteBuffer
    ) {
        switch member.content {
        case .number(let property, let place):
            out.append(literal: property.memberOpening)
            out.append(Double(noted[place]) / 10_000)
        case .color(let first):
            out.append(literal: #""color":""#)
            RGBColor(Double(noted[first]), Double(noted[first + 1]), Double(noted[first + 2]))
                .write(to: &out)
            out.append(0x22 as UInt8)
        case .text:
            out.append(literal: #""text":"#)
            out.appendQuoted(text(member, player, in: player.shown) ?? "")
        }
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
