import RefreshProtocol

/// The position in the pages of a list. It is derived from the last *accepted* answer, never from a
/// number of rows (B-IQ-14, O-IQ-20).
package struct Paging: Hashable, Sendable, Codable {
    private var nextCursor: String?
    // The numbers have 32 bits each, which is enough for every list. There are many views, so
    // memory matters.
    private var last: Place
    private var next: Place
    private var items: UInt32 = 0
    package private(set) var options: PagingOptions
    /// The number of consecutive pages that had no new items, and had the same cursor as their
    /// request.
    @OmittedIfUsual private var stalls: UInt8
    /// Whether an answer was accepted since the view was attached.
    package private(set) var hasPage = false
    /// Whether the last accepted answer promised more items. Before the first accepted answer, it
    /// is true unless the paging style is `none`.
    package private(set) var hasMore: Bool
    /// The number of pages of the feed before the first page of the list.
    @OmittedIfUsual private var skipped: UInt16

    /// By how many items the rest of the feed has moved since the last request, because items were
    /// inserted or removed before it.
    @OmittedIfUsual private var shift: Int16
    /// Whether the last accepted page is a further page that begins where the feed begins, because
    /// items were removed.
    @OmittedIfUsual private var repeatsStart: Bool

    /// The number of a page, and the offset of its first item.
    private struct Place: Hashable, Sendable, Codable {
        var page: UInt32
        var offset: UInt32
    }

    package init(_ options: PagingOptions) {
        self.options = options
        self.hasMore = options.style != .none
        let first = UInt32(clamping: options.first)
        self.next = Place(
            page: options.style == .page ? first : 1, offset: options.style == .offset ? first : 0)
        self.last = next
    }

    /// Creates a list that begins after `pages` pages of the feed.
    private init(_ options: PagingOptions, skipping pages: UInt16) {
        self.init(options)
        skipped = pages
        next.page = UInt32(clamping: Int(next.page) + Int(pages))
        next.offset = UInt32(clamping: Int(next.offset) + Int(pages) * options.size)
        last = next
    }

    /// The page and the offset of the last accepted answer.
    package var lastPage: Int { Int(last.page) }
    package var lastOffset: Int { Int(last.offset) }
    /// The page and the offset of the list's first page.
    package var firstPage: Int { Int(Paging(options, skipping: skipped).next.page) }
    package var firstOffset: Int { Int(Paging(options, skipping: skipped).next.offset) }
    /// The number of pages of the feed before the first page of the list.
    var skippedPages: Int { Int(skipped) }
    /// The number of pages of the feed in the list. Items that were inserted or removed before the
    /// rest of the feed count too.
    var pageCount: Int {
        guard hasPage else { return 0 }
        let moved = shift == 0 ? 0 : (Double(shift) / pageSize).rounded(.up)
        return max(1, acceptedPageCount + Int(moved))
    }
    /// The number of pages of the feed that the list shows. Inserted items that the list does not
    /// have do not count: they were reported, and a refresh will show them.
    var shownPageCount: Int {
        guard shift > 0 else { return pageCount }
        let filled = Int((Double(itemCount) / pageSize).rounded(.up))
        return min(pageCount, max(acceptedPageCount, filled))
    }
    private var pageSize: Double { Double(max(options.size, 1)) }
    /// The number of pages of the feed that were accepted.
    private var acceptedPageCount: Int {
        let pages = lastPage - firstPage + 1
        guard options.style == .offset else { return pages }
        return max(pages, Int((Double(lastOffset - firstOffset) / pageSize).rounded(.up)) + 1)
    }
    /// Whether the last accepted answer was the first page of the list.
    package var isAtFirstPage: Bool {
        hasPage && !repeatsStart && last == Paging(options).last
    }
    /// Whether the cursor does not advance. In this case, there is no next page, even if the
    /// answers promise one.
    package var isStalled: Bool { stalls >= Self.stallsMax }

    /// The number of consecutive pages, as counted by `stalls`, after which the list has ended. One
    /// such page is tolerated, because it is possible that the backend had no new items yet.
    private static let stallsMax: UInt8 = 2

    /// The number of items in the list according to the accepted answers.
    package var itemCount: Int { Int(items) }

    /// The page, offset and cursor of the next request.
    /// `skipped`: the number of pages before the pages that a refresh requests.
    func request(
        for kind: LoadKind, skipping skipped: UInt16
    ) -> (page: Int, offset: Int, cursor: String?) {
        let start = kind == .refresh ? Paging(options, skipping: skipped) : self
        return (Int(start.next.page), Int(start.next.offset), start.nextCursor)
    }

    /// Records an accepted page of a list with random access. The list has `total` rows. `page` is
    /// counted from 0.
    mutating func accept(rows total: Int, page: Int) {
        self = Paging(options)
        let place = place(ofPage: page)
        last = Place(page: UInt32(clamping: place.page), offset: UInt32(clamping: place.offset))
        hasPage = true
        hasMore = false
        setTotal(total)
    }

    /// Sets the number of rows of a list with random access.
    mutating func setTotal(_ total: Int) { items = UInt32(clamping: total) }

    /// Records an accepted answer to a request for pages of `requestedCount` items.
    mutating func accept(_ ending: LoadEnding, of kind: LoadKind, requestedCount: Int) {
        if kind == .refresh {
            // An empty list begins with the first page.
            let skipped = ending.count > 0 ? UInt16(clamping: ending.skipped) : 0
            self = Paging(options, skipping: skipped)
        }
        updateStalls(ending)
        repeatsStart = kind == .more && hasPage && next == Paging(options).next
        hasPage = true
        items = UInt32(clamping: itemCount + ending.kept)
        last.page = UInt32(clamping: Int(next.page) + ending.pages - 1)
        last.offset = UInt32(clamping: Int(next.offset) + ending.count - ending.lastCount)
        next.page = UInt32(clamping: Int(last.page) + 1)
        next.offset = UInt32(clamping: Int(last.offset) + ending.lastCount)
        nextCursor = ending.cursor
        hasMore = promisesMore(ending, requestedCount: requestedCount)
    }

    /// Records that items were inserted or removed before the rest of the feed, which has moved by
    /// `distance` items as a result.
    mutating func move(by distance: Int) {
        shift = Int16(clamping: Int(shift) + distance)
    }

    /// Records that the list has `change` more items than before.
    mutating func changeItemCount(by change: Int) {
        items = UInt32(clamping: itemCount + change)
    }

    /// Moves the next request to where the rest of the feed begins now. A page has that place in it
    /// if the feed is requested by pages.
    mutating func applyShift() {
        // The pages of a feed with cursors have no numbers, so only `pageCount` needs the shift.
        guard shift != 0, options.style != .cursor else { return }
        defer { shift = 0 }
        guard hasPage else { return }
        let start = Paging(options).next
        switch options.style {
        case .offset:
            next.offset = UInt32(clamping: max(Int(start.offset), Int(next.offset) + Int(shift)))
        case .page:
            let size = max(options.size, 1)
            let pages = (Double(shift) / Double(size)).rounded(.down)
            let page = max(Int(start.page), Int(next.page) + Int(pages))
            next.offset = UInt32(
                clamping: Int(next.offset) + (page - Int(next.page)) * size)
            next.page = UInt32(clamping: page)
        case .cursor, .none: break
        }
    }

    private mutating func updateStalls(_ ending: LoadEnding) {
        let isSame = ending.cursor != nil && ending.cursor == nextCursor
        let isStall = options.style == .cursor && isSame && ending.kept == 0
        stalls = isStall ? min(stalls + 1, Self.stallsMax) : 0
    }

    private func promisesMore(_ ending: LoadEnding, requestedCount: Int) -> Bool {
        guard ending.result != .noMore, options.style != .none, !isStalled else { return false }
        if options.style == .cursor, ending.cursor == nil { return false }
        return ending.more ?? (options.style == .cursor || ending.lastCount >= requestedCount)
    }
}
