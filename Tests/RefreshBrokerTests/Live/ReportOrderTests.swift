import RefreshProtocol
import Testing

@testable import RefreshBroker

/// Operations of several reporters. Source: docs/backends.md, "What has changed".
@Suite("The order of reports")
struct ReportOrderTests {
    private static func report(
        _ operations: [ItemOperation]?, by reporter: String = "", feed: String = "chat"
    ) -> FeedChange {
        var change = FeedChange(feed, items: operations.map { [ItemChange($0)] })
        change.reporter = reporter
        return change
    }

    private static func insert(
        _ id: Int, at place: ItemOperation.Place = .start
    ) -> ItemOperation {
        ChangeReaderTests.operation(.insert, "\(id)", at: place, item: #"{"id":\#(id)}"#)
    }

    private static func update(_ id: Int) -> ItemOperation {
        ChangeReaderTests.operation(.update, "\(id)", item: #"{"id":\#(id)}"#)
    }

    private static func at(_ milliseconds: Int64) -> Instant {
        Instant(microseconds: (100_000 + milliseconds) * 1000)
    }

    /// When the views are verified after two reports; nil if they are not.
    private static func due(
        _ first: FeedChange, _ second: FeedChange, after milliseconds: Int64 = 100
    ) -> Double? {
        var order = ReportOrder()
        order.record(first, at: at(0))
        order.record(second, at: at(milliseconds))
        return order.nextDeadline.map { $0.milliseconds(since: at(milliseconds)) }
    }

    @Test("If two reporters insert items within 5 s, the lists are verified a second later")
    func inserts() {
        let (first, second) = (
            Self.report([Self.insert(1)], by: "a"), Self.report([Self.insert(2)])
        )
        #expect(Self.due(first, second) == 1000)
        #expect(Self.due(first, second, after: 4999) == 1000)
        #expect(Self.due(first, second, after: 5000) == nil)
        #expect(Self.due(second, second) == nil, "one reporter reports in order")
    }

    @Test("A change without operations can bring a page that is newer than a later report")
    func olderThanPage() {
        let missed = Self.report(nil)
        let update = Self.report([Self.update(1)], by: "a")
        #expect(Self.due(missed, update) == 1000)
        #expect(Self.due(missed, update, after: 5000) == nil)
        #expect(Self.due(Self.report(nil, by: "a"), update) == nil, "one reporter reports in order")
    }

    @Test(
        "Only the lists of the subjects whose operations may have overtaken each other are verified"
    )
    func subjects() {
        func report(_ subject: String?, by reporter: String) -> FeedChange {
            var change = FeedChange(
                "chat", items: [ItemChange(subject: subject, [Self.insert(1)])])
            change.reporter = reporter
            return change
        }
        #expect(Self.due(report("ann", by: "a"), report("bob", by: "b")) == nil)
        #expect(Self.due(report("ann", by: "a"), report("ann", by: "b")) == 1000)
        #expect(Self.due(report("ann", by: "a"), report(nil, by: "b")) == 1000)
        var order = ReportOrder()
        order.record(report("ann", by: "a"), at: Self.at(0))
        order.record(report("ann", by: "b"), at: Self.at(1))
        let due = order.removeDue(at: Self.at(1001))
        #expect(
            due == [
                FeedChange("chat", count: .none, items: [ItemChange(subject: "ann", [])])
            ])
    }

    @Test("A report whose place among the others is not known lets the lists be verified")
    func unordered() {
        var report = Self.report([Self.insert(1)])
        report.isRepeated = true
        var order = ReportOrder()
        order.record(report, at: Self.at(0))
        #expect(order.nextDeadline == Self.at(1000))
    }

    @Test("Operations on different items, of which one reporter inserts or moves none, commute")
    func commuting() {
        let key = Self.insert(1).key
        let insert = Self.report([Self.insert(1)], by: "a")
        #expect(Self.due(insert, Self.report([Self.update(2)])) == nil)
        #expect(Self.due(insert, Self.report([Self.update(1)])) == 1000)
        #expect(
            Self.due(Self.report([Self.update(2)], by: "a"), Self.report([Self.update(2)])) == 1000)
        let neighbour = Self.report([Self.insert(3, at: .after(key))], by: "b")
        let removal = Self.report([ChangeReaderTests.operation(.remove, "1")])
        #expect(
            Self.due(neighbour, removal) == 1000, "the place of an item is next to a removed one")
    }

    @Test("Different feeds are independent")
    func feeds() {
        var order = ReportOrder()
        order.record(Self.report([Self.insert(1)], by: "a"), at: Self.at(0))
        order.record(Self.report([Self.insert(1)], by: "b", feed: "other"), at: Self.at(10))
        #expect(order.nextDeadline == nil)
        order.record(Self.report(nil, by: "c", feed: "other"), at: Self.at(20))
        order.record(Self.report([Self.insert(2)], by: "a"), at: Self.at(30))
        #expect(order.nextDeadline == nil)
    }

    @Test("A feed is verified at most once in 5 s, and the last report is never left out")
    func interval() {
        var order = ReportOrder()
        var verified: [Int64] = []
        for step in 0...200 {
            let now = Int64(step) * 100
            if order.removeDue(at: Self.at(now)).map(\.feed) == ["chat"] { verified.append(now) }
            guard step <= 120 else { continue }
            order.record(
                Self.report([Self.insert(step)], by: step.isMultiple(of: 2) ? "a" : "b"),
                at: Self.at(now))
        }
        #expect(verified == [1100, 6100, 11_100, 16_100])
    }

    @Test("However many reports come, a bounded number is kept, and the newest count")
    func bound() {
        var order = ReportOrder()
        for id in 0..<1000 { order.record(Self.report([Self.insert(id)]), at: Self.at(0)) }
        #expect(order.nextDeadline == nil)
        order.record(Self.report([Self.insert(1000)], by: "a"), at: Self.at(0))
        #expect(order.nextDeadline == Self.at(1000))
    }

    @Test("The views are notified of a verification by a change that states no operations")
    func change() {
        var changes = ViewChanges()
        let (first, second) = (
            Self.report([Self.insert(1)], by: "a"), Self.report([Self.insert(2)])
        )
        #expect(changes.record(first, at: Self.at(0)) == true)
        #expect(changes.record(second, at: Self.at(50)) == false)
        #expect(changes.nextDeadline == Self.at(100))
        #expect(changes.removeDue(at: Self.at(100)) == [second])
        #expect(changes.nextDeadline == Self.at(1050))
        #expect(changes.removeDue(at: Self.at(1049)) == [])
        #expect(
            changes.removeDue(at: Self.at(1050)) == [FeedChange("chat", count: .none, items: [])])
        #expect(changes.nextDeadline == nil)
    }

    @Test("Merged changes of two reporters have no certain order")
    func merged() {
        var sum = Self.report([Self.insert(1)], by: "a")
        sum.add(Self.report([Self.insert(2)], by: "a"))
        #expect(sum.isOrdered)
        sum.add(Self.report([Self.insert(3)], by: "b"))
        #expect(!sum.isOrdered && sum.items?.first?.operations.count == 3)
    }
}
