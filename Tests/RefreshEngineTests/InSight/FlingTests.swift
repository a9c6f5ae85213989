import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// How many calls a fling needs. Source: docs/protocol.md, "What is in sight".
@Suite("A fling over a list with random access")
struct FlingTests {
    /// The rate at which the usual deceleration of a platform slows a list down, per second.
    private static let rate = 2.0
    /// The time until the backend answers, in milliseconds.
    private static let latency = 150.0

    /// Throws the list from `start` to `end`. Answers arrive after `latency`. Returns the number of
    /// calls.
    private static func fling(_ list: inout SparseList, from start: Double, to end: Double) -> Int {
        let before = list.orders.count
        var due: [(at: Double, load: LoadOrder)] = []
        var time = 0.0
        var seen = before
        func step(_ list: inout SparseList, _ phase: ScrollPhase, _ row: Double) {
            time += 16
            while let next = due.first, next.at <= time {
                due.removeFirst()
                if list.running.contains(next.load) { list.answer(next.load) }
            }
            list.scroll(phase, to: row)
            while seen < list.orders.count {
                due.append((time + latency, list.orders[seen]))
                seen += 1
            }
        }
        step(&list, .began, start)
        let first = start + (end - start) * 0.02
        for part in 1...4 { step(&list, .dragging, start + (first - start) * Double(part) / 4) }
        step(&list, .ended, first)
        var coasting = 0.0
        while true {
            coasting += 0.016
            let left = (end - first) * exp(-rate * coasting)
            guard left.magnitude >= 0.5 else { break }
            step(&list, .decelerating, end - left)
        }
        step(&list, .idle, end)
        while list.running.contains(where: { $0.kind == .more }) || !due.isEmpty {
            guard let next = due.first else { break }
            due.removeFirst()
            time = max(time, next.at)
            if list.running.contains(next.load) { list.answer(next.load) }
            while seen < list.orders.count {
                due.append((time + latency, list.orders[seen]))
                seen += 1
            }
        }
        return list.orders.count - before
    }

    @Test("A fling over 10,000 rows needs at most 1.3 times the calls for the pages finally seen")
    func tenThousandRows() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the flings: \(seed)")
        var random = SeededGenerator(seed: seed)
        var (calls, pages) = (0, 0)
        for _ in 0..<200 {
            var list = SparseList.open()
            let end = random.sixteenths(from: 9000, to: 9980)
            let made = Self.fling(&list, from: 0, to: end)
            let sight = list.pagesInSight(at: end)
            #expect(sight.allSatisfy(list.pages.contains), "rows at \(end) are missing")
            #expect(made <= sight.count + 1, "a fling to \(end) made \(made) calls")
            calls += made
            pages += sight.count
        }
        print("\(calls) calls for \(pages) pages finally seen")
        #expect(Double(calls) <= 1.3 * Double(pages), "\(calls) calls for \(pages) pages")
    }

    @Test("A fling back to the start requests no page again")
    func back() {
        var list = SparseList.open()
        _ = Self.fling(&list, from: 0, to: 9500)
        let made = Self.fling(&list, from: 9500, to: 30)
        #expect(made <= 1)
        #expect(list.pagesInSight(at: 30).allSatisfy(list.pages.contains))
    }

    @Test("Short flings of a reader leave no hole where the list stops")
    func reading() {
        var list = SparseList.open()
        var row = 0.0
        for _ in 0..<40 {
            let end = row + 35
            _ = Self.fling(&list, from: row, to: end)
            #expect(list.pagesInSight(at: end).allSatisfy(list.pages.contains))
            row = end
        }
        // 40 flings pass 1,420 rows, which are on 29 pages. Each is requested once.
        #expect(list.orders.count <= 30 && list.cancelled == 0)
    }
}
