import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// A client with random access and its backend. The client keeps the pages that it receives. A
/// check fails if the engine requests a page that the client has or that is on its way.
struct SparseList {
    static let rowLength = 44.0

    private(set) var engine: Engine
    private(set) var now = Instant(milliseconds: 1000)
    /// The orders of all loads, and of those in flight.
    private(set) var orders: [LoadOrder] = []
    private(set) var running: [LoadOrder] = []
    private(set) var cancelled = 0
    /// The pages that the client has.
    private(set) var pages: Set<Int> = []
    /// The number of rows that the client shows.
    private(set) var rowCount = 0
    /// The effects of the last event.
    private(set) var effects: [Effect] = []
    var total: Int
    let size: Int
    let screen: Int

    init(total: Int = 10_000, size: Int = 50, screen: Int = 20, loadMore: Bool = true) {
        self.total = total
        self.size = size
        self.screen = screen
        let viewport = Double(screen) * Self.rowLength
        engine = Engine(
            generation: 1,
            options: .iq {
                $0.paging = PagingOptions(style: .offset, first: 0, size: size, access: .random)
                if !loadMore { $0.loadMore = nil }
            },
            geometry: .sizes(viewport: viewport, content: Double(total) * Self.rowLength),
            offset: 0)
    }

    /// A list whose first page has arrived.
    static func open(
        total: Int = 10_000, size: Int = 50, screen: Int = 20
    ) -> SparseList {
        var list = SparseList(total: total, size: size, screen: screen)
        list.refresh()
        return list
    }

    mutating func send(_ event: Event, after delay: Double = 0) {
        now = now.advanced(byMilliseconds: delay)
        effects.removeAll()
        engine.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .startLoad(let order): begin(order)
            case .showList(let count, _): resize(to: count)
            case .endLoad(let load, let kind, let result):
                let order = remove(load)
                if result == .cancelled { cancelled += 1 }
                if kind == .refresh, result.isAccepted, let order {
                    pages = engine.hasRandomAccess ? [order.offset / size] : []
                    rowCount = engine.paging.itemCount
                }
            case .endPage(let load, let page, _):
                let order = remove(load)
                #expect(order?.offset == page * size)
                #expect(page * size < rowCount, "page \(page) lies after the list")
                #expect(pages.insert(page).inserted, "page \(page) was sent twice")
            default: break
            }
        }
        let limit = running.count { $0.kind == .more }
        #expect(limit <= 4, "\(limit) loads run")
    }

    /// If rows are added to the last page, the client has no items for them.
    private mutating func resize(to count: Int) {
        if count > rowCount, rowCount % size > 0 { pages.remove(rowCount / size) }
        pages = pages.filter { $0 * size < count }
        rowCount = count
    }

    private mutating func begin(_ order: LoadOrder) {
        if order.kind == .more {
            let page = order.offset / size
            #expect(!pages.contains(page), "page \(page) was requested again")
            #expect(
                !running.contains { $0.kind == .more && $0.offset == order.offset },
                "page \(page) was requested twice")
        }
        orders.append(order)
        running.append(order)
    }

    private mutating func remove(_ load: LoadID) -> LoadOrder? {
        let index = running.firstIndex { $0.id == load }
        #expect(index != nil, "\(load) has ended twice")
        return index.map { running.remove(at: $0) }
    }

    /// Encodes and decodes the engine, and moves it to a clock that is ahead.
    mutating func recode(shift microseconds: Int64) {
        do {
            let text = try JSONEncoder().encode(engine)
            let decoded = try JSONDecoder().decode(Engine.self, from: text)
            #expect(decoded == engine)
            engine = decoded
        } catch {
            Issue.record("the engine cannot be encoded: \(error)")
        }
        engine.shift(byMicroseconds: microseconds)
        now = now.shifted(byMicroseconds: microseconds)
    }

    // MARK: The backend

    mutating func answer(_ order: LoadOrder, total: Int?? = .none, after delay: Double = 0) {
        let count = min(max(self.total - order.offset, 0), size)
        var ending = LoadEnding(.success, count: count, more: true)
        ending.total = total ?? self.total
        send(.loadEnded(order.id, ending), after: delay)
    }

    mutating func refresh() {
        send(.refreshRequested(cause: .code, animated: false), after: 16)
        if let order = running.last(where: { $0.kind == .refresh }) { answer(order, after: 16) }
    }

    /// Answers everything, until nothing is requested.
    mutating func answerAll() {
        while let order = running.first { answer(order, after: 10) }
    }

    // MARK: The client

    /// Reports the position of the list, in rows, and the rows in sight.
    mutating func scroll(
        _ phase: ScrollPhase, to row: Double, cause: Cause = .finger, after delay: Double = 16
    ) {
        send(
            .scrolled(ScrollSample(offset: row * Self.rowLength, phase: phase, cause: cause)),
            after: delay)
        send(.rowsVisible(rows(at: row)))
    }

    func rows(at row: Double) -> VisibleRows {
        let first = min(max(Int(row), 0), max(total - screen, 0))
        return VisibleRows(first: UInt32(first), last: UInt32(first + screen - 1))
    }

    /// The pages of the rows in sight when the list shows `row` first.
    func pagesInSight(at row: Double) -> ClosedRange<Int> {
        let rows = rows(at: row)
        return Int(rows.first) / size...min(Int(rows.last), max(total - 1, 0)) / size
    }

    /// Lets time pass up to the next deadline. Returns false if there is none.
    mutating func passDeadline() -> Bool {
        guard let due = engine.nextDeadline else { return false }
        send(.timePassed, after: max(0, due.milliseconds(since: now)))
        return true
    }
}
