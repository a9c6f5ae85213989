import RefreshProtocol

/// Which page comes next: known from the last *accepted* answer, never from a count of rows
/// (B-IQ-14, O-IQ-20).
package struct Paging: Hashable, Sendable, Codable {
    package private(set) var options: PagingOptions
    /// Whether an answer was accepted since the view was attached.
    package private(set) var hasPage = false
    /// Whether more was promised by the last accepted answer; before any, whether there can be more.
    package private(set) var hasMore: Bool
    /// The page and the offset that the last accepted answer was for.
    package private(set) var lastPage: Int
    package private(set) var lastOffset: Int
    /// Items that the list has by the accepted answers.
    package private(set) var itemCount = 0
    private var nextPage: Int
    private var nextOffset: Int
    private var nextCursor: String?

    package init(_ options: PagingOptions) {
        self.options = options
        self.hasMore = options.style != .none
        self.nextPage = options.style == .page ? options.first : 1
        self.nextOffset = options.style == .offset ? options.first : 0
        self.lastPage = nextPage
        self.lastOffset = nextOffset
    }

    /// What to ask for: page, offset and cursor.
    func request(for kind: LoadKind) -> (page: Int, offset: Int, cursor: String?) {
        let start = kind == .refresh ? Paging(options) : self
        return (start.nextPage, start.nextOffset, start.nextCursor)
    }

    /// An answer was accepted.
    mutating func accept(_ ending: LoadEnding, of kind: LoadKind) {
        if kind == .refresh { self = Paging(options) }
        hasPage = true
        itemCount += ending.count
        lastPage = nextPage
        lastOffset = nextOffset
        nextPage += 1
        nextOffset += ending.count
        nextCursor = ending.cursor
        hasMore = promisesMore(ending)
    }

    private func promisesMore(_ ending: LoadEnding) -> Bool {
        guard ending.result != .noMore, options.style != .none else { return false }
        if options.style == .cursor, ending.cursor == nil { return false }
        return ending.more ?? (options.style == .cursor || ending.count >= options.size)
    }
}
