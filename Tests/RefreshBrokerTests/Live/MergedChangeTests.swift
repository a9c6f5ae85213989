import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Merging changes with operations")
struct MergedChangeTests {
    private static func change(
        _ operations: [ItemOperation], room: String? = nil, subject: String? = nil
    ) -> FeedChange {
        let parameters = room.map { [LoadParameter(name: "room", value: .text($0))] } ?? []
        let items = ItemChange(parameters: parameters, subject: subject, operations)
        return FeedChange("chat", count: NewerCount(items.insertCount), items: [items])
    }

    private static func insert(_ id: Int, bytes: Int = 0) -> ItemOperation {
        ChangeReaderTests.operation(
            .insert, "\(id)", at: .start,
            item: #"{"id":\#(id),"x":"\#(String(repeating: "x", count: bytes))"}"#)
    }

    private static func remove(_ id: Int) -> ItemOperation {
        ChangeReaderTests.operation(.remove, "\(id)")
    }

    @Test("Operations on the same list follow one another, and others stay apart")
    func joined() {
        var sum = Self.change([Self.insert(1)])
        sum.add(Self.change([Self.remove(2), Self.insert(3)]))
        sum.add(Self.change([Self.remove(4)], room: "a"))
        sum.add(Self.change([Self.remove(5)], room: "a", subject: "ann"))
        sum.add(Self.change([Self.remove(6)]))
        #expect(sum.count == NewerCount(2))
        let items = sum.items ?? []
        #expect(
            items.map(\.operations) == [
                [Self.insert(1), Self.remove(2), Self.insert(3)], [Self.remove(4)],
                [Self.remove(5)],
                [Self.remove(6)],
            ])
        #expect(items.map(\.subject) == [nil, nil, "ann", nil])
        #expect(items.map(\.parameters.count) == [0, 1, 1, 0])
    }

    @Test("If one of the changes has no operations, the sum has none")
    func plain() {
        var first = FeedChange("chat")
        first.add(Self.change([Self.insert(1)]))
        #expect(first == FeedChange("chat"))
        var second = Self.change([Self.insert(1)])
        second.add(FeedChange("chat", count: NewerCount(2)))
        #expect(second == FeedChange("chat", count: NewerCount(3)))
    }

    @Test("More than 256 operations, or more than 262,144 bytes, become a change without any")
    func bounds() {
        var many = Self.change((0..<255).map(Self.remove))
        many.add(Self.change([Self.remove(255)]))
        #expect(many.items?.first?.operations.count == 256)
        many.add(Self.change([Self.insert(256)]))
        #expect(many == FeedChange("chat", count: NewerCount(1)))
        var large = Self.change([Self.insert(1, bytes: 131_000)])
        large.add(Self.change([Self.insert(2, bytes: 131_000)]))
        #expect(large.items != nil)
        large.add(Self.change([Self.insert(3, bytes: 100)]))
        #expect(large == FeedChange("chat", count: NewerCount(3)))
    }

    @Test("Changes within 100 ms keep their operations")
    func budget() {
        func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }
        var budget = ChangeBudget()
        #expect(budget.record(Self.change([Self.insert(1)]), at: at(0)) == true)
        #expect(budget.record(Self.change([Self.insert(2)]), at: at(10)) == false)
        #expect(budget.record(Self.change([Self.remove(1)]), at: at(20)) == false)
        #expect(budget.removeDue(at: at(100)) == [Self.change([Self.insert(2), Self.remove(1)])])
    }

    @Test("Another node reads what is written, with its own hash key")
    func written() throws {
        let changes = [
            try #require(
                Self.change([Self.insert(1), Self.remove(2)], room: "\"a\\", subject: "é").items?
                    .first),
            try #require(Self.change([Self.remove(3)]).items?.first),
        ]
        let text = ItemChange.json(of: changes)
        let same = ChangeReaderTests.reader.items(of: "chat", in: text.span)
        #expect(same == changes)
        var other = ChangeReaderTests.reader
        other.hash = SipHash(key: 3, 4)
        let others = other.items(of: "chat", in: text.span)
        let read = try #require(others)
        #expect(
            read.map { $0.operations.map(\.key.text) }
                == changes.map { $0.operations.map(\.key.text) })
        #expect(read[0].operations[0].key.hash != changes[0].operations[0].key.hash)
        #expect(ItemChange.json(of: read) == text)
        let none = other.items(of: "plain", in: text.span)
        #expect(none == nil)
    }
}
