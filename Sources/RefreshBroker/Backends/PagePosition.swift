internal import RefreshProtocol

/// Where a request's page begins in a list, for the styles that say it by number.
enum PagePosition {
    /// What the first page's `page` or `offset` is, unless the configuration says otherwise.
    static func defaultFirst(_ paging: PagingStyle) -> Int { paging == .page ? 1 : 0 }

    /// Items before the page; `first` is the number of the first page or item. Saturates.
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
