import RefreshProtocol
import Testing

/// Tests the messages that the daemon encodes, by reading them with Foundation.
@Suite struct EncoderTests {
    @Test("5,000 random updates contain exactly the changes")
    func generatedUpdates() {
        var random = SeededGenerator("UpdateEncoder", seed: 400)
        let views: [ViewID] = ["list", "日本語", "it's \"quoted\" \\ /", "a\u{A0}😀", "é"]
        for _ in 0..<5_000 {
            var update = Self.update(&random)
            let looks = (refresh: Self.look(&random), loadMore: Self.look(&random))
            let layout = ViewLayout(
                axis: random.element(of: Axis.allCases), isReversed: random.once(in: 2))
            let view = random.element(of: views)
            let ack = random.next() >> UInt64(random.below(64))
            var out = ByteBuffer()
            UpdateEncoder.write(
                &update, view: view, layout: layout, ack: ack, refresh: looks.refresh,
                loadMore: looks.loadMore, to: &out)
            let wanted = Self.expected(update, view, layout, ack, looks).sorted
            guard let read = FoundationJSON.read(out.bytes), FoundationJSON.agree(wanted, read)
            else {
                Issue.record("\(String(decoding: out.bytes, as: UTF8.self)) is not \(wanted)")
                return
            }
        }
    }

    @Test("The example update of docs/protocol.md is encoded exactly as shown there")
    func pageExample() {
        var update = ViewUpdate()
        update.refresh.state = .pulling
        update.refresh.progress = 0.78125
        var shown = IndicatorFrame()
        shown.progress = 0.7813
        shown.alpha = 0.7813
        #expect(
            Self.text(update, refresh: IndicatorChange(known: .hidden, shown: shown))
                == #"{"type":"update","view":"list","ack":12,"top":{"state":"pulling","progress":0.78125,"#
                + #""indicator":{"progress":0.7813,"alpha":0.7813}}}"#)
    }

    @Test("An indicator frame is written without the values that the client already has")
    func knownIndicator() {
        var update = ViewUpdate()
        update.refresh.state = .pulling
        var known = IndicatorFrame()
        known.progress = 0.5
        known.alpha = 0.25
        var shown = known
        shown.progress = 0.75
        #expect(
            Self.text(update, refresh: IndicatorChange(known: known, shown: shown))
                == #"{"type":"update","view":"list","ack":12,"top":{"state":"pulling","#
                + #""indicator":{"progress":0.75}}}"#)
    }

    @Test("Without a change of the indicator, no indicator is written")
    func unchangedIndicator() {
        var update = ViewUpdate()
        #expect(Self.text(update) == #"{"type":"update","view":"list","ack":12}"#)
        update.loadMore.state = .loading
        #expect(
            Self.text(update)
                == #"{"type":"update","view":"list","ack":12,"bottom":{"state":"loading"}}"#)
    }

    @Test("An inset command without an edge is not written")
    func emptyInset() {
        var update = ViewUpdate()
        update.merge(InsetCommand(timeline: Self.timeline(.linear)))
        #expect(Self.text(update) == #"{"type":"update","view":"list","ack":12}"#)
    }

    @Test("An immediate command has neither start nor curve")
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

    @Test("Every fault is written as an error with all its known members")
    func faults() {
        for (index, code) in FaultCode.allCases.enumerated() {
            let field = Field.allCases[index % Field.allCases.count]
            let option = OptionField.allCases[index % OptionField.allCases.count]
            for fault in [
                Fault(code), Fault(code, field: field), Fault(code, option: option),
                Fault(code, field: field, seq: UInt64(index), view: "a\"\\é"),
            ] {
                var out = ByteBuffer()
                FaultEncoder.write(fault, to: &out)
                #expect(FoundationJSON.read(out.bytes) == Self.expected(fault).sorted)
            }
        }
    }

    @Test("Foundation decodes each ASCII character of an encoded string correctly")
    func escapes() {
        let text = String(decoding: 0..<0x80 as Range<UInt8>, as: UTF8.self) + "\u{2028}é\u{FFFF}😀"
        var out = ByteBuffer()
        out.appendQuoted(text)
        #expect(FoundationJSON.read(out.bytes) == .string(text))
    }

    private static func text(_ update: ViewUpdate, refresh: IndicatorChange? = nil) -> String {
        var out = ByteBuffer()
        var update = update
        UpdateEncoder.write(
            &update, view: "list", layout: ViewLayout(), ack: 12, refresh: refresh, loadMore: nil,
            to: &out)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private static func timeline(_ curve: Curve) -> Timeline {
        Timeline(start: Instant(milliseconds: 81_532.25), duration: 250, curve: curve)
    }
}

// The generated updates, and the values that Foundation must find in them.
extension EncoderTests {
    private static func update(_ random: inout SeededGenerator) -> ViewUpdate {
        var update = ViewUpdate()
        if random.once(in: 2) { update.refresh = edge(&random) }
        if random.once(in: 2) { update.loadMore = edge(&random) }
        for _ in 0..<random.below(3) {
            update.merge(
                InsetCommand(
                    refresh: random.once(in: 2) ? number(&random) : nil,
                    loadMore: random.once(in: 2) ? number(&random) : nil,
                    timeline: timeline(&random)))
        }
        if random.once(in: 2) {
            update.offset =
                flight(&random)
                ?? OffsetCommand(target: number(&random), timeline: timeline(&random))
        }
        for _ in 0..<random.below(4) { update.append(random.element(of: Haptic.allCases)) }
        if random.once(in: 3) { addRareNews(to: &update, &random) }
        return update
    }

    private static func addRareNews(
        to update: inout ViewUpdate, _ random: inout SeededGenerator
    ) {
        if random.once(in: 2) {
            update.setFloor(
                random.element(of: FloorState.allCases), progress: random.element(of: [0, 0.25, 1]))
        }
        if random.once(in: 2) {
            let instant = Instant(microseconds: Int64(random.below(1 << 50)))
            update.setList(
                count: random.below(1_000_000), hasMore: random.once(in: 2),
                lastUpdated: instant)
        }
        if random.once(in: 2) { update.setNewer(random.once(in: 2)) }
        for _ in 0..<random.below(4) { update.append(random.element(of: SpokenCue.allCases)) }
    }

    private static func edge(_ random: inout SeededGenerator) -> EdgeUpdate {
        var update = EdgeUpdate()
        update.state = maybe(EdgeState.allCases, &random)
        update.cause = maybe(Cause.allCases, &random)
        update.result = maybe(LoadResult.allCases, &random)
        if random.once(in: 2) { update.progress = number(&random) }
        return update
    }

    private static func look(_ random: inout SeededGenerator) -> IndicatorChange? {
        let look = IndicatorChange(known: indicator(&random), shown: indicator(&random))
        return look.known == look.shown || random.once(in: 3) ? nil : look
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

    /// Returns the command of a flight, which is the motion of a released list, in half of the
    /// cases. Nil if the list does not move.
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

    /// A choice of few values, so that the known value often equals the new one.
    private static func number(_ random: inout SeededGenerator) -> Double {
        random.element(of: [0, 1, 0.5, -0.1, 1.0 / 3, -1e7, .leastNonzeroMagnitude, 1e300, 0.7813])
    }

    private static func maybe<Value>(_ all: [Value], _ random: inout SeededGenerator) -> Value? {
        random.once(in: 2) ? random.element(of: all) : nil
    }

    private static func expected(
        _ update: ViewUpdate, _ view: ViewID, _ layout: ViewLayout, _ ack: UInt64,
        _ looks: (refresh: IndicatorChange?, loadMore: IndicatorChange?)
    ) -> JSONValue {
        var members: [JSONValue.Member] = [
            JSONValue.Member("type", .string("update")),
            JSONValue.Member("view", .string(view.description)),
            JSONValue.Member("ack", .number(Double(ack))),
        ]
        let names = layout.names
        let refresh = expected(update.refresh, looks.refresh)
        if !refresh.isEmpty { members.append(.init(names.refresh, .object(refresh))) }
        let loadMore = expected(update.loadMore, looks.loadMore)
        if !loadMore.isEmpty { members.append(.init(names.loadMore, .object(loadMore))) }
        if let inset = update.inset, inset.refresh != nil || inset.loadMore != nil {
            var inner: [JSONValue.Member] = []
            if let share = inset.refresh { inner.append(.init(names.refresh, .number(share))) }
            if let share = inset.loadMore { inner.append(.init(names.loadMore, .number(share))) }
            members.append(JSONValue.Member("inset", .object(inner + expected(inset.timeline))))
        }
        if let offset = update.offset {
            members.append(JSONValue.Member("offset", .object(expected(offset))))
        }
        if !update.haptics.isEmpty {
            let cues = (0..<Int(update.haptics.count)).map { update.haptics[$0].rawValue }
            members.append(JSONValue.Member("haptic", .array(cues.map(JSONValue.string))))
        }
        return .object(members + expected(update.infrequent))
    }

    private static func expected(_ news: InfrequentUpdate) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let floor = news.floor {
            let state = JSONValue.Member("state", .string(floor.state.rawValue))
            let progress = JSONValue.Member("progress", .number(floor.progress))
            members.append(
                .init("floor", .object(floor.progress > 0 ? [state, progress] : [state])))
        }
        if let list = news.list {
            let count = JSONValue.Member("count", .number(Double(list.count)))
            members.append(.init("list", .object([count, .init("more", .bool(list.hasMore))])))
        }
        if let hasNewer = news.hasNewer { members.append(.init("newer", .bool(hasNewer))) }
        if let instant = news.lastUpdated {
            members.append(
                .init("lastUpdated", .number(Double(instant.microseconds) / 1000)))
        }
        let cues = (0..<Int(news.cues.count)).compactMap { news.cues[$0] }
        if !cues.isEmpty {
            members.append(.init("announce", .array(cues.map { .string("\($0)") })))
        }
        return members
    }

    private static func expected(
        _ edge: EdgeUpdate, _ look: IndicatorChange?
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let state = edge.state { members.append(.init("state", .string(state.rawValue))) }
        if let progress = edge.progress { members.append(.init("progress", .number(progress))) }
        if let cause = edge.cause { members.append(.init("cause", .string(cause.rawValue))) }
        if let result = edge.result { members.append(.init("result", .string(result.rawValue))) }
        if let look {
            let (frame, known) = (look.shown, look.known)
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
        switch offset.movement {
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
        if let option = fault.option { members.append(.init("field", .string("\(option)"))) }
        if let seq = fault.seq { members.append(.init("seq", .number(Double(seq)))) }
        if let view = fault.view { members.append(.init("view", .string("\(view)"))) }
        if fault.code == .unsupportedProtocol {
            members.append(.init("versions", .array([.number(1)])))
        }
        return .object(members)
    }
}

extension ViewLayout {
    /// The names that docs/protocol.md gives the refresh edge and the load-more edge.
    fileprivate var names: (refresh: String, loadMore: String) {
        switch (axis, isReversed) {
        case (.vertical, false): ("top", "bottom")
        case (.vertical, true): ("bottom", "top")
        case (.horizontal, false): ("leading", "trailing")
        case (.horizontal, true): ("trailing", "leading")
        }
    }
}
