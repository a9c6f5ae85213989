import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshServer

@Suite("Changes of feeds")
struct FeedChangesTests {
    private static func at(_ milliseconds: Int64) -> Instant {
        Instant(microseconds: milliseconds * 1000)
    }

    @Test("Changes of a feed within 100 ms are reported once, at the end of this time")
    func gathered() {
        var changes = FeedChanges()
        #expect(changes.nextDeadline == nil)
        changes.record(FeedChange("a"), at: Self.at(0))
        changes.record(FeedChange("a"), at: Self.at(60))
        changes.record(FeedChange("b"), at: Self.at(40))
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
        var changes = FeedChanges()
        for count in counts {
            changes.record(FeedChange("a", count: NewerCount(count)), at: Self.at(0))
        }
        #expect(changes.removeDue(at: Self.at(100)) == [FeedChange("a", count: NewerCount(sum))])
    }

    @Test("After a report, a later change of the feed is reported separately")
    func again() {
        var changes = FeedChanges()
        changes.record(FeedChange("a"), at: Self.at(0))
        #expect(changes.removeDue(at: Self.at(100)) == [FeedChange("a")])
        changes.record(FeedChange("a"), at: Self.at(100))
        #expect(changes.removeDue(at: Self.at(150)) == [])
        #expect(changes.removeDue(at: Self.at(200)) == [FeedChange("a")])
    }
}
