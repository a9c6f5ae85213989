import Histogram
import RefreshBroker
import RefreshProtocol
import Testing

@testable import LoadTesting

@Suite("The counts of a load test")
struct LoadTallyTests {
    @Test("The percentiles of known values are correct")
    func known() throws {
        var tally = LoadTally()
        for value in 1...1000 { tally.latency.record(microseconds: Int64(value)) }
        let times = try #require(LoadResults.Times(tally.latency))
        #expect(times.count == 1000)
        #expect(
            [times.p50, times.p90, times.p99, times.p999, times.max] == [500, 900, 990, 999, 1000])
        #expect(abs(times.mean - 500.5) < 0.5)
        #expect(LoadResults.Times(LoadTally().latency) == nil)
    }

    @Test("Each value is accurate to a thousandth, whatever its magnitude", arguments: 1...4)
    func error(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for magnitude in 0..<31 {
            let value = UInt64.random(in: (1 << magnitude)..<(2 << magnitude), using: &random)
            var tally = LoadTally()
            tally.latency.record(microseconds: Int64(value))
            tally.latency.record(microseconds: Int64(LoadTally.latencyMax))
            let reported = try #require(LoadResults.Times(tally.latency)).p50
            #expect(
                reported >= value && Double(reported - value) <= Double(value) / 1000,
                "seed \(seed)")
        }
    }

    @Test("The percentiles of random values match the sorted values", arguments: 1...4)
    func ranks(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let values = (0..<5000).map { _ in
            UInt64.random(in: 1..<(1 << UInt64.random(in: 1...30, using: &random)), using: &random)
        }
        var parts = [LoadTally(), LoadTally(), LoadTally()]
        for (index, value) in values.enumerated() {
            parts[index % 3].latency.record(microseconds: Int64(value))
        }
        var sum = LoadTally()
        for part in parts { sum += part }
        let sorted = values.sorted()
        let times = try #require(LoadResults.Times(sum.latency))
        #expect(times.count == 5000)
        for (reported, rank) in [
            (times.p50, 2500), (times.p90, 4500), (times.p99, 4950), (times.p999, 4995),
        ] {
            let value = sorted[rank - 1]
            #expect(
                reported >= value && Double(reported - value) <= Double(value) / 1000,
                "seed \(seed)")
        }
    }

    @Test("A value below 0 or above an hour is counted at the nearer end of the scale")
    func ends() throws {
        var tally = LoadTally()
        tally.latency.record(microseconds: -5)
        tally.latency.record(microseconds: .max)
        let times = try #require(LoadResults.Times(tally.latency))
        #expect(times.count == 2)
        #expect(times.max >= LoadTally.latencyMax)
    }

    @Test("Turns to send are returned by time, whatever the order of insertion", arguments: 1...4)
    func turns(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var queue = TurnQueue()
        let times = (0..<500).map { _ in Int64.random(in: 0..<300, using: &random) }
        for (number, at) in times.enumerated() {
            queue.insert(TurnQueue.Turn(at: at, number: number))
        }
        var out: [Int64] = []
        while let turn = queue.first {
            #expect(times[turn.number] == turn.at)
            out.append(turn.at)
            queue.removeFirst()
        }
        #expect(out == times.sorted(), "seed \(seed)")
    }
}
