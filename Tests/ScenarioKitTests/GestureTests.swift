import ScenarioKit
import Testing

@Suite("Gestures")
struct GestureTests {
    @Test("Samples are sent at equal intervals, and the last one is at the end of the path")
    func samples() throws {
        let path = Gesture.Path(from: 0, points: [-100], durationMs: 300, rate: 60)
        let samples = try path.samples(startingAt: 999)
        #expect(samples.count == 18)
        #expect(samples.first == .init(afterMs: 16.667, position: -5.556))
        #expect(samples.last == .init(afterMs: 300, position: -100))
        #expect(try samples == path.samples(startingAt: 0))
    }

    @Test("Every segment takes the same time, and the path passes exactly through its corners")
    func corners() throws {
        let path = Gesture.Path(from: nil, points: [-80, -40], durationMs: 200, rate: 20)
        #expect(
            try path.samples(startingAt: 0) == [
                .init(afterMs: 50, position: -40), .init(afterMs: 100, position: -80),
                .init(afterMs: 150, position: -60), .init(afterMs: 200, position: -40),
            ])
    }

    @Test("A path without duration results in one sample, at its end")
    func instantly() throws {
        let path = Gesture.Path(from: 5, points: [7], durationMs: 0, rate: 60)
        #expect(try path.samples(startingAt: 0) == [.init(afterMs: 0, position: 7)])
    }
}
