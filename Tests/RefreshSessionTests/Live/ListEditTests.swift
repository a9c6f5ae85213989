import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Operations on a list of which only the hashes are known. Source: docs/protocol.md, "Live items".
@Suite("Operations on a list")
struct ListEditTests {
    private static let hash = SipHash(key: 1, 2)

    static func key(_ id: Int) -> ItemOperation.Key {
        ItemOperation.Key(Array(String(id).utf8), hashedBy: hash)
    }

    static func operation(
        _ kind: ItemOperation.Kind, _ id: Int, _ place: ItemOperation.Place? = nil,
        version: Int = 0
    ) -> ItemOperation {
        let hasItem = kind == .insert || kind == .update
        return ItemOperation(
            kind, key(id), at: place,
            item: hasItem ? Array(PatchedList.item(id, version: version, bytes: 1).utf8) : [],
            hashedBy: hash)
    }

    private static func list(_ ids: some Sequence<Int>) throws -> HashedItems {
        let items = ids.map { PatchedList.item($0, bytes: 1) }
        return try #require(try PatchedList.page(items).itemKeys?.list)
    }

    private static func edit(
        _ operations: [ItemOperation], _ ids: some Sequence<Int>, held: [HeldItem] = [],
        _ rules: ListEdit.Rules
    ) throws -> ListEdit? {
        ListEdit.applying(
            operations.map { ReportedOperation(operation: $0) }, to: try list(ids), held: held,
            by: rules)
    }

    /// An operation on the list 1, 2, 3, and the text that the client gets; nil: the operation
    /// cannot be resolved. `shift` is the shift of the pages.
    struct Case: Sendable {
        var name: String
        var operation: ItemOperation
        var rules = ListEdit.Rules(holdsArrivals: false, hasMore: true)
        var sent: String?
        var shift = 0
        var held = 0
    }

    private static let pill = ListEdit.Rules(holdsArrivals: true, hasMore: true)
    private static let whole = ListEdit.Rules(holdsArrivals: false, hasMore: false)
    private static let reversed = ListEdit.Rules(
        holdsArrivals: false, isReversed: true, hasMore: true)
    private static let deep = ListEdit.Rules(
        holdsArrivals: true, beginsAtFirstPage: false, hasMore: true)
    private static let nine = #"{"id":9,"version":0,"text":"x"}"#

    @Test("A page with an item that operations insert or remove is not added to them")
    func pageWithOperations() throws {
        let page = try Self.list([5, 9])
        let kept = page.keys
        for operation in [
            Self.operation(.insert, 9, .after(Self.key(3))), Self.operation(.update, 3, version: 1),
        ] {
            var edit = try #require(try Self.edit([operation], 1...3, Self.whole))
            let isAdded = edit.append(page, kept: kept)
            #expect(isAdded == (operation.kind == .update))
        }
        var edit = try #require(
            try Self.edit(
                [Self.operation(.insert, 9, .start), Self.operation(.remove, 9)], 1...3,
                Self.whole))
        let isAdded = edit.append(page, kept: kept)
        #expect(!isAdded)
    }

    @Test("A page that has an insertion has the operations before it, except on earlier items")
    func containedOperations() throws {
        var operations = [
            Self.operation(.update, 2, version: 1), Self.operation(.update, 7, version: 1),
            Self.operation(.insert, 9, .after(Self.key(8))),
            Self.operation(.update, 8, version: 1),
        ].map { ReportedOperation(operation: $0) }
        let new = Set([8, 9].map { Self.key($0).hash })
        let isCertain = operations.removeContained(
            in: new, knowing: Set([1, 2, 3].map { Self.key($0).hash }), of: new)
        #expect(operations.map(\.operation.key) == [Self.key(2), Self.key(8)])
        #expect(isCertain, "item 7 is in no list")
    }

    @Test("A page that has all insertions before the last one is certain to have them")
    func containedInsertions() throws {
        var operations = [8, 9].map {
            ReportedOperation(operation: Self.operation(.insert, $0, .start))
        }
        let isCertain = operations.removeContained(
            in: Set([8, 9].map { Self.key($0).hash }), knowing: [], of: [])
        #expect(operations.isEmpty && isCertain)
    }

    @Test("Operations of the client's own user stay, unless a later one undoes them")
    func containedOwn() throws {
        let (nine, shown) = (Self.key(9).hash, Set([2, 9].map { Self.key($0).hash }))
        for kind in [ItemOperation.Kind.remove, .insert] {
            let own = Self.operation(kind, kind == .insert ? 5 : 2, kind == .insert ? .start : nil)
            var operations = [
                ReportedOperation(operation: own, isOwn: true), ReportedOperation(operation: own),
                ReportedOperation(operation: Self.operation(.insert, 9, .start)),
            ]
            let isCertain = operations.removeContained(in: [nine], knowing: [], of: shown)
            #expect(operations.map(\.isOwn) == [true])
            #expect(!isCertain, "the page may be older")
        }
        var undone = [
            ReportedOperation(operation: Self.operation(.insert, 5, .start), isOwn: true),
            ReportedOperation(operation: Self.operation(.remove, 5)),
            ReportedOperation(operation: Self.operation(.insert, 9, .start)),
        ]
        _ = undone.removeContained(in: [nine], knowing: [], of: shown)
        #expect(undone.isEmpty)
    }

    static let cases: [Case] = [
        Case(
            name: "an arrival", operation: operation(.insert, 9, .start),
            sent: #"{"insert":\#(nine),"at":"start"}"#, shift: 1),
        Case(
            name: "an arrival before the first item",
            operation: operation(.insert, 9, .before(key(1))),
            sent: #"{"insert":\#(nine),"at":"start"}"#, shift: 1),
        Case(
            name: "an arrival that is held back", operation: operation(.insert, 9, .start),
            rules: pill, sent: "", shift: 1, held: 1),
        Case(
            name: "an item within the list", operation: operation(.insert, 9, .after(key(1))),
            rules: pill, sent: #"{"insert":\#(nine),"after":1}"#, shift: 1),
        Case(
            name: "the insertion of a known item",
            operation: operation(.insert, 2, .start, version: 1), rules: pill,
            sent: #"{"update":{"id":2,"version":1,"text":"x"}}"#),
        Case(name: "an update to the same bytes", operation: operation(.update, 2), sent: ""),
        Case(name: "the update of an unknown item", operation: operation(.update, 9), sent: ""),
        Case(
            name: "a removal", operation: operation(.remove, 2), sent: #"{"remove":2}"#, shift: -1
        ),
        Case(name: "the removal of an unknown item", operation: operation(.remove, 9), sent: ""),
        Case(
            name: "the removal of an unknown item from a list without its first page",
            operation: operation(.remove, 9), rules: deep, sent: nil),
        Case(
            name: "an item at the end of a list with more pages",
            operation: operation(.insert, 9, .end), sent: ""),
        Case(
            name: "an item at the end of a whole list", operation: operation(.insert, 9, .end),
            rules: whole, sent: #"{"insert":\#(nine),"at":"end"}"#, shift: 1),
        Case(
            name: "an item beside an unknown item",
            operation: operation(.insert, 9, .after(key(8))), sent: ""),
        Case(
            name: "an item beside an unknown item of a whole list",
            operation: operation(.insert, 9, .after(key(8))), rules: whole, sent: nil),
        Case(
            name: "a move", operation: operation(.move, 3, .before(key(2))), rules: pill,
            sent: #"{"move":3,"before":2}"#),
        Case(
            name: "a move to the start", operation: operation(.move, 3, .start), rules: pill,
            sent: #"{"move":3,"at":"start"}"#),
        Case(
            name: "a move beside itself", operation: operation(.move, 3, .after(key(3))), sent: ""),
        Case(
            name: "a move to a later page", operation: operation(.move, 2, .end),
            sent: #"{"remove":2}"#, shift: -1),
        Case(
            name: "a move of an unknown item into the list",
            operation: operation(.move, 9, .before(key(2))), sent: nil),
        Case(
            name: "an arrival of a reversed list", operation: operation(.insert, 9, .start),
            rules: reversed, sent: #"{"insert":\#(nine),"at":"end"}"#, shift: 1),
        Case(
            name: "an item within a reversed list",
            operation: operation(.insert, 9, .before(key(2))), rules: reversed,
            sent: #"{"insert":\#(nine),"before":2}"#, shift: 1),
    ]

    @Test("Each operation becomes what the client can apply", arguments: cases)
    func table(row: Case) throws {
        let edit = try Self.edit([row.operation], [1, 2, 3], row.rules)
        guard let sent = row.sent else {
            #expect(edit == nil, "\(row.name)")
            return
        }
        let result = try #require(edit, "\(row.name)")
        var text = ByteBuffer(capacity: 64)
        for operation in result.sent { operation.append(to: &text) }
        #expect(String(decoding: text.bytes, as: UTF8.self) == sent, "\(row.name)")
        #expect(result.shift == row.shift && result.held.count == row.held, "\(row.name)")
    }

    private static func own(
        _ operations: [ItemOperation], _ ids: some Sequence<Int>, _ rules: ListEdit.Rules,
        then reports: [ItemOperation] = []
    ) throws -> ListEdit? {
        ListEdit.applying(
            operations.map { ReportedOperation(operation: $0, isOwn: true) }
                + reports.map { ReportedOperation(operation: $0) },
            to: try list(ids), held: [], by: rules)
    }

    @Test("In a list without its first page, an author's item at the start of the feed is held")
    func deepAuthor() throws {
        let start = try #require(
            try Self.own([Self.operation(.insert, 9, .start)], 1...3, Self.deep))
        #expect(start.sent.isEmpty && start.held.count == 1 && start.shift == 1)
        let before = try #require(
            try Self.own([Self.operation(.insert, 9, .before(Self.key(1)))], 1...3, Self.deep))
        #expect(before.list.keys == [9, 1, 2, 3].map { Self.key($0).hash } && before.shift == 1)
    }

    @Test(
        "The report of an author's edit changes nothing in a list without its first page",
        arguments: [operation(.remove, 2), operation(.move, 2, .end), operation(.move, 2, .start)])
    func deepRemoval(operation: ItemOperation) throws {
        let edit = try #require(
            try Self.own([operation], 1...3, Self.deep, then: [operation]))
        #expect(edit.list.keys == [1, 3].map { Self.key($0).hash })
        #expect(edit.removedByAuthor.isEmpty)
        #expect(try Self.own([operation], 1...3, Self.deep, then: [operation, operation]) == nil)
    }

    @Test("A list longer than the view remembers cannot be resolved")
    func tooLong() throws {
        var rules = Self.whole
        rules.itemsMax = 3
        #expect(try Self.edit([Self.operation(.insert, 9, .end)], [1, 2, 3], rules) == nil)
        #expect(try Self.edit([Self.operation(.remove, 1)], [1, 2, 3], rules) != nil)
    }

    @Test("An operation that must wait for its item has no place between the items of the list")
    func waitingItem() throws {
        var rules = Self.whole
        rules.hasMore = true
        rules.isLoadingMore = true
        let update = Self.operation(.update, 7)
        let places: [ItemOperation.Place] = [.start, .before(Self.key(2)), .after(Self.key(2))]
        for place in places {
            let operations = [update, Self.operation(.move, 7, place)]
            #expect(try Self.edit(operations, [1, 2, 3], rules) == nil)
        }
        for last in [
            Self.operation(.remove, 7), Self.operation(.move, 7, .after(Self.key(9))),
            Self.operation(.move, 3, .start),
        ] {
            #expect(try Self.edit([update, last], [1, 2, 3], rules) != nil)
        }
    }

    // MARK: A naive model

    /// The whole list of the feed.
    private struct Feed {
        var ids: [Int]

        mutating func apply(_ operation: ItemOperation, _ id: Int, beside neighbour: Int?) {
            switch operation.kind {
            case .update, .refresh: break
            case .remove: ids.removeAll { $0 == id }
            case .insert: if !ids.contains(id) { insert(id, operation.place, neighbour) }
            case .move where neighbour != id && ids.contains(id):
                ids.removeAll { $0 == id }
                insert(id, operation.place, neighbour)
            case .move: break
            }
        }

        private mutating func insert(
            _ id: Int, _ place: ItemOperation.Place?, _ neighbour: Int?
        ) {
            switch place {
            case .start: ids.insert(id, at: 0)
            case .end, nil: ids.append(id)
            case .before: ids.firstIndex(of: neighbour ?? 0).map { ids.insert(id, at: $0) }
            case .after: ids.firstIndex(of: neighbour ?? 0).map { ids.insert(id, at: $0 + 1) }
            }
        }
    }

    @Test("Random operations leave the client with the first items of the feed's list")
    func random() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        var resolved = 0
        for round in 0..<400 {
            var feed = Feed(ids: Array(1...12))
            let hasMore = Bool.random(using: &random)
            var count = hasMore ? 6 : 12
            var client = try PatchedList.items(
                of: try PatchedList.page(feed.ids.prefix(count), bytes: 1))
            var held: [HeldItem] = []
            for step in 0..<6 {
                let rules = ListEdit.Rules(
                    holdsArrivals: step < 5 && Bool.random(using: &random),
                    isReversed: false, hasMore: hasMore)
                var operations: [ItemOperation] = []
                var next = feed
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let (operation, id, neighbour) = Self.random(next.ids, &random)
                    operations.append(operation)
                    next.apply(operation, id, beside: neighbour)
                }
                let ids = client.compactMap { $0["id"]?.number.map { Int($0) } }
                guard let edit = try Self.edit(operations, ids, held: held, rules) else { break }
                resolved += 1
                var text = ByteBuffer(capacity: 64)
                text.append(
                    ServerText.items(
                        LoadID(generation: 1, number: 1),
                        endingWith: ServerText.endOfItems(
                            edit.sent, count: edit.list.count, hasMore: hasMore), view: "list"))
                let message = try JSONValue(parsing: String(decoding: text.bytes, as: UTF8.self))
                let note = "seed \(seed), round \(round), step \(step)"
                client = try #require(PatchedList.applying(message, to: client), "\(note)")
                (feed, held, count) = (next, edit.held, count + edit.shift)
                let back = Set(held.map { $0.operation.key.hash })
                let expected = feed.ids.prefix(count).filter {
                    !back.contains(Self.key($0).hash)
                }
                #expect(client.map { $0["id"]?.number.map { Int($0) } } == expected, "\(note)")
                #expect(edit.list.keys == expected.map { Self.key($0).hash }, "\(note)")
            }
        }
        #expect(resolved > 400, "seed \(seed)")
    }

    private static func random(
        _ ids: [Int], _ random: inout SplitMix
    ) -> (ItemOperation, id: Int, neighbour: Int?) {
        let kinds = ItemOperation.Kind.allCases.filter { $0 != .refresh }
        let kind = kinds.randomElement(using: &random) ?? .insert
        // The model does not tell an item of a later page from one of the list.
        let isNew = kind == .insert
        let known = ids.randomElement(using: &random) ?? 1
        let id = isNew ? Int.random(in: 100..<100_000, using: &random) : known
        guard kind == .insert || kind == .move else {
            return (operation(kind, id, version: Int.random(in: 0...2, using: &random)), id, nil)
        }
        let neighbour = ids.randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (operation(kind, id, .start), id, nil)
        case 1: return (operation(kind, id, .end), id, nil)
        case 2: return (operation(kind, id, .before(key(neighbour))), id, neighbour)
        default: return (operation(kind, id, .after(key(neighbour))), id, neighbour)
        }
    }
}
