import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The pages of a refresh at depth, which are requested one by one and sent to the client at once.
/// Source: docs/protocol.md, "Refresh at depth".
///
/// It decides which page is requested when, and recognizes the end of the list. It sends nothing.
/// Each request has its own load number. The numbers follow that of the load, which the engine has
/// reserved (`LoadOrder.numbers(forPages:)`).
struct PageCollection: Hashable, Codable {
    /// A request for one page.
    struct Call: Hashable, Codable {
        let id: LoadID
        /// The index of the page among the requested pages.
        let index: Int
        let kind: LoadKind
        let page: Int
        let offset: Int
        let cursor: String?
        /// The progress that the backend has reported, 0...1.
        var progress = 0.0
    }

    /// The requests that follow from an answer.
    struct Step {
        var started: [Call] = []
        var cancelled: [Call] = []
        /// Whether all pages are there.
        var isComplete = false
    }

    /// The load of the engine.
    let load: LoadID
    /// When the load times out.
    let due: Instant
    private let style: PagingStyle
    /// The number of items of a page.
    private let size: Int
    /// The `page` and the `offset` of the feed's first page.
    private let firstPage: Int
    private let firstOffset: Int
    private let requestedCount: Int
    /// The number of pages of the feed before the first page.
    private(set) var skipped: Int
    /// The number of pages, as far as the list is long enough.
    private var count: Int
    /// The accepted pages; nil: not yet.
    private var pages: [Page?]
    private(set) var calls: [Call] = []
    private var nextNumber: UInt32
    /// Whether a page is requested only after the page before it.
    private var isInOrder: Bool

    /// The collection for a load that has begun. `begin` returns its first requests.
    init(_ order: LoadOrder, style: PagingStyle, due: Instant) {
        load = order.id
        self.due = due
        self.style = style
        size = order.size
        skipped = order.skipped
        count = order.pages
        requestedCount = order.pages
        firstPage = order.page - order.skipped
        firstOffset = order.offset - order.skipped * order.size
        pages = Array(repeating: nil, count: order.pages)
        nextNumber = order.id.number
        isInOrder = style == .cursor
    }

    /// Whether the load number belongs to a request of this load.
    func owns(_ id: LoadID) -> Bool {
        let numbers = UInt32(clamping: LoadOrder.numbers(forPages: requestedCount))
        return id.generation == load.generation && id.number >= load.number
            && id.number - load.number < numbers
    }

    /// The progress of the load, 0...1.
    var progress: Double {
        let accepted = pages.prefix(count).count(where: { $0 != nil })
        let running = calls.reduce(0) { $0 + $1.progress }
        return min((Double(accepted) + running) / Double(max(count, 1)), 1)
    }

    /// The bytes of the accepted pages.
    var heldBytes: Int { pages.reduce(0) { $0 + ($1?.items.count ?? 0) } }

    mutating func recordProgress(_ progress: Double, of id: LoadID) {
        for index in calls.indices where calls[index].id == id { calls[index].progress = progress }
    }

    /// Forgets a request that has ended without a page.
    mutating func forgetCall(_ id: LoadID) { calls.removeAll { $0.id == id } }

    /// Returns the first requests: for all pages, or for the first one.
    mutating func begin() -> [Call] {
        (0..<(isInOrder ? 1 : count)).compactMap { start($0, offset: $0 * size, cursor: nil) }
    }

    /// Records the answer to a request. Returns nil if the request does not run.
    mutating func accept(_ page: Page, for id: LoadID) -> Step? {
        guard let position = calls.firstIndex(where: { $0.id == id }) else { return nil }
        let call = calls.remove(at: position)
        pages[call.index] = page
        var step = Step()
        if !promisesMore(page) { shorten(to: call.index + 1, &step) }
        if !isInOrder { checkOffsets(&step) }
        let complete = completeCount
        guard complete < count else {
            if !fallBack(&step) { step.isComplete = true }
            return step
        }
        if isInOrder, calls.isEmpty { startNext(after: complete, &step) }
        return step
    }

    /// The pages as one: their items in order, and the end of the last page.
    func joined() -> Page {
        let all = pages.prefix(count).compactMap { $0 }
        guard var joined = all.last else { return Page(items: Array("[]".utf8), count: 0) }
        joined.count = all.reduce(0) { $0 + $1.count }
        joined.items = [UInt8(ascii: "[")]
        joined.items.reserveCapacity(all.reduce(2) { $0 + $1.items.count })
        var keys: ItemKeys? = ItemKeys(elements: [], hashes: [])
        for page in all where page.count > 0 {
            if joined.items.count > 1 { joined.items.append(UInt8(ascii: ",")) }
            // The first byte of the page is its bracket.
            let shift = joined.items.count - 1
            joined.items.append(contentsOf: page.items.dropFirst().dropLast())
            guard let own = page.itemKeys else {
                keys = nil
                continue
            }
            keys?.elements += own.elements.map { $0.lowerBound + shift..<$0.upperBound + shift }
            keys?.hashes += own.hashes
        }
        joined.items.append(UInt8(ascii: "]"))
        joined.itemKeys = all.contains { $0.itemKeys != nil } ? keys : nil
        return joined
    }

    /// The number of pages, and the number of items of the last one, when all pages are there.
    var ending: (pages: Int, lastCount: Int) {
        let all = pages.prefix(count).compactMap { $0 }
        return (max(all.count, 1), all.last?.count ?? 0)
    }

    // MARK: Requests

    /// The number of accepted pages before the first one that is not there yet.
    private var completeCount: Int { pages.firstIndex { $0 == nil } ?? pages.count }

    private mutating func start(_ index: Int, offset: Int, cursor: String?) -> Call? {
        guard owns(LoadID(generation: load.generation, number: nextNumber)) else { return nil }
        let call = Call(
            id: LoadID(generation: load.generation, number: nextNumber), index: index,
            // Only the first page of the feed begins a new list. Cached answers to `more` are
            // removed when a first page arrives, so older pages never follow a newer first page.
            kind: skipped + index == 0 ? .refresh : .more,
            page: firstPage + skipped + index,
            offset: firstOffset + skipped * size + offset, cursor: cursor)
        nextNumber += 1
        calls.append(call)
        return call
    }

    private mutating func startNext(after complete: Int, _ step: inout Step) {
        let offset = pages.prefix(complete).reduce(0) { $0 + ($1?.count ?? 0) }
        let cursor = style == .cursor && complete > 0 ? pages[complete - 1]?.cursor : nil
        if let call = start(complete, offset: offset, cursor: cursor) { step.started.append(call) }
    }

    private func promisesMore(_ page: Page) -> Bool {
        if style == .cursor, page.cursor == nil { return false }
        return page.more ?? (style == .cursor || page.count >= size)
    }

    /// Drops the pages after the end of the list.
    private mutating func shorten(to end: Int, _ step: inout Step) {
        guard end < count else { return }
        count = end
        pages.removeSubrange(end...)
        cancelCalls(from: end, &step)
    }

    private mutating func cancelCalls(from end: Int, _ step: inout Step) {
        step.cancelled += calls.filter { $0.index >= end }
        calls.removeAll { $0.index >= end }
    }

    /// If a page has another number of items than its request, the offsets of the requests for the
    /// following pages are wrong. These pages are requested again, one after another.
    private mutating func checkOffsets(_ step: inout Step) {
        guard style == .offset,
            let odd = pages.prefix(min(completeCount, count - 1)).firstIndex(where: {
                $0?.count != size
            })
        else { return }
        isInOrder = true
        cancelCalls(from: odd + 1, &step)
        // An end that such a page seems to show is not the end of the list either.
        count = requestedCount
        pages = pages.prefix(odd + 1) + Array(repeating: nil, count: count - odd - 1)
        startNext(after: odd + 1, &step)
    }

    /// If the list is so short now that it has none of the requested pages, requests its first
    /// pages.
    private mutating func fallBack(_ step: inout Step) -> Bool {
        guard skipped > 0, pages.prefix(count).allSatisfy({ $0?.count == 0 }) else { return false }
        skipped = 0
        count = requestedCount
        pages = Array(repeating: nil, count: count)
        isInOrder = style == .cursor
        step.started += begin()
        return true
    }
}
