import RefreshProtocol
import Testing

@testable import RefreshEngine

/// The speed of a list. It determines when the engine requests the next page. The content has 2,000
/// points, and the viewport has 800 points.
@Suite("The speed of a list")
struct SpeedTests {
    private static func engine() -> (engine: Engine, effects: [Effect]) {
        var options = ViewOptions.iq()
        options.loadMore?.leadTime = 200
        return (Engine(generation: 1, options: options, geometry: .sizes(), offset: 0), [])
    }

    private static func scroll(
        _ offset: Double, _ phase: ScrollPhase, velocity: Double = 0
    ) -> Event {
        .scrolled(ScrollSample(offset: offset, phase: phase, velocity: velocity))
    }

    private static func instant(_ t: Double) -> Instant { Instant(milliseconds: 1000 + t) }

    @Test("A sample with the phase `cancelled` can be the last movement of the list")
    func cancelled() {
        var (engine, effects) = Self.engine()
        engine.handle(Self.scroll(100, .began), at: Self.instant(0), into: &effects)
        engine.handle(Self.scroll(90, .dragging), at: Self.instant(16), into: &effects)
        engine.handle(Self.scroll(122, .cancelled), at: Self.instant(32), into: &effects)
        #expect(effects.isEmpty)
        #expect(engine.gesture.movesTowardsEnd)
        let first = -10.0 / 16 / 4
        #expect(engine.scrollSpeed.speed == first + (32.0 / 16 - first) / 4)
    }

    @Test("If a sample has no velocity, the speed is measured from the previous sample")
    func mixed() {
        var (engine, effects) = Self.engine()
        engine.handle(Self.scroll(0, .began), at: Self.instant(0), into: &effects)
        engine.handle(
            Self.scroll(300, .dragging, velocity: 2000), at: Self.instant(150), into: &effects)
        engine.handle(Self.scroll(332, .dragging), at: Self.instant(166), into: &effects)
        #expect(effects.isEmpty)
        #expect(engine.scrollSpeed.speed == 2)
    }

    @Test("A list that stands still has no speed, even if its offset was not reported before")
    func unreported() {
        var (engine, effects) = Self.engine()
        engine.handle(Self.scroll(0, .began), at: Self.instant(0), into: &effects)
        engine.handle(
            Self.scroll(300, .dragging, velocity: 4400), at: Self.instant(16), into: &effects)
        #expect(engine.scrollSpeed.speed == 4.4)
        engine.recordPhysicalOffset(300)
        #expect(engine.scrollSpeed.speed == 4.4)
        // At the earlier speed the list would reach its end within the lead time.
        engine.recordPhysicalOffset(330)
        engine.handle(Self.scroll(330, .ended), at: Self.instant(80), into: &effects)
        #expect(effects.isEmpty)
        #expect(engine.scrollSpeed.speed == 0 && engine.loadMore.phase == .idle)
    }

    @Test("An offset that the client computed from the resistance table counts as no movement")
    func inexact() {
        var (engine, effects) = Self.engine()
        func pan(_ travel: Double, _ phase: ScrollPhase) -> PanSample {
            PanSample(translation: travel, phase: phase)
        }
        engine.handle(.panned(pan(0, .began)), at: Self.instant(0), into: &effects)
        engine.handle(.panned(pan(-100, .dragging)), at: Self.instant(16), into: &effects)
        engine.handle(.panned(pan(-90, .dragging)), at: Self.instant(32), into: &effects)
        let place = engine.offset
        var other = engine
        other.recordPhysicalOffset(place - 0.3, before: pan(-90, .ended))
        #expect(other.offset == place - 0.3)
        engine.recordPhysicalOffset(place - 0.1, before: pan(-90, .ended))
        #expect(engine.offset == place && !engine.gesture.movesTowardsEnd)
        engine.handle(.panned(pan(-90, .ended)), at: Self.instant(48), into: &effects)
        #expect(!engine.gesture.movesTowardsEnd && engine.loadMore.phase == .idle)
    }
}
