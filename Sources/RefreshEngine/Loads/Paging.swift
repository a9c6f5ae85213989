import RefreshProtocol

/// The position in the pages of a list. It is derived from the last *accepted* answer, never from a
/// number of rows (B-IQ-14, O-IQ-20).
package struct Paging: Hashable, Sendable, Codable {
    private var nextCursor: String?
    // The members have 32 bits each, because there are many views, and their lists are short
    // enough.
    private var last: Place
    private var next: Place
    private var items: UInt32 = 0
    package private(set) var options: PagingOptions
    /// The number of consecutive pages that had no new items, and had the same cursor as their
    /// request.
    @OmittedIfUsual private var stalls: UInt8
    /// Whether an answer was accepted since the view was attached.
    package private(set) var hasPage = false
    /// Whether the last accepted answer promised more items. Before the first answer, whether there
    /// can be more items.
    package private(set) var hasMore: Bool

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

    /// The page and the offset of the last accepted answer.
    package var lastPage: Int { Int(last.page) }
    package var lastOffset: Int { Int(last.offset) }
    /// Whether the last accepted answer was the first page of the list.
    package var isAtFirstPage: Bool { hasPage && last == Paging(options).last }
    /// Whether the cursor does not advance. In this case, there is no next page, even if the
    /// answers promise one.
    package var isStalled: Bool { stalls >= Self.stallsMax }

    /// The list has ended when `stalls` reaches this number. One page without new items and with
    /// the same cursor is tolerated, because the backend may not have had new items yet.
    private static let stallsMax: UInt8 = 2

    /// The number of items in the list according to the accepted answers.
    package var itemCount: Int { Int(items) }

    /// The page, offset and cursor of the next request.
    func request(for kind: LoadKind) -> (page: Int, offset: Int, cursor: String?) {
        let start = kind == .refresh ? Paging(options) : self
        return (Int(start.next.page), Int(start.next.offset), start.nextCursor)
    }

    /// Records an accepted answer to a request for `requestedCount` items.
    mutating func accept(_ ending: LoadEnding, of kind: LoadKind, requestedCount: Int) {
        if kind == .refresh { self = Paging(options) }
        updateStalls(ending)
        hasPage = true
        items = UInt32(clamping: itemCount + ending.kept)
        last = next
        next.page = UInt32(clamping: Int(last.page) + 1)
        next.offset = UInt32(clamping: Int(last.offset) + ending.count)
        nextCursor = ending.cursor
        hasMore = promisesMore(ending, requestedCount: requestedCount)
    }

    private mutating func updateStalls(_ ending: LoadEnding) {
        let isSame = ending.cursor != nil && ending.cursor == nextCursor
        let isStall = options.style == .cursor && isSame && ending.kept == 0
        stalls = isStall ? min(stalls + 1, Self.stallsMax) : 0
    }

    private func promisesMore(_ ending: LoadEnding, requestedCount: Int) -> Bool {
        guard ending.result != .noMore, options.style != .none, !isStalled else { return false }
        if options.style == .cursor, ending.cursor == nil { return false }
        return ending.more ?? (options.style == .cursor || ending.count >= requestedCount)
    }
}
