import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("The rate of change notifications")
struct ChangeBudgetTests {
    private static func at(_ milliseconds: Int64) -> Instant {
        Instant(microseconds: milliseconds * 1000)
    }

    @Test("The first change is announced at once, and those of the next 100 ms as one after them")
    func merged() {
        var changes = ChangeBudget()
        #expect(changes.nextDeadline == nil)
        #expect(changes.record(FeedChange("a"), at: Self.at(0)) == true)
        #expect(changes.record(FeedChange("b"), at: Self.at(40)) == true)
        #expect(changes.nextDeadline == nil)
        #expect(changes.record(FeedChange("a"), at: Self.at(60)) == false)
        #expect(changes.record(FeedChange("b"), at: Self.at(70)) == false)
        #expect(changes.record(FeedChange("a"), at: Self.at(99)) == false)
        #expect(changes.nextDeadline == Self.at(100))
        #expect(changes.removeDue(at: Self.at(99)) == [])
        #expect(changes.removeDue(at: Self.at(100)) == [FeedChange("a")])
        #expect(changes.nextDeadline == Self.at(140))
        #expect(changes.removeDue(at: Self.at(500)) == [FeedChange("b")])
        #expect(changes.nextDeadline == nil)
    }

    @Test(
        "The numbers of items of merged changes are added, and are unknown if one change has none",
        arguments: [([3, 4], 7), ([3, nil, 4], nil), ([1_000_000, 5], 1_000_000)]
            as [([Int?], Int?)])
    func counted(_ counts: [Int?], _ sum: Int?) {
        var changes = ChangeBudget()
        #expect(changes.record(FeedChange("a"), at: Self.at(0)) == true)
        for count in counts {
            let change = FeedChange("a", count: NewerCount(count))
            #expect(changes.record(change, at: Self.at(1)) == false)
        }
        #expect(changes.removeDue(at: Self.at(100)) == [FeedChange("a", count: NewerCount(sum))])
    }

    @Test("The 100 ms begin again with each announcement")
    func again() {
        var changes = ChangeBudget()
        #expect(changes.record(FeedChange("a"), at: Self.at(0)) == true)
        #expect(changes.record(FeedChange("a"), at: Self.at(1)) == false)
        #expect(changes.removeDue(at: Self.at(130)) == [FeedChange("a")])
        #expect(changes.record(FeedChange("a"), at: Self.at(229)) == false)
        #expect(changes.nextDeadline == Self.at(230))
        #expect(changes.removeDue(at: Self.at(230)) == [FeedChange("a")])
        #expect(changes.record(FeedChange("a"), at: Self.at(330)) == true)
    }
}
