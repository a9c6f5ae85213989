import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshSession

/// Operations are applied to equal lists once for all sessions of a loop.
@Suite("The cache of operations")
struct OperationCacheTests {
    private static let rules = ListEdit.Rules(holdsArrivals: false, hasMore: true)

    private static func list(_ ids: ClosedRange<Int>) -> HashedItems {
        HashedItems(
            distinct: ids.map { ListEditTests.key($0).hash }, contents: ids.map { UInt64($0) })
    }

    private static let insert = [
        ItemChange([ListEditTests.operation(.insert, 9, .start)])
    ]

    private static func operations(
        _ cache: OperationCache, _ items: [ItemChange] = insert, subject: String? = nil,
        areOwn: Bool = false, parameters: [LoadParameter] = []
    ) -> ReportedOperations {
        cache.operations(of: items, parameters: parameters, subject: subject, areOwn: areOwn)
    }

    @Test("An edit is made once for all sessions whose lists and rules are equal")
    func shared() throws {
        let cache = OperationCache()
        let operations = Self.operations(cache).operations
        let first = try #require(
            cache.edit(Self.list(1...3), by: operations, held: [], Self.rules))
        for _ in 0..<100 {
            let again = Self.operations(cache, subject: "ann").operations
            let applied = cache.edit(Self.list(1...3), by: again, held: [], Self.rules)
            #expect(applied === first)
        }
        #expect(cache.madeCount == 1 && first.list.count == 4)
    }

    @Test("The text of a message is shared only by views with the same name and load")
    func texts() throws {
        let applied = try #require(
            OperationCache().edit(
                Self.list(1...3), by: Self.operations(OperationCache()).operations, held: [],
                Self.rules))
        let (one, other): (ViewID, ViewID) = ("one", "other")
        let loads = [LoadID(generation: 1, number: 2), LoadID(generation: 1, number: 3)]
        for _ in 0..<2 {
            for view in [one, other] {
                for load in loads {
                    let text = applied.text(load, ofView: view)
                    let message = try JSONValue(parsing: text)
                    #expect(message["view"]?.string == view.description)
                    #expect(message["load"]?.string == "1.\(load.number)")
                    #expect(message["operations"]?.array?.count == 1)
                    #expect(applied.text(load, ofView: view) == text)
                }
            }
        }
    }

    @Test("A cursor is lost if the last item of a list with more pages leaves its place")
    func lostCursor() throws {
        for (operation, isReversed, expected) in [
            (ListEditTests.operation(.remove, 3), false, true),
            (ListEditTests.operation(.move, 3, .start), false, true),
            (ListEditTests.operation(.remove, 1), false, false),
            (ListEditTests.operation(.update, 3, version: 1), false, false),
            (ListEditTests.operation(.remove, 1), true, true),
            (ListEditTests.operation(.remove, 3), true, false),
        ] {
            for (hasCursor, hasMore) in [(true, true), (false, true), (true, false)] {
                let rules = ListEdit.Rules(
                    holdsArrivals: false, isReversed: isReversed, hasMore: hasMore,
                    hasCursor: hasCursor)
                let reported = [ReportedOperation(operation: operation)]
                let applied = try #require(
                    OperationCache().edit(Self.list(1...3), by: reported, held: [], rules))
                #expect(applied.losesCursor == (expected && hasCursor && hasMore))
            }
        }
    }

    @Test("Other lists, operations, held arrivals and rules have edits of their own")
    func different() throws {
        let cache = OperationCache()
        let operations = Self.operations(cache).operations
        var counts: [Int] = []
        var whole = Self.rules
        whole.hasMore = false
        let held = HeldItem(operation: operations[0].operation, next: nil)
        for (list, operations, held, rules) in [
            (Self.list(1...3), operations, [], Self.rules),
            (Self.list(1...4), operations, [], Self.rules),
            (Self.list(1...3), [], [], Self.rules),
            (Self.list(1...3), operations, [], whole),
            (HashedItems.empty, [], [held], Self.rules),
        ] {
            let applied = try #require(cache.edit(list, by: operations, held: held, rules))
            counts.append(applied.list.count)
        }
        #expect(counts == [4, 5, 3, 4, 1] && cache.madeCount == 5)
    }

    @Test("The operations of a change are those for the subject, the parameters and the author")
    func reports() {
        let cache = OperationCache()
        let own = ItemChange(subject: "ann", [ListEditTests.operation(.remove, 1)])
        let items = Self.insert + [own]
        for _ in 0..<2 {
            #expect(Self.operations(cache, items, subject: "ann").operations.count == 2)
            #expect(Self.operations(cache, items, subject: "bob").operations.count == 1)
            #expect(Self.operations(cache, items).operations.count == 1)
            #expect(Self.operations(cache, areOwn: true).operations.map(\.isOwn) == [true])
            let other = Self.operations(
                cache, parameters: [LoadParameter(name: "q", value: .text("a"))])
            #expect(other.operations.isEmpty && !other.isWhole)
        }
    }

    @Test("A cache with many reports and lists forgets the oldest")
    func bounded() throws {
        let cache = OperationCache()
        for round in 0..<2 {
            for id in 1...20 {
                let items = [ItemChange([ListEditTests.operation(.remove, id)])]
                let operations = Self.operations(cache, items).operations
                #expect(operations.first?.operation.key == ListEditTests.key(id))
                let applied = cache.edit(Self.list(1...20), by: operations, held: [], Self.rules)
                #expect(applied?.list.count == 19, "round \(round)")
            }
        }
        #expect(cache.madeCount == 40)
    }
}
