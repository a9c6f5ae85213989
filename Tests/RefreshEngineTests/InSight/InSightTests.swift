import RefreshEngine
import RefreshProtocol
import Testing

/// Views with random access. Source: docs/protocol.md, "What is in sight".
@Suite("A view with random access")
struct InSightTests {
    private static func requested(_ list: SparseList, from start: Int) -> [Int] {
        list.orders[start...].map { $0.offset / list.size }
    }

    @Test(
        "The first refresh requests the first page, and its answer makes placeholders of the rest")
    func first() {
        let list = SparseList.open()
        #expect(list.orders.map(\.offset) == [0])
        #expect(list.engine.paging.itemCount == 10_000 && !list.engine.paging.hasMore)
        #expect(list.engine.loadMore.phase == .disabled)
        #expect(list.pages == [0])
    }

    @Test("A list at rest requests the pages in sight, and nothing else")
    func rest() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        #expect(Self.requested(list, from: 1) == [100])
        list.scroll(.idle, to: 5040, cause: .code)
        #expect(Self.requested(list, from: 2) == [101])
        #expect(
            list.orders.last?.text
                == "1.3 more reachAtEnd by fill, page 102 offset 5050 size 50")
    }

    @Test("A page is requested once, and again only after a refresh")
    func once() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        list.answerAll()
        list.scroll(.idle, to: 0, cause: .code)
        list.scroll(.idle, to: 5010, cause: .code)
        #expect(list.orders.count == 2)
        list.refresh()
        #expect(Self.requested(list, from: 2) == [100])
        #expect(list.pages == [100])
        list.scroll(.idle, to: 0, cause: .code)
        #expect(Self.requested(list, from: 3) == [0])
    }

    @Test("A refresh loads the first page in sight anew, and the others follow")
    func refresh() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5040, cause: .code)
        list.answerAll()
        list.refresh()
        #expect(Self.requested(list, from: 3) == [100, 101])
        list.answerAll()
        #expect(list.pages == [100, 101])
    }

    @Test("A list opens at the row that the client reports before the first refresh")
    func opensAtRow() {
        var list = SparseList()
        list.scroll(.idle, to: 7777, cause: .code)
        #expect(list.orders.isEmpty)
        list.refresh()
        #expect(Self.requested(list, from: 0) == [155])
        #expect(list.pages == [155])
    }

    @Test("A finger that moves the list gets a screen ahead, in its direction")
    func ahead() {
        var list = SparseList.open()
        list.scroll(.began, to: 5000)
        for row in 1...6 { list.scroll(.dragging, to: 5000 + Double(row) * 0.8) }
        #expect(Self.requested(list, from: 1) == [100])
        for row in 7...20 { list.scroll(.dragging, to: 5000 + Double(row) * 0.8) }
        #expect(Self.requested(list, from: 1) == [100, 101])
        var back = SparseList.open()
        back.scroll(.began, to: 5025)
        for row in 1...20 { back.scroll(.dragging, to: 5025 - Double(row) * 0.8) }
        #expect(Self.requested(back, from: 1) == [100, 99])
    }

    @Test("A load is cancelled when its page has left sight, and its late answer is dropped")
    func cancel() throws {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        let order = try #require(list.running.first)
        list.scroll(.idle, to: 5080, cause: .code)
        #expect(list.cancelled == 0, "the next page is near")
        list.scroll(.idle, to: 9010, cause: .code)
        #expect(list.cancelled == 2)
        list.answer(order)
        #expect(list.effects == [.reportLateAnswer(order.id)])
        list.answerAll()
        #expect(list.pages == [0, 180])
    }

    @Test("A list without reports for 100 ms counts as at rest")
    func silence() {
        var list = SparseList.open()
        list.scroll(.began, to: 0)
        for part in 1...5 { list.scroll(.dragging, to: Double(part) * 1000) }
        #expect(list.running.isEmpty)
        let lastReport = list.now
        _ = list.passDeadline()
        #expect(Self.requested(list, from: 1) == [100])
        #expect(list.now.milliseconds(since: lastReport) == 100)
    }

    @Test("At most four loads run, and the next page follows when one has ended")
    func four() throws {
        var list = SparseList.open(size: 5, screen: 40)
        list.scroll(.idle, to: 500, cause: .code)
        #expect(Self.requested(list, from: 1) == [100, 101, 102, 103])
        list.answer(try #require(list.running.first))
        #expect(list.running.map { $0.offset / 5 } == [101, 102, 103, 104])
    }

    @Test("After a failure, nothing is requested for a second, then for two")
    func failure() throws {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        for seconds in [1.0, 2] {
            let failed = try #require(list.running.first)
            list.send(.loadEnded(failed.id, LoadEnding(.failed)), after: 10)
            list.send(.rowsVisible(list.rows(at: 5012)), after: 10)
            #expect(list.running.isEmpty)
            let since = list.now
            while list.running.isEmpty, list.passDeadline() {}
            #expect(list.now.milliseconds(since: since) == seconds * 1000 - 10)
        }
        list.answerAll()
        #expect(list.pages == [0, 100])
    }

    @Test("A lost answer ends as timed out, and the page is requested again")
    func lost() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        _ = list.passDeadline()
        #expect(list.effects.contains(.endLoad(list.orders[1].id, .more, .timedOut)))
        _ = list.passDeadline()
        #expect(list.running.map(\.offset) == [5000])
    }

    @Test("Another `total` changes the number of rows, and keeps the pages")
    func total() throws {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        list.answerAll()
        list.total = 9990
        list.scroll(.idle, to: 9000, cause: .code)
        list.answer(try #require(list.running.first))
        #expect(list.effects.contains(.showList(count: 9990, hasMore: false)))
        list.scroll(.idle, to: 5010, cause: .code)
        #expect(list.orders.count == 3)
        list.total = 40
        list.refresh()
        #expect(list.engine.paging.itemCount == 40)
        list.scroll(.idle, to: 0, cause: .code)
        #expect(list.orders.last?.offset == 0)
    }

    @Test("Rows that are added to the last page are requested, if they are in sight")
    func grown() {
        var list = SparseList.open(total: 120)
        list.scroll(.idle, to: 100, cause: .code)
        list.answerAll()
        #expect(list.pages == [0, 2])
        list.total = 140
        list.scroll(.idle, to: 90, cause: .code)
        list.answerAll()
        #expect(list.engine.paging.itemCount == 140 && list.pages == [0, 1, 2])
        #expect(Self.requested(list, from: 1) == [2, 1, 2])
    }

    @Test("A page after the end of a list that has become shorter is not sent")
    func shrunk() throws {
        var list = SparseList.open(total: 400)
        list.scroll(.idle, to: 140, cause: .code)
        let running = list.running
        #expect(running.map(\.offset) == [100, 150])
        list.total = 120
        list.answer(running[0])
        #expect(list.pages == [0, 2] && list.running.isEmpty)
        #expect(list.effects.contains(.endLoad(running[1].id, .more, .cancelled)))
    }

    @Test("If a list has become empty, the loads of its other pages are cancelled")
    func emptied() {
        var list = SparseList.open(total: 400)
        list.scroll(.idle, to: 140, cause: .code)
        let running = list.running
        list.total = 0
        list.answer(running[0])
        #expect(list.engine.paging.itemCount == 0 && list.running.isEmpty)
        #expect(list.effects.contains(.endLoad(running[1].id, .more, .cancelled)))
    }

    @Test("A list has a row for each item that it gets, whatever `total` says")
    func tooManyItems() throws {
        var list = SparseList.open(total: 400)
        list.scroll(.idle, to: 100, cause: .code)
        list.answer(try #require(list.running.first), total: 120)
        #expect(list.engine.paging.itemCount == 150 && list.pages == [0, 2])
    }

    @Test("Without `total`, the view continues with sequential access")
    func sequential() throws {
        var list = SparseList()
        list.send(.refreshRequested(cause: .code, animated: false))
        list.answer(try #require(list.running.first), total: .some(nil))
        #expect(!list.engine.hasRandomAccess && list.engine.loadMore.phase == .idle)
        #expect(list.engine.paging.hasMore && list.engine.paging.itemCount == 50)
        #expect(list.engine.options.paging.access == .sequential)
        list.send(.loadMoreRequested(cause: .code))
        #expect(list.running.map(\.offset) == [50])
    }

    @Test("`cancel` ends the loads, and nothing is requested until the next report")
    func cancelRequest() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        list.send(.cancelRequested(nil))
        #expect(list.running.isEmpty && list.cancelled == 1)
        #expect(list.engine.nextDeadline == nil)
        list.send(.rowsVisible(list.rows(at: 5010)))
        #expect(list.running.map(\.offset) == [5000])
    }

    @Test("A reset and a new query begin a new list, and cancel the loads")
    func newList() {
        let events: [Event] = [
            .resetRequested(nil), .queryChanged(debounceMs: 100, clears: true, looksUp: false),
        ]
        for event in events {
            var list = SparseList.open()
            list.scroll(.idle, to: 5010, cause: .code)
            list.send(event)
            #expect(list.running.isEmpty && list.engine.paging.itemCount == 0)
            list.send(.rowsVisible(list.rows(at: 5010)))
            #expect(list.running.isEmpty, "the number of rows is not known")
        }
    }

    @Test("The load-more edge stays disabled, whatever is requested")
    func loadMoreEdge() {
        var list = SparseList.open()
        list.send(.edgeEnabled(.loadMore, true))
        list.send(.loadMoreRequested(cause: .code))
        list.scroll(.began, to: 9970)
        list.scroll(.dragging, to: 9980)
        #expect(list.engine.loadMore.phase == .disabled)
        #expect(Self.requested(list, from: 1).allSatisfy { (199...199).contains($0) })
    }

    @Test("New paging options change the access, in both directions")
    func configure() {
        var list = SparseList.open()
        list.scroll(.idle, to: 5010, cause: .code)
        let options = list.engine.options
        func paging(_ access: PagingAccess) -> Event {
            .edgesConfigured(
                refresh: options.refresh, loadMore: options.loadMore,
                paging: PagingOptions(style: .offset, first: 0, size: 50, access: access))
        }
        list.send(paging(.sequential))
        #expect(list.running.isEmpty && !list.engine.hasRandomAccess)
        #expect(list.engine.loadMore.phase == .idle)
        list.send(paging(.random))
        #expect(list.engine.hasRandomAccess && list.engine.loadMore.phase == .disabled)
    }

    @Test("A list has at most 65,535 pages")
    func bound() {
        var list = SparseList.open(total: 5_000_000, size: 10)
        #expect(list.engine.paging.itemCount == 655_350)
        list.send(.rowsVisible(VisibleRows(first: 4_000_000, last: 4_000_019)))
        #expect(list.orders.last?.offset == 655_340)
        list.answerAll()
        list.send(.rowsVisible(VisibleRows(first: 0, last: UInt32(VisibleRows.rowMax))))
        #expect(list.running.count == 4)
    }
}
