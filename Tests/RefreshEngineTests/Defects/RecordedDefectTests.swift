import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that views with the profiles of MRefresh, IQPullToRefresh and Jackrabbit do not have the
/// defects of these libraries. `ControlDefectTests`, `OracleDefectTests`, `OriginalDefectTests` and
/// `OriginalMovementDefectTests` cover the defects that are not tested here. Each test sentence
/// begins with the numbers of verdicts (`O-`, see `Verdict`) or of defects (`B-`).
@Suite("Defects of the recorded controls")
struct RecordedDefectTests {
    @Test(
        "O-MR-1: Bounces and movements by the app's code look like pulls, but load nothing",
        arguments: [true, false])
    func mr1(isProgram: Bool) {
        var tester = EngineTester(.of(.mrefresh))
        tester.scroll(.decelerating, -150, cause: isProgram ? .code : .finger)
        tester.expect("top pulling 1")
        tester.scroll(.idle, -150, cause: isProgram ? .code : .finger)
        tester.expectNothing()
        tester.expect(top: .pulling(progress: 1))
        #expect(tester.engine.insets.sentStart == 0)
    }

    @Test(
        "O-MR-2: A movement by the program loads nothing before or after the first refresh"
    )
    func mr2() {
        var tester = EngineTester(.of(.mrefresh))
        for number: UInt32 in 1...2 {
            tester.scroll(.decelerating, -150, cause: .code)
            tester.skip()
            #expect(tester.engine.refresh.load == nil)
            tester.scroll(.decelerating, 0, cause: .code)
            tester.skip()
            tester.scroll(.began, 0)
            tester.scroll(.dragging, -111)
            tester.skip()
            #expect(tester.engine.refresh.load == LoadID(number))
            tester.scroll(.ended, -111)
            tester.skip()
            tester.finish(number, .success, count: 10)
            tester.skip()
            tester.scroll(.idle, 0)
            tester.skip()
        }
    }

    @Test(
        "O-MR-8: The room opens once, and only if the list is near its start",
        arguments: [Profile.mrefresh, .mrefresh2])
    func mr8(profile: Profile) throws {
        let options = profile.refresh
        let zone = try #require(options.roomZone)
        var tester = EngineTester(.of(profile))
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -options.length - 1)
        tester.skip()
        tester.scroll(.dragging, 300)
        tester.scroll(.ended, 300)
        for place in stride(from: 300.0, to: zone, by: -20) { tester.scroll(.decelerating, place) }
        tester.expectNothing()
        tester.scroll(.decelerating, zone)
        tester.expect("inset top \(number(options.room)) in \(options.insetDuration)")
        tester.scroll(.decelerating, zone - 5)
        tester.expectNothing()
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("O-MR-10: A list that is scrolled into its content is not drawn as pulled")
    func mr10() {
        var tester = EngineTester(.of(.mrefresh2) { $0.refresh?.start = 10 })
        tester.scroll(.began, 0)
        tester.scroll(.dragging, 19)
        tester.expectNothing()
        tester.scroll(.dragging, -19)
        tester.expect("top pulling \(number(9.0 / 130))")
        tester.scroll(.cancelled, -19)
        tester.skip()
    }

    @Test("O-MR-11: If the list leaves the zone in one movement, the progress becomes 0")
    func mr11() {
        var tester = EngineTester(.of(.mrefresh))
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -60)
        tester.expect("top pulling 0.375")
        tester.scroll(.dragging, 60)
        tester.expect("top idle")
        tester.scroll(.ended, 60)
        tester.expectNothing()
    }

    @Test(
        "O-MR-12: The option `start` is refused if it is at or beyond the threshold",
        arguments: [110.0, 130])
    func mr12(start: Double) {
        var options = ViewOptions.of(.mrefresh)
        let known = options
        var settings = EdgeSettings()
        settings.top = .overrides([OptionSetting(.start, .number(start))])
        #expect(throws: Fault(.invalidOption, option: .start)) { try options.apply(settings) }
        #expect(options == known)
    }

    @Test("O-MR-13: The progress is 1, so that the drawing is complete, before the load begins")
    func mr13() {
        var tester = EngineTester(.of(.mrefresh))
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -110)
        tester.expect("top pulling 1")
        tester.scroll(.dragging, -110.5)
        tester.expect(
            "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.scroll(.ended, -110.5)
        tester.expect("inset top 80 in 300")
        tester.finish(1, .cancelled)
        tester.skip()
    }

    @Test("B-JR-2: Two views of one profile do not affect each other", arguments: Profile.allCases)
    func jr2(profile: Profile) {
        for seed in UInt64(1)...8 {
            var (events, others) = (
                RandomEvents(seed: seed, profile: profile),
                RandomEvents(seed: seed + 100, profile: profile)
            )
            let session = Session(&events, seed: seed, count: 100)
            let neighbour = Session(&others, seed: seed + 100, count: 100)
            var alone = session.start.engine
            // A copy of the view handles the same events. After each event, another view handles a
            // different event.
            var (view, other) = (session.start.engine, neighbour.start.engine)
            for (step, foreign) in zip(session.steps, neighbour.steps) {
                var (expected, effects, unrelated): ([Effect], [Effect], [Effect]) = ([], [], [])
                alone.handle(step.event, at: step.at, into: &expected)
                let before = view
                other.handle(foreign.event, at: foreign.at, into: &unrelated)
                #expect(view == before, "seed \(seed)")
                view.handle(step.event, at: step.at, into: &effects)
                #expect(effects == expected, "seed \(seed)")
            }
            #expect(view == alone, "seed \(seed)")
        }
    }

    @Test(
        "B-JR-1, B-JR-6: A pull can be reversed, and an ended refresh does not delay the next one"
    )
    func jackrabbit() {
        var tester = EngineTester(.of(.jackrabbit) { $0.refresh?.trigger = .release })
        tester.scroll(.began, 0)
        tester.scroll(.dragging, -120)
        tester.skip()
        tester.expect(top: .eligible)
        tester.scroll(.dragging, -50)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, -100)
        tester.skip()
        tester.scroll(.ended, -100)
        tester.skip()
        tester.finish(1, .success, count: 10)
        tester.expect("top finishing after success", "end 1.1 refresh success", "list 10 and more")
        // The needle of the indicator has not finished its quarter turn. The next pull does not
        // wait for the needle.
        tester.scroll(.began, -50)
        tester.skip()
        tester.scroll(.dragging, -100)
        tester.skip()
        tester.scroll(.ended, -100)
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("O-IQ-1: A list with a single page requests no page and shows nothing at its end")
    func iq1() {
        var tester = EngineTester(
            .of(.iqpulltorefresh) {
                $0.paging = PagingOptions(style: .none, first: 1, size: 10)
            })
        tester.loadFirstPage()
        tester.drag(to: 1300)
        tester.expectNothing()
        tester.expect(top: .idle, bottom: .noMore)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expectNothing()
    }

    @Test(
        "O-IQ-14, O-IQ-15: A pull fires when the finger is lifted, and a fling loads more"
    )
    func iq14() {
        var tester = EngineTester(.of(.iqpulltorefresh))
        // The samples report the release of the finger. No sample reports the end of the platform's
        // "dragging".
        tester.pullAndRelease(to: -64)
        tester.skip()
        #expect(tester.engine.refresh.phase == .refreshing(LoadID(1)))
        tester.finish(1, .success, count: 10)
        tester.skip()
        tester.scroll(.idle, 0)
        tester.skip()
        tester.scroll(.began, 400)
        tester.scroll(.dragging, 700)
        tester.scroll(.ended, 700)
        tester.skip()
        tester.scroll(.decelerating, 1200)
        tester.skip()
        #expect(tester.engine.loadMore.phase == .loading(LoadID(2)))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    @Test("O-IQ-19: The result of a load is reported", arguments: [LoadResult.success, .failed])
    func iq19(result: LoadResult) {
        var tester = EngineTester(.of(.iqpulltorefresh) { $0.refresh?.holdsInset = false })
        tester.pullAndRelease(to: -64)
        tester.skip()
        tester.send(.loadEnded(LoadID(1), LoadEnding(result, count: 3)))
        let expected = ["top idle after \(result)", "end 1.1 refresh \(result)"]
        if result == .success {
            tester.expect(expected[0], expected[1], "list 3", "bottom noMore")
        } else {
            tester.expect(expected[0], expected[1])
        }
    }
}
