import RefreshProtocol
import Testing

@Suite struct ViewUpdateTests {
    private func command(
        _ refresh: Double?, _ loadMore: Double?, _ duration: Double
    ) -> InsetCommand {
        InsetCommand(
            refresh: refresh, loadMore: loadMore,
            timeline: Timeline(start: .origin, duration: duration, curve: .linear))
    }

    @Test("A newer command replaces the inset of each edge that it names, and the timeline")
    func merging() {
        var update = ViewUpdate()
        update.merge(command(60, nil, 1))
        #expect(update.inset == command(60, nil, 1))
        update.merge(command(nil, 40, 2))
        #expect(update.inset == command(60, 40, 2))
        update.merge(command(0, nil, 3))
        #expect(update.inset == command(0, 40, 3))
        update.merge(command(nil, nil, 4))
        #expect(update.inset == command(0, 40, 4))
    }

    @Test("An update is empty until anything is set")
    func emptiness() {
        #expect(ViewUpdate().isEmpty)
        let settings: [(inout ViewUpdate) -> Void] = [
            { $0.refresh.state = .idle }, { $0.loadMore.progress = 0 },
            { $0.refresh.cause = .code }, { $0.loadMore.result = .empty },
            {
                $0.merge(
                    InsetCommand(
                        refresh: 0, timeline: Timeline(start: .origin, duration: 0, curve: .linear))
                )
            },
            {
                $0.offset = OffsetCommand(
                    target: 0, timeline: Timeline(start: .origin, duration: 0, curve: .linear))
            },
            { $0.append(Haptic.impact) }, { $0.append(SpokenCue.noMore) },
            { $0.setFloor(.closed, progress: 0) },
            { $0.setList(count: 0, hasMore: false, lastUpdated: nil) }, { $0.setNewer(false) },
        ]
        for set in settings {
            var update = ViewUpdate()
            set(&update)
            #expect(!update.isEmpty)
            update.removeAll()
            #expect(update.isEmpty && update == ViewUpdate())
        }
    }

    @Test("An update has the newest floor and list, and all announcements")
    func rareNews() {
        var update = ViewUpdate()
        update.setFloor(.pulling, progress: 0.5)
        update.setFloor(.opening, progress: 0)
        update.setList(count: 10, hasMore: true, lastUpdated: nil)
        update.setList(count: 20, hasMore: false, lastUpdated: .origin)
        update.setNewer(true)
        update.setNewer(false)
        #expect(update.infrequent.hasNewer == false)
        update.append(SpokenCue.refreshing)
        update.append(SpokenCue.refreshed)
        #expect(
            update.infrequent.floor?.state == .opening && update.infrequent.floor?.progress == 0)
        #expect(update.infrequent.lastUpdated == .origin)
        #expect(update.infrequent.list?.count == 20 && update.infrequent.list?.hasMore == false)
        #expect(update.infrequent.cues[0] == .refreshing && update.infrequent.cues[1] == .refreshed)
    }

    @Test("Sixteen announcements are queued in order, and further ones are dropped")
    func announcements() {
        var random = SeededGenerator("announcements", seed: 501)
        for _ in 0..<50 {
            let cues = (0..<20).map { _ in random.element(of: SpokenCue.allCases) }
            var waiting = SpokenCues()
            #expect(waiting.isEmpty)
            for cue in cues { waiting.append(cue) }
            #expect(waiting.count == 16)
            #expect((0..<16).map { waiting[$0] } == Array(cues[..<16]))
        }
    }

    @Test("Sixteen haptic cues are queued in order, and further ones are dropped")
    func haptics() {
        var random = SeededGenerator("haptics", seed: 500)
        for _ in 0..<50 {
            let cues = (0..<20).map { _ in random.element(of: Haptic.allCases) }
            var waiting = HapticCues()
            #expect(waiting.isEmpty)
            for (index, cue) in cues.enumerated() {
                waiting.append(cue)
                #expect(Int(waiting.count) == min(index + 1, 16))
            }
            #expect((0..<16).map { waiting[$0] } == Array(cues[..<16]))
        }
    }

    @Test("Every curve increases from 0 to 1 and never decreases", arguments: Curve.allCases)
    func curves(_ curve: Curve) {
        #expect(curve.fraction(at: 0).magnitude < 1e-9 && curve.fraction(at: -5) < 1e-9)
        #expect((curve.fraction(at: 1) - 1).magnitude < 1e-9)
        #expect((curve.fraction(at: 5) - 1).magnitude < 1e-9)
        let fractions = (0...200).map { curve.fraction(at: Double($0) / 200) }
        #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 })
    }

    @Test("The named curves equal the cubic curves of CSS")
    func easing() {
        // The expected values solve x(s) = 0.5 for the control points of CSS, to twelve digits.
        #expect(Curve.linear.fraction(at: 0.25) == 0.25)
        #expect((Curve.easeInOut.fraction(at: 0.5) - 0.5).magnitude < 1e-9)
        #expect((Curve.easeIn.fraction(at: 0.5) - 0.315356).magnitude < 1e-5)
        #expect((Curve.easeOut.fraction(at: 0.5) - 0.684643).magnitude < 1e-5)
        for step in 0...20 {
            let time = Double(step) / 20
            let mirrored = 1 - Curve.easeOut.fraction(at: 1 - time)
            #expect((Curve.easeIn.fraction(at: time) - mirrored).magnitude < 1e-9)
        }
    }

    @Test("An instant is exact to the microsecond")
    func instants() {
        let instant = Instant(milliseconds: 81_532.2504)
        #expect(instant == Instant(microseconds: 81_532_250))
        #expect(instant.milliseconds == 81_532.25)
        let later = instant.advanced(byMilliseconds: 0.75)
        #expect(later.milliseconds(since: instant) == 0.75)
        #expect(instant < later && !(later < instant) && !(instant < instant))
    }
}
