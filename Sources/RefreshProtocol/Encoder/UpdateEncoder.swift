/// Writes `update` messages. Source: docs/protocol.md, "update".
package enum UpdateEncoder {
    /// Appends one `update`. Of an indicator only what differs from `known` (what the client was told
    /// before, by edge) is written.
    package static func write(
        _ update: borrowing ViewUpdate, view: ViewID, ack: UInt64,
        known: (top: IndicatorFrame, bottom: IndicatorFrame), to out: inout ByteBuffer
    ) {
        out.append(literal: #"{"type":"update","view":"#)
        out.appendQuoted(view)
        out.append(literal: #","ack":"#)
        out.append(ack)
        if update.top.isNews(to: known.top) {
            out.append(literal: #","top":{"#)
            write(update.top, known: known.top, to: &out)
        }
        if update.bottom.isNews(to: known.bottom) {
            out.append(literal: #","bottom":{"#)
            write(update.bottom, known: known.bottom, to: &out)
        }
        if let inset = update.inset, inset.top != nil || inset.bottom != nil {
            write(inset, to: &out)
        }
        if let offset = update.offset {
            write(offset, to: &out)
        }
        if !update.haptics.isEmpty { write(update.haptics, to: &out) }
        out.append(0x7D as UInt8)
    }

    /// Appends the members of an edge's object and its closing brace.
    @inline(__always)
    private static func write(
        _ edge: EdgeUpdate, known: IndicatorFrame, to out: inout ByteBuffer
    ) {
        var members = MemberSeparator()
        if let state = edge.state {
            members.next(&out)
            out.append(literal: #""state":""#)
            out.append(literal: state.wireText)
            out.append(0x22 as UInt8)
        }
        if let progress = edge.progress {
            members.next(&out)
            out.append(literal: #""progress":"#)
            out.append(progress)
        }
        if let cause = edge.cause {
            members.next(&out)
            out.append(literal: #""cause":"#)
            out.appendQuoted(cause.rawValue)
        }
        if let result = edge.result {
            members.next(&out)
            out.append(literal: #""result":"#)
            out.appendQuoted(result.rawValue)
        }
        if let indicator = edge.indicator, indicator != known {
            members.next(&out)
            out.append(literal: #""indicator":{"#)
            write(indicator, known: known, to: &out)
        }
        out.append(0x7D as UInt8)
    }

    @inline(__always)
    private static func write(
        _ frame: IndicatorFrame, known: IndicatorFrame, to out: inout ByteBuffer
    ) {
        var members = MemberSeparator()
        if frame.progress != known.progress {
            members.next(&out)
            out.append(literal: #""progress":"#)
            let start = out.count
            out.append(frame.progress)
            if frame.alpha == frame.progress, frame.alpha != known.alpha {
                // The usual case of a pull: the digits are there already.
                let end = out.count
                out.append(literal: #","alpha":"#)
                out.append(copyOf: start..<end)
                return writeRest(frame, known: known, members: &members, to: &out)
            }
        }
        if frame.alpha != known.alpha {
            members.next(&out)
            out.append(literal: #""alpha":"#)
            out.append(frame.alpha)
        }
        writeRest(frame, known: known, members: &members, to: &out)
    }

    @inline(__always)
    private static func writeRest(
        _ frame: IndicatorFrame, known: IndicatorFrame, members: inout MemberSeparator,
        to out: inout ByteBuffer
    ) {
        if frame.scale != known.scale {
            members.next(&out)
            out.append(literal: #""scale":"#)
            out.append(frame.scale)
        }
        if frame.rotation != known.rotation {
            members.next(&out)
            out.append(literal: #""rotation":"#)
            out.append(frame.rotation)
        }
        if frame.spin != known.spin {
            members.next(&out)
            out.append(literal: #""spin":"#)
            out.append(frame.spin)
        }
        out.append(0x7D as UInt8)
    }

    private static func write(_ inset: InsetCommand, to out: inout ByteBuffer) {
        out.append(literal: #","inset":{"#)
        var members = MemberSeparator()
        if let top = inset.top {
            members.next(&out)
            out.append(literal: #""top":"#)
            out.append(top)
        }
        if let bottom = inset.bottom {
            members.next(&out)
            out.append(literal: #""bottom":"#)
            out.append(bottom)
        }
        write(inset.timeline, to: &out)
    }

    private static func write(_ offset: OffsetCommand, to out: inout ByteBuffer) {
        out.append(literal: #","offset":{"to":"#)
        switch offset.way {
        case .glide(let target, let timeline):
            out.append(target)
            write(timeline, to: &out)
        case .flight(let flight): write(flight, to: &out)
        }
    }

    /// Appends a flight's rest, its timeline and the closing brace.
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

    /// Appends a timeline's members behind others, and the closing brace.
    private static func write(_ timeline: Timeline, to out: inout ByteBuffer) {
        out.append(literal: #","duration":"#)
        out.append(timeline.duration)
        if timeline.duration > 0 {
            out.append(literal: #","start":"#)
            out.append(timeline.start.milliseconds)
            out.append(literal: #","curve":"#)
            if let samples = timeline.curve.samples {
                for (index, sample) in samples.enumerated() {
                    out.append((index == 0 ? 0x5B : 0x2C) as UInt8)
                    out.append(sample)
                }
                out.append(0x5D as UInt8)
            } else {
                out.appendQuoted(timeline.curve.rawValue)
            }
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
}
