import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Tests of the control law. The views have a viewport of 800 points and a content of 2,000 points.
/// Their resting offset is -88.
@Suite("The control law")
struct LawTests {
    static let now = Instant(milliseconds: 1000)

    private static func engine(
        _ profile: Profile = .default, layout: ViewLayout = ViewLayout(), content: Double = 2000,
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> Engine {
        var options = ViewOptions(
            profile: profile, layout: layout,
            paging: PagingOptions(style: .page, first: 1, size: 10), isClientBacked: true,
            limits: Limits())
        change(&options)
        var geometry = GeometryChange()
        let isVertical = layout.axis == .vertical
        func size(_ length: Double) -> SizeChange {
            isVertical
                ? SizeChange(width: 390, height: length) : SizeChange(width: length, height: 390)
        }
        geometry.viewport = size(800)
        geometry.content = size(content)
        geometry.insets = isVertical ? EdgeInsets(top: 88) : EdgeInsets(left: 88)
        return Engine(generation: 1, options: options, geometry: geometry, offset: nil)
    }

    private static func seen(_ sight: ControlLaw.EdgeSight) -> EdgeLaw? {
        if case .seen(let law) = sight { law } else { nil }
    }

    private static func send(_ engine: inout Engine, _ events: Event...) {
        var effects: [Effect] = []
        for event in events { engine.handle(event, at: now, into: &effects) }
    }

    private static func scroll(_ offset: Double, _ phase: ScrollPhase) -> Event {
        .scrolled(ScrollSample(offset: offset, phase: phase))
    }

    struct Pull: Sendable {
        var profile: Profile
        var begin: Double
        var arm: Double
        var disarm: Double
        var isStrict = false
        var fires: EdgeLaw.Fires
        var room = 0.0
    }

    @Test(
        "At rest the law of each profile states where its pull begins, arms and fires",
        arguments: [
            Pull(profile: .default, begin: -88, arm: -152, disarm: -144, fires: .release, room: 64),
            Pull(profile: .uikit, begin: -88, arm: -148, disarm: -148, fires: .reach),
            Pull(
                profile: .iqpulltorefresh, begin: -88, arm: -148, disarm: -148, fires: .release,
                room: 60),
            Pull(
                profile: .mrefresh, begin: -118, arm: -198, disarm: -198, isStrict: true,
                fires: .reach),
            Pull(
                profile: .mrefresh2, begin: -128, arm: -228, disarm: -228, isStrict: true,
                fires: .reach),
            Pull(profile: .appcoda, begin: -88, arm: -148, disarm: -148, fires: .reach),
            Pull(profile: .jackrabbit, begin: -88, arm: -188, disarm: -188, fires: .reach),
        ])
    func profiles(expected: Pull) throws {
        let law = Self.engine(expected.profile).law(at: Self.now)
        let pull = try #require(Self.seen(law.refresh))
        #expect(pull.begin == expected.begin)
        #expect(pull.whole == expected.arm && pull.arm == expected.arm)
        #expect(pull.disarm == expected.disarm)
        #expect(pull.isStrict == expected.isStrict)
        #expect(pull.fires == expected.fires)
        #expect(pull.room == expected.room)
        #expect(law.rest == -88...1200)
        #expect(law.follow.isEmpty)
    }

    @Test("The law of the load-more edge contains the lead time with which a page is requested")
    func end() throws {
        let law = Self.engine().law(at: Self.now)
        let end = try #require(Self.seen(law.loadMore))
        #expect(end.begin == 936 && end.arm == 1000 && end.fires == .reach)
        #expect(end.lead == EdgeLaw.Lead(time: 200, place: 1200))
        #expect(law.interest == [OffsetRange(from: nil, to: -88), OffsetRange(from: 136, to: nil)])
        let plain = try #require(Self.seen(Self.engine(.uikit).law(at: Self.now).loadMore))
        #expect(plain.begin == 1140 && plain.arm == 1200 && plain.lead == nil)
    }

    @Test("A pull does not change the law. During the following refresh, the law contains no edge")
    func pull() {
        var engine = Self.engine()
        let rest = engine.law(at: Self.now)
        Self.send(&engine, Self.scroll(-88, .began), Self.scroll(-120, .dragging))
        #expect(engine.law(at: Self.now) == rest)
        Self.send(&engine, Self.scroll(-160, .dragging))
        #expect(engine.refresh.phase == .eligible)
        #expect(engine.law(at: Self.now) == rest)
        #expect(
            engine.controlLawInputs(at: Self.now) == Self.engine().controlLawInputs(at: Self.now))
        Self.send(&engine, Self.scroll(-160, .ended))
        let shown = engine.law(at: Self.now)
        #expect(shown.refresh == .unseen)
        // The policy of the load-more edge prevents page requests during a refresh.
        #expect(shown.loadMore == .unseen)
        #expect(shown.rest == -152...1200)
        #expect(shown.interest == rest.interest)
    }

    @Test("If sizes change under a finger, the law keeps the offsets of the current pull")
    func rotated() throws {
        var engine = Self.engine()
        Self.send(&engine, Self.scroll(-88, .began), Self.scroll(-120, .dragging))
        var change = GeometryChange()
        change.insets = EdgeInsets(top: 0)
        Self.send(&engine, .geometryChanged(change))
        let law = engine.law(at: Self.now)
        let pull = try #require(Self.seen(law.refresh))
        #expect(pull.begin == -88 && pull.arm == -152 && pull.disarm == -144)
        #expect(law.rest == 0...1200)
        // As soon as the list crosses this offset, the pull is measured from the new resting
        // offset.
        #expect(law.crossings == [0])
        #expect(law.interest.first == OffsetRange(from: nil, to: 0))
        Self.send(&engine, Self.scroll(0, .dragging))
        let after = engine.law(at: Self.now)
        #expect(after.crossings.isEmpty)
        let back = try #require(Self.seen(after.refresh))
        #expect(back.begin == 0 && back.arm == -64)
    }

    @Test(
        "If a gesture may request a failed page again, the client sends every sample at the end",
        arguments: [true, false])
    func asksAgain(_ asksAgain: Bool) {
        var engine = Self.engine {
            $0.loadMore?.leadTime = nil
            $0.loadMore?.asksAgain = asksAgain
        }
        let load = LoadID(generation: 1, number: 1)
        Self.send(
            &engine, Self.scroll(990, .began), Self.scroll(1001, .dragging),
            .loadEnded(load, LoadEnding(.failed)))
        #expect(engine.loadMore.phase == .failed)
        let law = engine.law(at: Instant(milliseconds: 61_000))
        #expect(law.loadMore == .unseen)
        #expect(law.follow.contains(OffsetRange(from: 1000, to: nil)) == asksAgain)
    }

    @Test("An edge that is absent or disabled is not visible in the law")
    func absent() {
        let without = Self.engine { $0.refresh = nil }.law(at: Self.now)
        #expect(without.refresh == .absent)
        #expect(without.interest == [OffsetRange(from: 136, to: nil)])
        let disabled = Self.engine { $0.refresh?.isEnabled = false }.law(at: Self.now)
        #expect(disabled.refresh == .unseen)
        let neither = Self.engine {
            $0.refresh = nil
            $0.loadMore = nil
        }.law(at: Self.now)
        #expect(neither.interest.isEmpty && neither.crossings.isEmpty)
    }

    @Test("If an edge may not fire, the law has no arming offset")
    func unarmed() throws {
        let platform = Self.engine { $0.refresh?.trigger = .platform }.law(at: Self.now)
        #expect(Self.seen(platform.refresh)?.arm == nil)
        #expect(platform.follow == [OffsetRange(from: nil, to: -152)])
        let code = Self.engine { $0.refresh?.intents = [.code] }.law(at: Self.now)
        #expect(Self.seen(code.refresh)?.arm == nil)
        #expect(code.crossings == [-152])
        var engine = Self.engine { $0.refresh?.whileLoading = .reject }
        Self.send(
            &engine, .loadMoreRequested(cause: .code), .loadBegan(engine.nextLoad, accepted: true))
        let law = try #require(Self.seen(engine.law(at: Self.now).refresh))
        #expect(law.arm == -152 && law.fires == nil && law.room == 0)
    }

    @Test("During the cool-down every sample beyond the threshold is required")
    func coolDown() {
        var engine = Self.engine { $0.refresh?.coolDown = 1000 }
        Self.send(&engine, .refreshRequested(cause: .code, animated: false))
        let load = engine.nextLoad
        let running = LoadID(generation: 1, number: load.number - 1)
        Self.send(&engine, .loadEnded(running, LoadEnding(.success, count: 10)), .detached)
        var again = engine
        again.refresh.phase = .idle
        let law = again.law(at: Self.now)
        #expect(Self.seen(law.refresh)?.arm == nil)
        #expect(law.follow.contains(OffsetRange(from: nil, to: -152)))
        let later = again.law(at: Self.now.advanced(byMilliseconds: 1000.0))
        #expect(Self.seen(later.refresh)?.arm == -152)
    }

    @Test("If a refresh ends under a finger, samples are required as soon as the next pull starts")
    func held() {
        var engine = Self.engine { $0.refresh?.successHold = 0 }
        Self.send(
            &engine, .indicatorShowRequested(animated: false), Self.scroll(-152, .began),
            .indicatorHideRequested(animated: false))
        #expect(engine.gesture.heldAt == -152)
        engine.refresh.phase = .idle
        let law = engine.law(at: Self.now)
        #expect(law.refresh == .unseen)
        #expect(law.follow.contains(OffsetRange(from: nil, to: -162)))
        #expect(law.crossings.contains(-162))
    }

    @Test("While the floor is open, every sample is required")
    func floor() {
        var engine = Self.engine { $0.refresh?.floor = FloorOptions(length: 160) }
        let closed = engine.law(at: Self.now)
        #expect(closed.crossings == [-248, -152])
        Self.send(&engine, .floorRequested(isOpen: true))
        let open = engine.law(at: Self.now)
        #expect(open.follow == [.everything])
        #expect(open.refresh == .unseen && open.loadMore == .unseen)
    }

    @Test("A mirrored view has the mirrored law")
    func mirrored() throws {
        let upright = Self.engine(layout: ViewLayout(axis: .horizontal)).law(at: Self.now)
        let reversed = Self.engine(
            .default, layout: ViewLayout(axis: .horizontal, isReversed: true)
        ) { _ in }
        // In a mirrored view the top inset of 88 is at the end of the content.
        let law = reversed.law(at: Self.now)
        let pull = try #require(Self.seen(law.refresh))
        #expect(pull.begin == 1200 && pull.arm == 1264 && pull.disarm == 1256)
        #expect(law.rest == -88...1200)
        #expect(law.interest.contains(OffsetRange(from: 1200, to: nil)))
        #expect(Self.seen(upright.refresh)?.arm == -152)
    }

    @Test("If the ranges of interest of both edges meet, the whole content is of interest")
    func short() {
        let law = Self.engine(content: 700).law(at: Self.now)
        #expect(law.interest == [.everything])
        #expect(law.crossings == [-88])
    }
}
