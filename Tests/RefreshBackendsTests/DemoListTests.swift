import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshBackends

/// Source: docs/backends.md, "The feeds cards and messages".
@Suite("The lists of the demo that clients edit")
struct DemoListTests {
    private static let noon: Int64 = 1_000_000 * UploadList.intervalMs
    private let hash = SipHash(key: 1, 2)
    private let uploads = UploadList(packages: [
        DebianPackage(name: "one", version: "1"), DebianPackage(name: "two", version: "1"),
    ])

    private func key(_ text: String) -> ItemOperation.Key {
        ItemOperation.Key(Array(text.utf8), hashedBy: hash)
    }

    private func operation(
        _ kind: ItemOperation.Kind, _ key: String, at place: ItemOperation.Place? = nil,
        _ item: String = ""
    ) -> ItemOperation {
        ItemOperation(
            kind, self.key(key), at: place, item: Array(item.utf8), hashedBy: hash)
    }

    private func keys(_ list: DemoList) -> [String] {
        list.items.map { String(decoding: $0.key, as: UTF8.self) }
    }

    // MARK: The board

    @Test("A card that is moved belongs to the section of its neighbour")
    func move() throws {
        var board = DemoBoard()
        #expect(keys(board.list) == ["1", "2", "3", "4", "5", "6", "7"])
        let moved = try board.perform(operation(.move, "1", at: .after(key("6"))))
        #expect(keys(board.list) == ["2", "3", "4", "5", "6", "1", "7"])
        let text = moved.map { String(decoding: $0, as: UTF8.self) }
        #expect(text == #"{"id":1,"list":"Done","title":"Swipe this card to the left"}"#)
        #expect(board.list.item(Array("1".utf8))?.json == moved)
        let within = try board.perform(operation(.move, "5", at: .before(key("4"))))
        #expect(within == nil, "the card is in its section already")
        #expect(keys(board.list) == ["2", "3", "5", "4", "6", "1", "7"])
        #expect(throws: LoadFailure.self) {
            try board.perform(operation(.move, "99", at: .start))
        }
    }

    @Test("A card is inserted with its title only, and a removed one is gone")
    func insertAndRemove() throws {
        var board = DemoBoard()
        let card = #"{"id":"c1","title":"Buy \"bread\"","list":"Else","other":{"a":[1]}}"#
        let kept = try board.perform(operation(.insert, #""c1""#, at: .start, card))
        let text = kept.map { String(decoding: $0, as: UTF8.self) }
        #expect(text == #"{"id":"c1","list":"To do","title":"Buy \"bread\""}"#)
        #expect(keys(board.list).first == #""c1""#)
        #expect(try board.perform(operation(.remove, #""c1""#)) == nil)
        #expect(keys(board.list) == ["1", "2", "3", "4", "5", "6", "7"])
        for number in 1...7 { _ = try board.perform(operation(.remove, "\(number)")) }
        let first = try board.perform(operation(.insert, #""c1""#, at: .end, card))
        #expect(first == kept, "a card on an empty board has the first section")
    }

    @Test(
        "An item that is no card is refused, and the board stays as it is",
        arguments: [
            "{}", "[]", #"{"title":""}"#, #"{"title":3}"#, #"{"title":"a""#,
            #"{"title":""# + String(repeating: "a", count: 201) + #""}"#,
        ])
    func refusedCard(item: String) {
        var board = DemoBoard()
        let failure = #expect(throws: LoadFailure.self) {
            try board.perform(operation(.insert, "99", at: .start, item))
        }
        #expect(failure?.code == .backendRejected)
        #expect(board.list.items.count == 7)
    }

    @Test("A card needs a key of its own")
    func keyOfItsOwn() throws {
        var board = DemoBoard()
        let before = board.list.items
        for key in ["1", String(repeating: "k", count: 129)] {
            let failure = #expect(throws: LoadFailure.self) {
                try board.perform(operation(.insert, key, at: .start, #"{"title":"a"}"#))
            }
            #expect(failure?.code == .backendRejected && board.list.items == before)
        }
    }

    @Test("A full list refuses a further item")
    func full() throws {
        var board = DemoBoard()
        for number in 8...DemoList.countMax {
            _ = try board.perform(operation(.insert, "\(number)", at: .end, #"{"title":"a"}"#))
        }
        let failure = #expect(throws: LoadFailure.self) {
            try board.perform(operation(.insert, "9999", at: .start, #"{"title":"a"}"#))
        }
        #expect(failure?.code == .backendRejected)
        #expect(board.list.items.count == DemoList.countMax)
    }

    // MARK: The messages

    @Test("The list begins with the uploads, and each further one is an operation")
    func announcements() throws {
        var messages = DemoMessages(of: uploads)
        #expect(messages.announce(at: Self.noon) == nil, "there was no list before")
        #expect(messages.list.items.count == 100)
        #expect(keys(messages.list).first == "\(Self.noon)")
        #expect(messages.announce(at: Self.noon + UploadList.intervalMs - 1) == nil)
        let operations = try texts(messages.announce(at: Self.noon + 2 * UploadList.intervalMs))
        #expect(operations.count == 2)
        #expect(operations[0].hasPrefix(#"{"insert":{"id":6000006000,"time":6000006000,"#))
        #expect(operations[1].hasPrefix(#"{"insert":{"id":6000012000,"#))
        #expect(operations.allSatisfy { $0.hasSuffix(#","at":"start"}"#) })
        #expect(keys(messages.list).first == "6000012000")
        #expect(messages.list.items.count == 102)
    }

    @Test("A message gets a key that is larger than all before, and keeps its two texts only")
    func sending() throws {
        var messages = DemoMessages(of: uploads)
        _ = messages.announce(at: Self.noon)
        let item = #"{"id":"draft","time":5,"author":"ada","description":"hello","more":"x"}"#
        let insert = operation(.insert, #""draft""#, at: .start, item)
        for number in 1...2 {
            let kept = try messages.perform(insert, at: Self.noon)
            let id = Self.noon + Int64(number)
            let text = kept.map { String(decoding: $0, as: UTF8.self) }
            #expect(
                text
                    == #"{"id":\#(id),"time":\#(id),"author":"ada","description":"hello"}"#)
        }
        #expect(messages.list.items.count == 102)
        #expect(try messages.perform(operation(.remove, "\(Self.noon + 1)"), at: 0) == nil)
        #expect(messages.list.items.count == 101)
    }

    @Test("With each upload, the oldest messages beyond 200 are removed, also for the clients")
    func trimming() throws {
        var messages = DemoMessages(of: uploads)
        _ = messages.announce(at: Self.noon)
        let item = #"{"author":"ada","description":"hello"}"#
        for _ in 0..<101 {
            _ = try messages.perform(operation(.insert, "1", at: .start, item), at: Self.noon)
        }
        let last = Array(keys(messages.list).suffix(2))
        let operations = try texts(messages.announce(at: Self.noon + UploadList.intervalMs))
        #expect(operations.prefix(2) == last.map { #"{"remove":\#($0)}"# }[...])
        #expect(operations.count == 3 && messages.list.items.count == DemoMessages.keptCount)
    }

    @Test("A full list has room for the uploads, and the clients learn of each removed message")
    func trimmingFullList() throws {
        var messages = DemoMessages(of: uploads)
        _ = messages.announce(at: Self.noon)
        let item = #"{"author":"ada","description":"hello"}"#
        for _ in 100..<DemoList.countMax {
            _ = try messages.perform(operation(.insert, "1", at: .start, item), at: Self.noon)
        }
        let operations = try texts(messages.announce(at: Self.noon + UploadList.intervalMs))
        #expect(operations.count == DemoList.countMax - DemoMessages.keptCount + 2)
        #expect(operations.last?.hasPrefix(#"{"insert":"#) == true)
        #expect(messages.list.items.count == DemoMessages.keptCount)
    }

    private func texts(_ operations: [[UInt8]]?) throws -> [String] {
        try #require(operations).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: The backend

    private func backend(
        _ kind: DemoListBackend.Kind, notices: FeedNotices = FeedNotices(),
        at time: @escaping @Sendable () -> Int64 = { Self.noon }
    ) throws -> DemoListBackend {
        try DemoListBackend(
            kind, feed: kind.rawValue, packages: Array(#"[{"name":"one","version":"1"}]"#.utf8),
            firstPage: 1, notices: notices, wallMilliseconds: time)
    }

    private func request(_ kind: DemoListBackend.Kind, page: Int = 1) -> LoadRequest {
        LoadRequest(feed: kind.rawValue, kind: .refresh, page: page, offset: 0, size: 20)
    }

    private func edit(_ operation: ItemOperation, as name: String) -> EditCall {
        EditCall(EditRequest(feed: "board", operation, idempotencyKey: name))
    }

    @Test("An edit that is repeated has no further effect, and the same answer")
    func repeated() async throws {
        let board = try backend(.board)
        let insert = operation(.insert, #""c1""#, at: .start, #"{"title":"a"}"#)
        let first = try await board.edit(edit(insert, as: "k1"))
        _ = try await board.edit(edit(operation(.remove, #""c1""#), as: "k2"))
        let again = try await board.edit(edit(insert, as: "k1"))
        #expect(first != nil && again == first)
        let page = try await board.load(request(.board))
        #expect(page.count == 7 && page.total == 7 && page.more == false)
    }

    @Test("A page of the messages has what is new, and reports it with its operations")
    func reports() async throws {
        let notices = FeedNotices()
        notices.setFeeds(["messages": ChangeReader.Feed(itemKey: JSONPointer("/id"))])
        let changes = ChangeLog()
        notices.setListener { changes.append($0) }
        let clock = Counter()
        let messages = try backend(.messages, notices: notices) {
            Self.noon + Int64(clock.value) * UploadList.intervalMs
        }
        let before = try await messages.load(request(.messages))
        #expect(before.count == 20 && before.total == 100 && before.more == true)
        #expect(changes.all.isEmpty)
        clock.increment()
        let after = try await messages.load(request(.messages))
        messages.stop()
        #expect(after.total == 101)
        let reported = changes.all
        #expect(reported.map(\.feed) == ["messages"])
        let operations = reported.first?.items?.first?.operations ?? []
        #expect(operations.map(\.kind) == [.insert])
        #expect(operations.first.map { $0.key.text } == Array("6000006000".utf8))
    }

    @Test("More operations than a report can have are reported as a change without operations")
    func longReport() async throws {
        let notices = FeedNotices()
        notices.setFeeds(["messages": ChangeReader.Feed(itemKey: JSONPointer("/id"))])
        let changes = ChangeLog()
        notices.setListener { changes.append($0) }
        let clock = Counter()
        let messages = try backend(.messages, notices: notices) {
            Self.noon + Int64(clock.value) * UploadList.intervalMs
        }
        let item = #"{"author":"ada","description":"hello"}"#
        for number in 0...DemoList.countMax - 100 {
            let insert = operation(.insert, "1", at: .start, item)
            if number > 0 { _ = try await messages.edit(edit(insert, as: "\(number)")) }
            _ = try await messages.load(request(.messages))
        }
        clock.increment()
        let page = try await messages.load(request(.messages))
        messages.stop()
        #expect(page.total == DemoMessages.keptCount)
        #expect(changes.all == [FeedChange("messages")])
    }
}

/// Source: docs/backends.md, "The feed log".
@Suite("The log of the demo")
struct DemoLogTests {
    private let packages = Array(#"[{"name":"one"},{"name":"two"},{"name":"three"}]"#.utf8)

    private func page(offset: Int, size: Int = 2) async throws -> Page {
        try await DemoLogBackend(packages: packages, first: 0).load(
            LoadRequest(feed: "log", kind: .more, page: 0, offset: offset, size: size))
    }

    @Test("A page has the lines from its offset on, and the number of all lines")
    func pages() async throws {
        let page = try await page(offset: 2)
        let text = String(decoding: page.items, as: UTF8.self)
        #expect(
            text == #"[{"id":2,"text":"three was installed"},{"id":3,"text":"one was configured"}]"#
        )
        #expect(page.count == 2 && page.more == true && page.total == 10_000)
    }

    @Test("The last page has no more lines, and there is none after it")
    func end() async throws {
        let last = try await page(offset: 9999)
        #expect(last.count == 1 && last.more == false)
        let none = try await page(offset: 10_000)
        #expect(none.count == 0 && none.more == false && none.items == Array("[]".utf8))
    }
}

/// The changes that a backend has reported.
private final class ChangeLog: Sendable {
    private let changes = Mutex([FeedChange]())

    var all: [FeedChange] { changes.withLock { $0 } }

    func append(_ change: FeedChange) { changes.withLock { $0.append(change) } }
}
