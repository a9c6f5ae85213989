internal import RefreshProtocol

/// Where a request's page begins in a list, for the styles that say it by number.
enum PagePosition {
    /// Items before the page; `first` is the number of the first page. Saturates.
    static func start(of request: LoadRequest, paging: PagingStyle, firstPage: Int) -> Int {
        switch paging {
        case .page:
            let (pages, underflow) = request.page.subtractingReportingOverflow(firstPage)
            guard !underflow, pages >= 0 else { return 0 }
            let (start, overflow) = pages.multipliedReportingOverflow(by: max(0, request.size))
            return overflow ? Int.max : start
        case .offset:
            return max(0, request.offset)
        case .cursor, .none:
            return 0
        }
    }
}
