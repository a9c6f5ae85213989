import RefreshProtocol
import Testing

/// What the daemon writes, read by Foundation.
@Suite struct EncoderTests {
    @Test("5,000 generated updates hold what changed, and only that")
    func generatedUpdates() {
        var random = SeededGenerator("UpdateEncoder", seed: 400)
        let views: [ViewID] = ["list", "日本語", "it's \"quoted\" \\ /", "a\u{A0}😀", "é"]
        for _ in 0..<5_000 {
            let update = Self.update(&random)
            let known = (top: Self.indicator(&random), bottom: Self.indicator(&random))
            let view = random.element(of: views)
            let ack = random.next() >> UInt64(random.below(64))
            var out = ByteBuffer()
            UpdateEncoder.write(update, view: view, ack: ack, known: known, to: &out)
            let wanted = Self.expected(update, view, ack, known).sorted
            guard let read = FoundationJSON.read(out.bytes), FoundationJSON.agree(wanted, read)
            else {
                Issue.record("\(String(decoding: out.bytes, as: UTF8.self)) is not \(wanted)")
                return
            }
        }
    }

    @Test("The update of the page is written as the page shows it")
    func pageExample() {
        var update = ViewUpdate()
        update.top.state = .pulling
        update.top.progress = 0.78125
        update.top.indicator = IndicatorFrame()
        update.top.indicator?.progress = 0.7813
        update.top.indicator?.alpha = 0.7813
        #expect(
            Self.text(update)
                == #"{"type":"update","view":"list","ack":12,"top":{"state":"pulling","progress":0.78125,"#
                + #""indicator":{"progress":0.7813,"alpha":0.7813}}}"#)
    }

    @Test("An indicator that the client shows already is not told again")
    func knownIndicator() {
        var update = ViewUpdate()
        update.top.indicator = .hidden
        #expect(Self.text(update) == #"{"type":"update","view":"list","ack":12}"#)
        update.bottom.state = .loading
        update.bottom.indicator = .hidden
        #expect(
            Self.text(update)
                == #"{"type":"update","view":"list","ack":12,"bottom":{"state":"loading"}}"#)
    }

    @Test("An inset command for neither edge is not told")
    func emptyInset() {
        var update = ViewUpdate()
        update.merge(InsetCommand(timeline: Self.timeline(.linear)))
        #expect(Self.text(update) == #"{"type":"update","view":"list","ack":12}"#)
    }

    @Test("A command at once has neither start nor curve")
    func timelines() {
        var update = ViewUpdate()
        update.offset = OffsetCommand(
            target: -0.1, timeline: Timeline(start: .origin, duration: 0, curve: .easeIn))
        #expect(Self.text(update).hasSuffix(#""offset":{"to":-0.1,"duration":0}}"#))
        update.offset = OffsetCommand(target: -0.1, timeline: Self.timeline(.easeInOut))
        #expect(
            Self.text(update).hasSuffix(
                #""offset":{"to":-0.1,"duration":250,"start":81532.25,"curve":"easeInOut"}}"#))
    }

    @Test("Every fault is written as an error with all that is known of it")
    func faults() {
        for (index, code) in FaultCode.allCases.enumerated() {
            let field = Field.allCases[index % Field.allCases.count]
            for fault in [
                Fault(code), Fault(code, field: field),
                Fault(code, field: field, seq: UInt64(index), view: "a\"\\é"),
            ] {
                var out = ByteBuffer()
                FaultEncoder.write(fault, to: &out)
                #expect(FoundationJSON.read(out.bytes) == Self.expected(fault).sorted)
            }
        }
    }

    @Test("Every byte of ASCII in a string is read back by Foundation")
    func escapes() {
        let text = String(decoding: 0..<0x80 as Range<UInt8>, as: UTF8.self) + "\u{2028}é\u{FFFF}😀"
        var out = ByteBuffer()
        out.appendQuoted(text)
        #expect(FoundationJSON.read(out.bytes) == .string(text))
    }

    private static func text(_ update: ViewUpdate) -> String {
        var out = ByteBuffer()
        UpdateEncoder.write(update, view: "list", ack: 12, known: (.hidden, .hidden), to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private static func timeline(_ curve: Curve) -> Timeline {
        Timeline(start: Instant(milliseconds: 81_532.25), duration: 250, curve: curve)
    }
}

// What is generated, and what Foundation should find in it.
extension EncoderTests {
    private static func update(_ random: inout SeededGenerator) -> ViewUpdate {
        var update = ViewUpdate()
        for edge in Edge.allCases where random.once(in: 2) {
            update[edge].state = maybe(EdgeState.allCases, &random)
            update[edge].cause = maybe(Cause.allCases, &random)
            update[edge].result = maybe(LoadResult.allCases, &random)
            if random.once(in: 2) { update[edge].progress = number(&random) }
            if random.once(in: 2) { update[edge].indicator = indicator(&random) }
        }
        for _ in 0..<random.below(3) {
            update.merge(
                InsetCommand(
                    top: random.once(in: 2) ? number(&random) : nil,
                    bottom: random.once(in: 2) ? number(&random) : nil,
                    timeline: timeline(&random)))
        }
        if random.once(in: 2) {
            update.offset =
                flight(&random)
                ?? OffsetCommand(target: number(&random), timeline: timeline(&random))
        }
        for _ in 0..<random.below(4) { update.append(random.element(of: Haptic.allCases)) }
        return update
    }

    private static func indicator(_ random: inout SeededGenerator) -> IndicatorFrame {
        var frame = IndicatorFrame()
        if random.once(in: 2) { frame.progress = number(&random) }
        if random.once(in: 2) { frame.alpha = number(&random) }
        if random.once(in: 2) { frame.scale = number(&random) }
        if random.once(in: 2) { frame.rotation = number(&random) }
        if random.once(in: 2) { frame.spin = number(&random) }
        return frame
    }

    private static func timeline(_ random: inout SeededGenerator) -> Timeline {
        Timeline(
            start: Instant(microseconds: Int64(random.below(1 << 50))),
            duration: random.once(in: 3) ? 0 : number(&random).magnitude,
            curve: random.element(of: Curve.allCases))
    }

    /// One in two, if it moves at all.
    private static func flight(_ random: inout SeededGenerator) -> OffsetCommand? {
        guard random.once(in: 2) else { return nil }
        return Flight(
            from: random.element(of: [-80, -0.25, 0, 1e-7, 600, 1200, 1e9]),
            velocity: random.element(of: [0, 12, -250.5, 4000, -1e6]),
            start: Instant(microseconds: Int64(random.below(1 << 50))), range: 0...1200,
            limit: random.element(of: [0, 100, .infinity]),
            rate: random.element(of: DecelerationRate.allCases)
        ).map { OffsetCommand($0) }
    }

    /// Few values, so that what is known often equals what is told.
    private static func number(_ random: inout SeededGenerator) -> Double {
        random.element(of: [0, 1, 0.5, -0.1, 1.0 / 3, -1e7, .leastNonzeroMagnitude, 1e300, 0.7813])
    }

    private static func maybe<Value>(_ all: [Value], _ random: inout SeededGenerator) -> Value? {
        random.once(in: 2) ? random.element(of: all) : nil
    }

    private static func expected(
        _ update: ViewUpdate, _ view: ViewID, _ ack: UInt64,
        _ known: (top: IndicatorFrame, bottom: IndicatorFrame)
    ) -> JSONValue {
        var members: [JSONValue.Member] = [
            JSONValue.Member("type", .string("update")),
            JSONValue.Member("view", .string(view.description)),
            JSONValue.Member("ack", .number(Double(ack))),
        ]
        let top = expected(update.top, known.top)
        if !top.isEmpty { members.append(JSONValue.Member("top", .object(top))) }
        let bottom = expected(update.bottom, known.bottom)
        if !bottom.isEmpty { members.append(JSONValue.Member("bottom", .object(bottom))) }
        if let inset = update.inset, inset.top != nil || inset.bottom != nil {
            var inner: [JSONValue.Member] = []
            if let top = inset.top { inner.append(JSONValue.Member("top", .number(top))) }
            if let bottom = inset.bottom {
                inner.append(JSONValue.Member("bottom", .number(bottom)))
            }
            members.append(JSONValue.Member("inset", .object(inner + expected(inset.timeline))))
        }
        if let offset = update.offset {
            members.append(JSONValue.Member("offset", .object(expected(offset))))
        }
        if !update.haptics.isEmpty {
            let cues = (0..<Int(update.haptics.count)).map { update.haptics[$0].rawValue }
            members.append(JSONValue.Member("haptic", .array(cues.map(JSONValue.string))))
        }
        return .object(members)
    }

    private static func expected(
        _ edge: EdgeUpdate, _ known: IndicatorFrame
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let state = edge.state { members.append(.init("state", .string(state.rawValue))) }
        if let progress = edge.progress { members.append(.init("progress", .number(progress))) }
        if let cause = edge.cause { members.append(.init("cause", .string(cause.rawValue))) }
        if let result = edge.result { members.append(.init("result", .string(result.rawValue))) }
        if let frame = edge.indicator, frame != known {
            let all = [
                ("progress", frame.progress, known.progress), ("alpha", frame.alpha, known.alpha),
                ("scale", frame.scale, known.scale), ("rotation", frame.rotation, known.rotation),
                ("spin", frame.spin, known.spin),
            ]
            let changed = all.filter { $0.1 != $0.2 }.map {
                JSONValue.Member($0.0, .number($0.1))
            }
            members.append(.init("indicator", .object(changed)))
        }
        return members
    }

    private static func expected(_ offset: OffsetCommand) -> [JSONValue.Member] {
        let target = JSONValue.Member("to", .number(offset.target))
        switch offset.way {
        case .glide(_, let timeline): return [target] + expected(timeline)
        case .flight(let flight):
            let path = FlightPath(flight)
            let keys = path.map { JSONValue.array([.number($0.time), .number($0.offset)]) }
            return [
                target, .init("duration", .number(path.duration)),
                .init("start", .number(Double(flight.start.microseconds) / 1000)),
                .init("path", .array(keys)),
            ]
        }
    }

    private static func expected(_ timeline: Timeline) -> [JSONValue.Member] {
        let duration = JSONValue.Member("duration", .number(timeline.duration))
        guard timeline.duration > 0 else { return [duration] }
        let start = Double(timeline.start.microseconds) / 1000
        return [
            duration, .init("start", .number(start)),
            .init("curve", .string(timeline.curve.rawValue)),
        ]
    }

    private static func expected(_ fault: Fault) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string("error")), .init("code", .string(fault.code.rawValue)),
            .init("message", .string(fault.code.message)),
            .init("temporary", .bool(fault.code.isTemporary)),
        ]
        if let field = fault.field { members.append(.init("field", .string("\(field)"))) }
        if let seq = fault.seq { members.append(.init("seq", .number(Double(seq)))) }
        if let view = fault.view { members.append(.init("view", .string("\(view)"))) }
        if fault.code == .unsupportedProtocol {
            members.append(.init("versions", .array([.number(1)])))
        }
        return .object(members)
    }
}
