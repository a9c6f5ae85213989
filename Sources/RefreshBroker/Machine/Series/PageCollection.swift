internal import RefreshProtocol

/// The pages of a series. Each page has a request of its own, and all pages together become one
/// answer. Source: docs/protocol.md, "Refresh at depth".
///
/// The collection decides when each page is requested, and recognizes the end of the list. It sends
/// no requests itself.
package struct PageCollection: Sendable {
    /// A request for one page.
    package struct Call: Hashable, Sendable {
        /// The number of the request. No two requests of a series have the same number.
        package let id: Int
        /// The index of the page among the requested pages.
        let index: Int
        let kind: LoadKind
        let page: Int
        let offset: Int
        let cursor: String?
        /// The progress that the backend has reported, 0...1.
        var progress = 0.0

        /// The request for the page. `first` is the request for the first page of the series.
        package func request(of first: LoadRequest) -> LoadRequest {
            var request = first
            request.kind = kind
            request.page = page
            request.offset = offset
            request.cursor = cursor
            return request
        }
    }

    /// What the collection needs after an answer: the requests to send, and the requests to cancel.
    package struct Step {
        package var started: [Call] = []
        package var cancelled: [Call] = []
        /// Whether all pages have arrived.
        package var isComplete = false
    }

    private let style: PagingStyle
    /// The number of items that each request asks for.
    private let size: Int
    /// The `page` and the `offset` of the feed's first page.
    private let firstPage: Int
    private let firstOffset: Int
    private let requestedCount: Int
    /// The number of pages of the feed before the first page of the series.
    private(set) var skipped: Int
    /// The number of pages that the answer will contain. If the list ends earlier, `count` is less
    /// than `requestedCount`.
    private var count: Int
    /// The pages by index; nil for a page that has not arrived.
    private var pages: [Page?]
    private(set) var calls: [Call] = []
    private var nextID = 0
    /// Whether a page is requested only after the page before it has arrived.
    private var isInOrder: Bool

    /// Creates the collection for a series. `request` is the request for the first page of the
    /// series.
    package init(_ request: LoadRequest, _ series: PageSeries) {
        style = series.style
        size = request.size
        skipped = series.skipped
        count = max(1, series.count)
        requestedCount = count
        firstPage = request.page - series.skipped
        firstOffset = request.offset - series.skipped * request.size
        pages = Array(repeating: nil, count: count)
        isInOrder = style == .cursor
    }

    /// The progress of all pages together, 0...1.
    var progress: Double {
        let accepted = pages.prefix(count).count(where: { $0 != nil })
        let running = calls.reduce(0) { $0 + $1.progress }
        return min((Double(accepted) + running) / Double(max(count, 1)), 1)
    }

    mutating func recordProgress(_ progress: Double, of id: Int) {
        for index in calls.indices where calls[index].id == id { calls[index].progress = progress }
    }

    /// Whether the request with this number has neither been answered nor been cancelled.
    func isRunning(_ id: Int) -> Bool { calls.contains { $0.id == id } }

    /// Returns the first requests. If `isInOrder` is true, this is only the request for the first
    /// page. Otherwise, these are the requests for all pages.
    package mutating func begin() -> [Call] {
        (0..<(isInOrder ? 1 : count)).map { start($0, offset: $0 * size, cursor: nil) }
    }

    /// Records the answer to a request. Returns nil if no request with this number is running.
    package mutating func accept(_ page: Page, for id: Int) -> Step? {
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

    /// One page that contains the items of all pages in order. Its `more`, `cursor` and `total` are
    /// those of the last page.
    package func joined() -> Page {
        let all = pages.prefix(count).compactMap { $0 }
        guard var joined = all.last else { return Page(items: Array("[]".utf8), count: 0) }
        joined.parts = Page.Parts(pages: all.count, lastCount: joined.count, skipped: skipped)
        joined.count = all.reduce(0) { $0 + $1.count }
        joined.items = [UInt8(ascii: "[")]
        joined.items.reserveCapacity(all.reduce(2) { $0 + $1.items.count })
        var keys: ItemKeys? = ItemKeys(elements: [], hashes: [])
        for page in all where page.count > 0 {
            if joined.items.count > 1 { joined.items.append(UInt8(ascii: ",")) }
            // The distance by which the ranges of the items move. The opening bracket of the page
            // is not copied.
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
        if keys != nil {
            let lists = all.compactMap { $0.count > 0 ? $0.itemKeys?.list : .empty }
            if lists.count == all.count {
                keys?.list = HashedItems(
                    keys: lists.flatMap(\.keys), contents: lists.flatMap(\.contents))
            }
        }
        joined.itemKeys = all.contains { $0.itemKeys != nil } ? keys : nil
        return joined
    }

    // MARK: Requests

    /// The number of pages before the first page that has not arrived.
    private var completeCount: Int { pages.firstIndex { $0 == nil } ?? pages.count }

    private mutating func start(_ index: Int, offset: Int, cursor: String?) -> Call {
        let call = Call(
            id: nextID, index: index,
            // Only the first page of the feed begins a new list. Cached answers to `more` are
            // removed when a first page arrives, so older pages never follow a newer first page.
            kind: skipped + index == 0 ? .refresh : .more,
            page: firstPage + skipped + index,
            offset: firstOffset + skipped * size + offset, cursor: cursor)
        nextID += 1
        calls.append(call)
        return call
    }

    private mutating func startNext(after complete: Int, _ step: inout Step) {
        let offset = pages.prefix(complete).reduce(0) { $0 + ($1?.count ?? 0) }
        let cursor = style == .cursor && complete > 0 ? pages[complete - 1]?.cursor : nil
        step.started.append(start(complete, offset: offset, cursor: cursor))
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

    /// If a page has fewer or more items than were requested, the offsets of the requests for the
    /// following pages are wrong. These pages are requested again, one after another.
    private mutating func checkOffsets(_ step: inout Step) {
        guard style == .offset,
            let odd = pages.prefix(min(completeCount, count - 1)).firstIndex(where: {
                $0?.count != size
            })
        else { return }
        isInOrder = true
        cancelCalls(from: odd + 1, &step)
        // A page with a wrong offset may have seemed to be the last page. So the end that it showed
        // is dropped too.
        count = requestedCount
        pages = pages.prefix(odd + 1) + Array(repeating: nil, count: count - odd - 1)
        startNext(after: odd + 1, &step)
    }

    /// If the list is so short now that it has none of the requested pages, requests the first
    /// pages of the list instead and returns true.
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
