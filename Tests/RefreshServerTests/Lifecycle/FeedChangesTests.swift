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
        changes.record("a", at: Self.at(0))
        changes.record("a", at: Self.at(60))
        changes.record("b", at: Self.at(40))
        #expect(changes.nextDeadline == Self.at(100))
        #expect(changes.removeDue(at: Self.at(99)) == [])
        #expect(changes.removeDue(at: Self.at(100)) == ["a"])
        #expect(changes.nextDeadline == Self.at(140))
        #expect(changes.removeDue(at: Self.at(500)) == ["b"])
        #expect(changes.nextDeadline == nil)
    }

    @Test("After a report, a later change of the feed is reported separately")
    func again() {
        var changes = FeedChanges()
        changes.record("a", at: Self.at(0))
        #expect(changes.removeDue(at: Self.at(100)) == ["a"])
        changes.record("a", at: Self.at(100))
        #expect(changes.removeDue(at: Self.at(150)) == [])
        #expect(changes.removeDue(at: Self.at(200)) == ["a"])
    }
}
