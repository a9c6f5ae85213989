/// Writes `update` messages. Source: docs/protocol.md, "update".
package enum UpdateEncoder {
    /// Appends one `update`. `refresh` and `loadMore` are the changes of the indicators; nil means
    /// no change. For each indicator, only the values that the client does not know are written.
    /// The update is read in place and not changed.
    package static func write(
        _ update: inout ViewUpdate, view: ViewID, layout: ViewLayout, ack: UInt64,
        refresh: IndicatorChange?, loadMore: IndicatorChange?, to out: inout ByteBuffer
    ) {
        writeOpening(view, ack, to: &out)
        writeEdge(&update.refresh, refresh, .refresh, layout, to: &out)
        writeEdge(&update.loadMore, loadMore, .loadMore, layout, to: &out)
        writeViewMembers(&update, layout, to: &out)
        out.append(0x7D as UInt8)
    }

    /// Appends an `update` with the indicator frames of `frames` and without the closing brace,
    /// because more members can follow.
    @inline(__always)
    package static func writeUnclosed(
        _ update: inout ViewUpdate, view: ViewID, layout: ViewLayout, ack: UInt64,
        frames: inout some FrameWriting & ~Copyable, to out: inout ByteBuffer
    ) {
        writeOpening(view, ack, to: &out)
        writeEdgeWithFrame(&update.refresh, .refresh, layout, &frames, to: &out)
        writeEdgeWithFrame(&update.loadMore, .loadMore, layout, &frames, to: &out)
        writeViewMembers(&update, layout, to: &out)
    }

    @inline(__always)
    private static func writeOpening(_ view: ViewID, _ ack: UInt64, to out: inout ByteBuffer) {
        out.append(literal: #"{"type":"update","view":""#)
        out.appendEscaped(view)
        out.append(literal: #"","ack":"#)
        out.append(ack)
    }

    /// Appends the members that concern the view as a whole.
    @inline(__always)
    private static func writeViewMembers(
        _ update: inout ViewUpdate, _ layout: ViewLayout, to out: inout ByteBuffer
    ) {
        if let inset = update.inset, inset.refresh != nil || inset.loadMore != nil {
            write(inset, layout, to: &out)
        }
        if let offset = update.offset {
            write(offset, to: &out)
        }
        if !update.haptics.isEmpty { write(update.haptics, to: &out) }
        if update.hasInfrequentUpdate { write(update.infrequent, to: &out) }
    }

    /// Appends an edge's object with the change of its indicator, if there is anything to send.
    @inline(__always)
    private static func writeEdge(
        _ edge: inout EdgeUpdate, _ change: IndicatorChange?, _ role: EdgeRole,
        _ layout: ViewLayout, to out: inout ByteBuffer
    ) {
        guard !edge.isEmpty || change != nil else { return }
        out.append(literal: layout.edge(of: role).memberOpening)
        write(edge, change, to: &out)
        out.append(0x7D as UInt8)
    }

    /// Appends an edge's object with its frame, if there is anything to send.
    @inline(__always)
    private static func writeEdgeWithFrame(
        _ edge: inout EdgeUpdate, _ role: EdgeRole, _ layout: ViewLayout,
        _ frames: inout some FrameWriting & ~Copyable, to out: inout ByteBuffer
    ) {
        guard !edge.isEmpty || frames.mayHaveFrame(of: role) else { return }
        let start = out.count
        out.append(literal: layout.edge(of: role).memberOpening)
        let opened = out.count
        let isBehindMember = !edge.isEmpty
        if isBehindMember { write(edge, nil, to: &out) }
        frames.writeFrame(of: role, behindMember: isBehindMember, to: &out)
        if out.count == opened {
            out.truncate(to: start)
        } else {
            out.append(0x7D as UInt8)
        }
    }

    /// Appends the members of an edge's object.
    @inline(__always)
    private static func write(
        _ edge: EdgeUpdate, _ change: IndicatorChange?, to out: inout ByteBuffer
    ) {
        var members = MemberSeparator()
        if let state = edge.state {
            members.appendSeparator(to: &out)
            out.append(literal: #""state":""#)
            out.append(literal: state.wireText)
            out.append(0x22 as UInt8)
        }
        if let progress = edge.progress {
            members.appendSeparator(to: &out)
            out.append(literal: #""progress":"#)
            out.append(progress)
        }
        if let cause = edge.cause {
            members.appendSeparator(to: &out)
            out.append(literal: #""cause":"#)
            out.appendQuoted(cause.rawValue)
        }
        if let result = edge.result {
            members.appendSeparator(to: &out)
            out.append(literal: #""result":"#)
            out.appendQuoted(result.rawValue)
        }
        if let change {
            members.appendSeparator(to: &out)
            out.append(literal: #""indicator":{"#)
            write(change.shown, known: change.known, to: &out)
        }
    }

    @inline(__always)
    private static func write(
        _ frame: IndicatorFrame, known: IndicatorFrame, to out: inout ByteBuffer
    ) {
        var members = MemberSeparator()
        if frame.progress != known.progress {
            members.appendSeparator(to: &out)
            out.append(literal: #""progress":"#)
            let start = out.count
            out.append(frame.progress)
            if frame.alpha == frame.progress, frame.alpha != known.alpha {
                // The usual case of a pull: the digits are already in the buffer.
                let end = out.count
                out.append(literal: #","alpha":"#)
                out.append(copyOf: start..<end)
                return writeInfrequentFrameMembers(frame, known: known, members: &members, to: &out)
            }
        }
        if frame.alpha != known.alpha {
            members.appendSeparator(to: &out)
            out.append(literal: #""alpha":"#)
            out.append(frame.alpha)
        }
        writeInfrequentFrameMembers(frame, known: known, members: &members, to: &out)
    }

    @inline(__always)
    private static func writeInfrequentFrameMembers(
        _ frame: IndicatorFrame, known: IndicatorFrame, members: inout MemberSeparator,
        to out: inout ByteBuffer
    ) {
        if frame.scale != known.scale {
            members.appendSeparator(to: &out)
            out.append(literal: #""scale":"#)
            out.append(frame.scale)
        }
        if frame.rotation != known.rotation {
            members.appendSeparator(to: &out)
            out.append(literal: #""rotation":"#)
            out.append(frame.rotation)
        }
        if frame.spin != known.spin {
            members.appendSeparator(to: &out)
            out.append(literal: #""spin":"#)
            out.append(frame.spin)
        }
        out.append(0x7D as UInt8)
    }

    private static func write(
        _ inset: InsetCommand, _ layout: ViewLayout, to out: inout ByteBuffer
    ) {
        out.append(literal: #","inset":{"#)
        var members = MemberSeparator()
        for role in EdgeRole.allCases {
            guard let share = inset[role] else { continue }
            members.appendSeparator(to: &out)
            write(share, at: layout.edge(of: role), to: &out)
        }
        write(inset.timeline, to: &out)
    }

    private static func write(_ share: Double, at edge: Edge, to out: inout ByteBuffer) {
        out.appendQuoted(literal: edge.wireText)
        out.append(0x3A as UInt8)
        out.append(share)
    }

    private static func write(_ offset: OffsetCommand, to out: inout ByteBuffer) {
        out.append(literal: #","offset":{"to":"#)
        switch offset.movement {
        case .glide(let target, let timeline):
            out.append(target)
            write(timeline, to: &out)
        case .flight(let flight): write(flight, to: &out)
        }
    }

    /// Appends the offset at which a flight ends, its timeline, its path and the closing brace.
    private static func write(_ flight: Flight, to out: inout ByteBuffer) {
        let path = FlightPath(flight)
        out.append(path.rest)
        out.append(literal: #","duration":"#)
        out.append(path.duration)
        out.append(literal: #","start":"#)
        out.append(flight.start.milliseconds)
        out.append(literal: #","path":"#)
        var isFirst = true
        for key in path {
            out.append((isFirst ? 0x5B : 0x2C) as UInt8)
            isFirst = false
            out.append(0x5B as UInt8)
            out.append(key.time)
            out.append(0x2C as UInt8)
            out.append(key.offset)
            out.append(0x5D as UInt8)
        }
        out.append(literal: "]}")
    }

    /// Appends the members of a timeline after other members, and then the closing brace.
    private static func write(_ timeline: Timeline, to out: inout ByteBuffer) {
        out.append(literal: #","duration":"#)
        out.append(timeline.duration)
        if timeline.duration > 0 {
            out.append(literal: #","start":"#)
            out.append(timeline.start.milliseconds)
            out.append(literal: #","curve":"#)
            out.appendQuoted(timeline.curve.rawValue)
        }
        out.append(0x7D as UInt8)
    }

    private static func write(_ haptics: HapticCues, to out: inout ByteBuffer) {
        out.append(literal: #","haptic":"#)
        for index in 0..<Int(haptics.count) {
            out.append((index == 0 ? 0x5B : 0x2C) as UInt8)
            out.appendQuoted(haptics[index].rawValue)
        }
        out.append(0x5D as UInt8)
    }

    private static func write(_ infrequent: InfrequentUpdate, to out: inout ByteBuffer) {
        if let floor = infrequent.floor {
            out.append(literal: #","floor":{"state":"#)
            out.appendQuoted(floor.state.rawValue)
            if floor.progress > 0 {
                out.append(literal: #","progress":"#)
                out.append(floor.progress)
            }
            out.append(0x7D as UInt8)
        }
        if let list = infrequent.list {
            out.append(literal: #","list":{"count":"#)
            out.append(list.count)
            out.append(literal: #","more":"#)
            out.append(list.hasMore)
            out.append(0x7D as UInt8)
        }
        if let hasNewer = infrequent.hasNewer {
            out.append(literal: #","newer":"#)
            out.append(hasNewer)
        }
        if let unread = infrequent.unread { write(unread, to: &out) }
        if let instant = infrequent.lastUpdated {
            out.append(literal: #","lastUpdated":"#)
            if instant == .never {
                out.append(literal: "null")
            } else {
                out.append(instant.milliseconds)
            }
        }
        guard !infrequent.cues.isEmpty else { return }
        out.append(literal: #","announce":"#)
        for index in 0..<Int(infrequent.cues.count) {
            out.append((index == 0 ? 0x5B : 0x2C) as UInt8)
            if let cue = infrequent.cues[index] {
                out.append(0x22 as UInt8)
                out.append(literal: cue.key)
                out.append(0x22 as UInt8)
            }
        }
        out.append(0x5D as UInt8)
    }
}

extension UpdateEncoder {
    /// Appends the members of the feature `unread`.
    private static func write(_ unread: UnreadUpdate, to out: inout ByteBuffer) {
        if let count = unread.newerCount {
            out.append(literal: #","newerCount":"#)
            if let value = count.value {
                out.append(Int(value))
            } else {
                out.append(literal: "null")
            }
        }
        if let isAway = unread.isAway {
            out.append(literal: #","away":"#)
            out.append(isAway)
        }
        if let revealed = unread.revealed {
            out.append(literal: #","revealed":"#)
            out.appendQuoted(revealed.rawValue)
        }
        if let readMark = unread.readMark {
            out.append(literal: #","read":"#)
            out.appendQuoted(readMark)
        }
    }
}

extension Edge {
    /// The beginning of the edge's member in an update, with the comma before it.
    fileprivate var memberOpening: StaticString {
        switch self {
        case .top: #","top":{"#
        case .bottom: #","bottom":{"#
        case .leading: #","leading":{"#
        case .trailing: #","trailing":{"#
        }
    }
}

/// Writes the indicator frames that a `stream` client of a view needs.
package protocol FrameWriting: ~Copyable {
    /// Whether `writeFrame` possibly appends something for that edge. The method is `mutating` only
    /// so that it is called in place.
    mutating func mayHaveFrame(of role: EdgeRole) -> Bool

    /// Appends `"frame":{…}`, after a comma if another member precedes it. If the look
    /// of the indicator at that edge was already sent, appends nothing.
    mutating func writeFrame(of role: EdgeRole, behindMember: Bool, to out: inout ByteBuffer)
}
