package import RefreshProtocol

/// The look that was last sent to a `stream` client, and the encoder of the differences. Source:
/// docs/indicators.md, "Frames".
package struct LastSentFrame: Hashable, Sendable, Codable {
    /// The values that were sent: one for each number of the programme that can change (`liveSlots`
    /// of `Choreography`, the prepared programme). Each value is a whole number of steps. A
    /// step is the precision of the number on the wire.
    private var sent: [Int32]
    /// The values of the look that was last recorded, in the same form.
    private var current: [Int32]
    /// The current values of the pull's curves.
    private var pulled: [Int32]
    /// The state whose texts were sent. Nil if the layers' own texts were sent.
    private var textsOf: EdgeState?

    // The names of the members in journals and snapshots.
    private enum CodingKeys: String, CodingKey {
        case sent = "told"
        case current = "noted"
        case pulled, textsOf
    }

    /// Creates the state for a client that has only the layers' own values.
    package init(_ choreography: Choreography) {
        sent = choreography.liveNumbers.map {
            Self.rounded(choreography.initial[$0.slot] * $0.parts)
        }
        current = sent
        pulled = Array(repeating: 0, count: choreography.pull.curveCount)
    }

    /// Whether this value can belong to this programme.
    package func isConsistent(with choreography: Choreography) -> Bool {
        let own = LastSentFrame(choreography)
        return sent.count == own.sent.count && current.count == own.current.count
            && pulled.count == own.pulled.count
    }

    /// Records the player's look, and returns whether it differs from the look that was sent.
    package mutating func record(_ player: borrowing IndicatorPlayer) -> Bool {
        let choreography = player.choreography
        let isOther = Self.recordValues(player.values, choreography.liveNumbers, sent, &current)
        if isOther { return true }
        return choreography.hasStateTexts && player.shown != textsOf
            && choreography.textsDiffer(in: player.shown, from: textsOf)
    }

    /// Records the values, and returns whether they differ from the values that were sent.
    private static func recordValues(
        _ values: [Double], _ numbers: [LiveNumber], _ sent: [Int32], _ current: inout [Int32]
    ) -> Bool {
        let (values, numbers, sent) = (values.span, numbers.span, sent.span)
        var current = current.mutableSpan
        var differing: Int32 = 0
        for index in numbers.indices {
            let number = numbers[index]
            let parts = rounded(values[number.slot] * number.parts)
            current[index] = parts
            differing |= parts ^ sent[index]
        }
        return differing != 0
    }

    /// Appends `"frame":{…}` if the recorded look differs from the look that was sent. If another
    /// member precedes the frame, a comma comes first.
    package mutating func writeChanges(
        of player: borrowing IndicatorPlayer, behindMember: Bool, to out: inout ByteBuffer
    ) {
        let choreography = player.choreography
        var frame = FrameLayers(choreography, behindMember: behindMember)
        for member in choreography.liveMembers {
            switch member.content {
            case .number(let place):
                guard current[place] != sent[place] else { continue }
                frame.beginMember(member, in: &out)
                out.append(tenThousandths: current[place])
            case .color(let first):
                let color = (current[first], current[first + 1], current[first + 2])
                guard color != (sent[first], sent[first + 1], sent[first + 2]) else { continue }
                frame.beginMember(member, in: &out)
                RGBColor(Double(color.0), Double(color.1), Double(color.2)).write(to: &out)
                out.append(0x22 as UInt8)
            case .text(let layer):
                guard textsOf != player.shown else { continue }
                let text = choreography.text(ofLayerAt: layer, in: player.shown)
                guard text != choreography.text(ofLayerAt: layer, in: textsOf) else { continue }
                frame.beginMember(member, in: &out)
                out.appendQuoted(text ?? "")
            }
        }
        frame.close(in: &out)
        textsOf = player.shown
        swap(&sent, &current)
    }

    /// Whether the look at this pull differs from the look that was sent. There are two
    /// preconditions: only the pull can change the look (`isSteady`), and the client has received
    /// all values that the pull does not move.
    package mutating func hasUnsentPull(_ choreography: Choreography, pulledTo pull: Double) -> Bool
    {
        evaluatePull(choreography, pulledTo: pull)
        return choreography.steadyPull?.contains { pulled[$0.curve] != sent[$0.place] } == true
    }

    /// Appends `"frame":{…}`. The preconditions are those of `hasUnsentPull`. The player's look
    /// does not have to be up to date.
    package mutating func write(
        _ choreography: Choreography, pulledTo pull: Double, behindMember: Bool,
        to out: inout ByteBuffer
    ) {
        evaluatePull(choreography, pulledTo: pull)
        guard let numbers = choreography.steadyPull else { return }
        PulledFrameEncoder.write(
            numbers, of: pulled, after: &sent, texts: choreography.memberTexts,
            behindMember: behindMember, to: &out)
    }

    @inline(__always)
    private mutating func evaluatePull(_ choreography: Choreography, pulledTo pull: Double) {
        choreography.pull.forEachCurve(at: pull) { curve, value in
            pulled[curve] = Self.rounded(value * LiveNumber.fraction)
        }
    }

    /// Rounds to the nearest whole number. NaN is accepted, because no computation of a programme
    /// may trap.
    @inline(__always)
    private static func rounded(_ parts: Double) -> Int32 {
        // This code does not use the method `rounded` of `Double`, which would be a library call.
        let moved = parts < 0 ? parts - 0.5 : parts + 0.5
        guard moved > -2e9 else { return -2_000_000_000 }
        return moved < 2e9 ? Int32(moved) : 2_000_000_000
    }
}
