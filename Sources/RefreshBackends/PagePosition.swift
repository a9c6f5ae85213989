internal import RefreshBroker
internal import RefreshProtocol

/// The position of a requested page in a list, for paging styles that use numbers.
enum PagePosition {
    /// The `page` or `offset` of the first page. The configuration can set another one.
    static func defaultFirst(_ paging: PagingStyle) -> Int { paging == .page ? 1 : 0 }

    /// Returns the number of items before the page. `first` is the number of the first page or of
    /// the first item. A result below 0 becomes 0. On overflow, the result is the largest number.
    static func start(of request: LoadRequest, paging: PagingStyle, first: Int) -> Int {
        switch paging {
        case .page:
            let (pages, underflow) = request.page.subtractingReportingOverflow(first)
            guard !underflow, pages >= 0 else { return 0 }
            let (start, overflow) = pages.multipliedReportingOverflow(by: max(0, request.size))
            return overflow ? Int.max : start
        case .offset:
            let (start, underflow) = request.offset.subtractingReportingOverflow(first)
            return underflow ? 0 : max(0, start)
        case .cursor, .none:
            return 0
        }
    }
}
