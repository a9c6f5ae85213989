import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The pages that follow a list, and the operations that have changed it.
extension SessionLiveTests {
    @Test(
        "The next page is the one at which the rest of the feed begins now",
        arguments: [
            (PagingStyle.offset, 1, 11), (.offset, 0, 7), (.page, 0, 1), (.page, 3, 2),
            (.page, 12, 3),
        ])
    func nextPage(style: PagingStyle, inserted: Int, next: Int) throws {
        let client = Client(top: Self.insertsArrivals, style: style)
        try client.load(1...10)
        if inserted > 0 {
            try client.report((0..<inserted).map { Self.insert(100 + $0) })
        } else {
            try client.report([1, 2, 3].map { Self.remove($0) })
        }
        try client.send("loadMore")
        let request = try #require(client.lastRequest)
        #expect((style == .offset ? request.offset : request.page) == next)
        try client.answer(11...20)
        #expect(client.modes.last == "append")
    }

    @Test("A page is requested again if items were inserted while it was loaded")
    func again() throws {
        let client = Client(top: Self.insertsArrivals, style: .offset)
        try client.load(1...10)
        try client.send("loadMore")
        for round in 1...4 {
            #expect(client.lastRequest?.offset == 9 + round)
            try client.report([Self.insert(100 + round)])
            try client.answer(11...20)
        }
        #expect(client.modes.last == "append" && client.ids.count == 24)
        #expect(client.newer == true)
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 24)
    }

    @Test(
        "A refresh of all loaded pages requests the pages of inserted items too",
        arguments: [PagingStyle.page, .offset, .cursor])
    func depth(style: PagingStyle) throws {
        let client = Client(top: #""arrivals":"insert","depth":"keep""#, style: style)
        try client.load(1...10)
        try client.report((100..<115).map { Self.insert($0) })
        try client.send("refresh")
        #expect(client.tester.dispatcher.wishes.last?.series?.count == 3)
    }

    @Test("A page that is requested again needs a new answer")
    func newAnswer() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.send("loadMore")
        try client.report([Self.insert(101)])
        try client.answer(11...20)
        let wishes = client.tester.dispatcher.wishes
        #expect(wishes.map(\.request.page) == [1, 2, 2])
        #expect(Set(wishes.map(\.idempotencyKey)).count == 3)
        #expect(wishes.map(\.keptPages) == [.none, .fresh, .fresh])
    }

    @Test("With live items, a following page is not older than the changes that the list has taken")
    func followingPage() throws {
        let client = Client(top: Self.insertsArrivals)
        try client.load(1...10)
        try client.report([Self.remove(14)])
        try client.send("loadMore")
        #expect(client.tester.dispatcher.wishes.last?.keptPages == .fresh)
        // A client that does not take operations gets the page that followed its older list.
        let other = SessionTester()
        other.open(feed: "songs", features: #"["patch"]"#)
        other.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let (ticket, _) = try #require(other.dispatcher.started.last)
        let page = Page(items: Array("[1]".utf8), count: 1, more: true)
        other.session.handle(.load(ticket, .ended(.page(page))), at: other.now)
        other.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        #expect(other.dispatcher.wishes.map(\.keptPages) == [.none, .any])
    }

    @Test(
        "Operations on items of a page that is being loaded are applied to the page",
        arguments: [PagingStyle.page, .offset, .cursor], [false, true])
    func loading(style: PagingStyle, isRead: Bool) throws {
        let client = Client(top: Self.insertsArrivals, style: style)
        try client.load(1...10)
        try client.send("loadMore")
        try client.report([
            ListEditTests.operation(.update, 12, version: 5), Self.remove(14),
            Self.insert(99, .after(ListEditTests.key(15))),
            ListEditTests.operation(.move, 20, .before(ListEditTests.key(11))),
        ])
        #expect(client.modes == ["replace"])
        let after = [20, 11, 12, 13, 15, 99] + Array(16...19)
        if isRead {
            // The backend has read its items after the change.
            try client.answer(
                after.map { PatchedList.item($0, version: $0 == 12 ? 5 : 0, bytes: 1) })
        } else {
            try client.answer(11...20)
        }
        #expect(client.ids == Array(1...10) + after && client.newer == nil)
        #expect(client.list[12]["version"]?.number == 5)
        #expect(client.tester.dispatcher.started.count == 2)
    }

    @Test("A page that arrives while operations wait is put behind the list that they make")
    func pageBetween() throws {
        let client = Client(top: Self.insertsArrivals, style: .offset)
        try client.load(1...10)
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.report([
            ListEditTests.operation(.move, 3, .end),
            ListEditTests.operation(.update, 5, version: 1),
        ])
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 9)
        try client.answer(11...20)
        try client.report([ListEditTests.operation(.move, 11, .before(ListEditTests.key(1)))])
        #expect(client.ids == Array(1...20))
        try client.send("scroll", #","offset":0,"phase":"ended","t":20"#)
        try client.send("scroll", #","offset":0,"phase":"idle","t":40"#)
        #expect(client.ids == [11, 1, 2] + Array(4...10) + Array(12...20))
        #expect(client.newer == nil)
        try client.send("loadMore")
        #expect(client.lastRequest?.offset == 19)
    }
}
