import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Random movements over a list whose answers come in any order, late, or not at all.
@Suite("A view with random access, whatever happens")
struct InSightPropertyTests {
    @Test("Every row finally in sight is loaded, and no page is requested without reason")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of the lists in sight: \(seed)")
        for round in 0..<300 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            var list = SparseList.open(
                total: 1 + random.below(20_000), size: 1 + random.below(80),
                screen: 1 + random.below(40))
            var row = 0.0
            for _ in 0..<60 {
                Self.act(&list, &row, &random)
                if random.chance(20) { list = Self.copied(list, shifted: random.chance(50)) }
            }
            Self.settle(&list, at: row)
            #expect(
                list.pagesInSight(at: row).allSatisfy(list.pages.contains),
                "seed \(seed), round \(round)")
            #expect(list.running.isEmpty, "seed \(seed), round \(round)")
        }
    }

    private static func act(
        _ list: inout SparseList, _ row: inout Double, _ random: inout SeededGenerator
    ) {
        let most = Double(max(list.total - 1, 0))
        switch random.below(12) {
        case 0...3:
            let target = min(max(row + random.sixteenths(from: -300, to: 300), 0), most)
            move(&list, from: row, to: target, &random)
            row = target
        case 4:
            row = Double(random.below(max(list.total, 1)))
            list.scroll(.idle, to: row, cause: .code, after: 50)
        case 5: list.scroll(.idle, to: row, after: Double(random.below(500)))
        case 6, 7:
            guard !list.running.isEmpty else { return }
            list.answer(list.running[random.below(list.running.count)])
        case 8:
            guard let order = list.running.last(where: { $0.kind == .more }) else { return }
            list.send(.loadEnded(order.id, LoadEnding(.failed)))
        case 9: while list.engine.nextDeadline != nil, random.chance(70), list.passDeadline() {}
        case 10: list.refresh()
        default:
            list.total = max(1, list.total + random.below(200) - 100)
            row = min(row, Double(list.total - 1))
        }
    }

    /// Moves the list under a finger, or throws it.
    private static func move(
        _ list: inout SparseList, from: Double, to end: Double, _ random: inout SeededGenerator
    ) {
        list.scroll(.began, to: from)
        let steps = 1 + random.below(12)
        let isThrown = random.chance(50)
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            let row = isThrown ? end - (end - from) * exp(-4 * part) : from + (end - from) * part
            list.scroll(isThrown && step > 1 ? .decelerating : .dragging, to: row)
        }
        if !isThrown { list.scroll(.ended, to: end) }
        if random.chance(70) { list.scroll(.idle, to: end) }
    }

    private static func copied(_ list: SparseList, shifted: Bool) -> SparseList {
        var copy = list
        copy.recode(shift: shifted ? 5_000_000 : 0)
        return copy
    }

    /// Lets the list rest at `row`, and answers every request.
    private static func settle(_ list: inout SparseList, at row: Double) {
        list.scroll(.ended, to: row)
        // A list that has become longer learns this from an answer.
        list.refresh()
        list.scroll(.idle, to: row)
        for _ in 0..<400 {
            if let order = list.running.first {
                list.answer(order, after: 5)
            } else if !list.passDeadline() {
                return
            }
        }
        Issue.record("the list does not come to rest")
    }
}
