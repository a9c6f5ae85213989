/// Writes control laws. Source: docs/protocol.md, "The control law".
package enum LawEncoder {
    /// The parts of a law that are written.
    private struct Parts {
        var rest = true
        var refresh: Bool
        var loadMore: Bool
        var crossings = true
        var follow: Bool
        var interest = true
        var resistance: Bool

        /// The parts of the first law. A part that equals the client's default is omitted.
        init(of law: inout ControlLaw) {
            refresh = law.refresh != .absent
            loadMore = law.loadMore != .absent
            follow = !law.follow.isEmpty
            resistance = law.resistance != nil
        }

        /// The parts of a later law: those that differ from the law that the client knows.
        init(of law: inout ControlLaw, after known: inout ControlLaw) {
            rest = law.rest != known.rest
            refresh = law.refresh != known.refresh
            loadMore = law.loadMore != known.loadMore
            crossings = law.crossings != known.crossings
            follow = law.follow != known.follow
            interest = law.interest != known.interest
            resistance = law.resistance != nil && law.resistance != known.resistance
        }
    }

    /// Appends the first law for a client, as an object. The law is read in place and not changed.
    package static func write(
        _ law: inout ControlLaw, layout: ViewLayout, to out: inout ByteBuffer
    ) {
        let parts = Parts(of: &law)
        write(parts, of: &law, layout: layout, to: &out)
    }

    /// Appends a law that follows `known`, with the changed parts only.
    package static func write(
        _ law: inout ControlLaw, after known: inout ControlLaw, layout: ViewLayout,
        to out: inout ByteBuffer
    ) {
        let parts = Parts(of: &law, after: &known)
        write(parts, of: &law, layout: layout, to: &out)
    }

    private static func write(
        _ parts: Parts, of law: inout ControlLaw, layout: ViewLayout, to out: inout ByteBuffer
    ) {
        var members = MemberSeparator()
        out.append(0x7B as UInt8)
        if parts.rest {
            members.appendSeparator(to: &out)
            out.append(literal: #""rest":["#)
            out.append(law.rest.lowerBound)
            out.append(0x2C as UInt8)
            out.append(law.rest.upperBound)
            out.append(0x5D as UInt8)
        }
        if parts.refresh {
            members.appendSeparator(to: &out)
            write(law.refresh, at: layout.edge(of: .refresh), to: &out)
        }
        if parts.loadMore {
            members.appendSeparator(to: &out)
            write(law.loadMore, at: layout.edge(of: .loadMore), to: &out)
        }
        if parts.crossings {
            members.appendSeparator(to: &out)
            out.append(literal: #""crossings":"#)
            write(law.crossings, to: &out)
        }
        if parts.follow {
            members.appendSeparator(to: &out)
            out.append(literal: #""follow":"#)
            write(law.follow, to: &out)
        }
        if parts.interest {
            members.appendSeparator(to: &out)
            out.append(literal: #""interest":"#)
            write(law.interest, to: &out)
        }
        if parts.resistance, let resistance = law.resistance {
            members.appendSeparator(to: &out)
            write(resistance, layout, to: &out)
        }
        out.append(0x7D as UInt8)
    }

    private static func write(_ places: [Double], to out: inout ByteBuffer) {
        out.append(0x5B as UInt8)
        for (index, place) in places.enumerated() {
            if index > 0 { out.append(0x2C as UInt8) }
            out.append(place)
        }
        out.append(0x5D as UInt8)
    }

    private static func write(
        _ sight: ControlLaw.EdgeSight, at edge: Edge, to out: inout ByteBuffer
    ) {
        out.appendQuoted(literal: edge.wireText)
        out.append(0x3A as UInt8)
        // An edge that was removed is written as `null`, like an edge at which no pull is visible.
        guard case .seen(let law) = sight else { return out.append(literal: "null") }
        out.append(literal: #"{"pull":[["#)
        out.append(law.begin)
        out.append(literal: ",0],[")
        out.append(law.whole)
        out.append(literal: ",1]]")
        if let arm = law.arm {
            writeMember(#","arm":"#, arm, to: &out)
            if law.disarm != arm { writeMember(#","disarm":"#, law.disarm, to: &out) }
            if law.isStrict { out.append(literal: #","strict":true"#) }
        }
        if let fires = law.fires {
            out.append(literal: #","fires":""#)
            out.append(literal: fires == .release ? "release" : "reach")
            out.append(0x22 as UInt8)
        }
        if let lead = law.lead {
            writeMember(#","lead":["#, lead.time, to: &out)
            out.append(0x2C as UInt8)
            out.append(lead.place)
            out.append(0x5D as UInt8)
        }
        if law.room > 0 {
            writeMember(#","room":"#, law.room, to: &out)
            writeMember(#","duration":"#, Double(law.duration), to: &out)
        }
        out.append(0x7D as UInt8)
    }

    private static func writeMember(_ name: StaticString, _ value: Double, to out: inout ByteBuffer)
    {
        out.append(literal: name)
        out.append(value)
    }

    private static func write(_ ranges: [OffsetRange], to out: inout ByteBuffer) {
        out.append(0x5B as UInt8)
        for (index, range) in ranges.enumerated() {
            if index > 0 { out.append(0x2C as UInt8) }
            out.append(0x5B as UInt8)
            write(range.from, to: &out)
            out.append(0x2C as UInt8)
            write(range.to, to: &out)
            out.append(0x5D as UInt8)
        }
        out.append(0x5D as UInt8)
    }

    private static func write(_ bound: Double?, to out: inout ByteBuffer) {
        if let bound { out.append(bound) } else { out.append(literal: "null") }
    }

    private static func write(
        _ resistance: Resistance, _ layout: ViewLayout, to out: inout ByteBuffer
    ) {
        out.append(literal: #""resistance":{"#)
        write(resistance.refresh, at: layout.edge(of: .refresh), to: &out)
        if let table = resistance.loadMore {
            out.append(0x2C as UInt8)
            write(table, at: layout.edge(of: .loadMore), to: &out)
        }
        out.append(0x7D as UInt8)
    }

    private static func write(
        _ table: [Resistance.Point], at edge: Edge, to out: inout ByteBuffer
    ) {
        out.appendQuoted(edge.rawValue)
        out.append(0x3A as UInt8)
        for (index, point) in table.enumerated() {
            out.append((index == 0 ? 0x5B : 0x2C) as UInt8)
            out.append(0x5B as UInt8)
            out.append(point.travel)
            out.append(0x2C as UInt8)
            out.append(point.shown)
            out.append(0x5D as UInt8)
        }
        out.append(0x5D as UInt8)
    }
}
