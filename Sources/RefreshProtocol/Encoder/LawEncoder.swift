/// Writes control laws. Source: docs/protocol.md, "The control law".
package enum LawEncoder {
    /// Appends the law as an object. What a reader takes for granted is left out.
    package static func write(_ law: ControlLaw, layout: ViewLayout, to out: inout ByteBuffer) {
        out.append(literal: #"{"rest":["#)
        out.append(law.rest.lowerBound)
        out.append(0x2C as UInt8)
        out.append(law.rest.upperBound)
        out.append(0x5D as UInt8)
        write(law.refresh, at: layout.edge(of: .refresh), to: &out)
        write(law.loadMore, at: layout.edge(of: .loadMore), to: &out)
        out.append(literal: #","crossings":["#)
        for (index, crossing) in law.crossings.enumerated() {
            if index > 0 { out.append(0x2C as UInt8) }
            out.append(crossing)
        }
        out.append(0x5D as UInt8)
        if !law.follow.isEmpty {
            out.append(literal: #","follow":"#)
            write(law.follow, to: &out)
        }
        out.append(literal: #","interest":"#)
        write(law.interest, to: &out)
        if let resistance = law.resistance { write(resistance, layout, to: &out) }
        out.append(0x7D as UInt8)
    }

    private static func write(
        _ sight: ControlLaw.EdgeSight, at edge: Edge, to out: inout ByteBuffer
    ) {
        guard sight != .absent else { return }
        out.append(literal: #",""#)
        out.append(edge.rawValue)
        out.append(literal: #"":"#)
        guard case .seen(let law) = sight else { return out.append(literal: "null") }
        out.append(literal: #"{"pull":[["#)
        out.append(law.begin)
        out.append(literal: ",0],[")
        out.append(law.whole)
        out.append(literal: ",1]]")
        if let arm = law.arm {
            member(#","arm":"#, arm, to: &out)
            if law.disarm != arm { member(#","disarm":"#, law.disarm, to: &out) }
            if law.isStrict { out.append(literal: #","strict":true"#) }
        }
        if let fires = law.fires {
            out.append(literal: #","fires":""#)
            out.append(fires.rawValue)
            out.append(0x22 as UInt8)
        }
        if let lead = law.lead {
            member(#","lead":["#, lead.time, to: &out)
            out.append(0x2C as UInt8)
            out.append(lead.place)
            out.append(0x5D as UInt8)
        }
        if law.room > 0 {
            member(#","room":"#, law.room, to: &out)
            member(#","duration":"#, Double(law.duration), to: &out)
        }
        out.append(0x7D as UInt8)
    }

    private static func member(_ name: StaticString, _ value: Double, to out: inout ByteBuffer) {
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
        out.append(literal: #","resistance":{"#)
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
