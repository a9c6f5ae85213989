import Testing

@testable import Plotting

@Suite("The time scale of a picture")
struct TimeScaleTests {
    @Test("Times are placed evenly from the left edge to the right edge")
    func even() {
        let scale = TimeScale([0, 250, 1000], from: 100, width: 1000)
        #expect(scale.silences.isEmpty)
        #expect(scale.x(0) == 100 && scale.x(500) == 600 && scale.x(1000) == 1100)
        #expect(scale.x(-5) == 100 && scale.x(2000) == 1100)
    }

    @Test("A long silence is shortened, and the times before and after it keep their scale")
    func silence() {
        let scale = TimeScale([0, 1000, 61_000, 62_000], from: 0, width: 1000)
        #expect(scale.silences == [TimeScale.Silence(from: 1150, to: 60_850)])
        #expect(scale.x(60_850) - scale.x(1150) == TimeScale.silenceWidth)
        #expect(abs(scale.x(62_000) - 1000) < 0.001)
        #expect(abs((scale.x(1000) - scale.x(0)) - (scale.x(62_000) - scale.x(61_000))) < 0.001)
        #expect(scale.ticks.allSatisfy { $0 <= 1150 || $0 >= 60_850 })
    }

    @Test(
        "Times are printed in a uniform format, to a millisecond",
        arguments: [
            (0, "0.000 s"), (4.283, "0.004 s"), (999.6, "1.000 s"), (1260, "1.260 s"),
            (1263.4, "1.263 s"), (61_300, "61.300 s"),
        ])
    func labels(ms: Double, text: String) {
        #expect(TimeScale.label(ms) == text)
    }

    @Test("A later time is never drawn to the left of an earlier one", arguments: 0..<50)
    func monotonic(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var moments = [0.0]
        for _ in 0..<40 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            moments.append((moments.last ?? 0) + Double(state >> 40).squareRoot())
        }
        let scale = TimeScale(moments, from: 50, width: 800)
        let drawn = moments.map(scale.x)
        #expect(drawn == drawn.sorted(), "seed \(seed)")
        #expect(abs((drawn.last ?? 0) - 850) < 0.001, "seed \(seed)")
        let ticks = scale.ticks.map(scale.x)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 - $0 >= 50 }, "seed \(seed)")
    }
}
