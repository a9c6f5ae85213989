import RefreshProtocol

/// Refresh at depth: a refresh that requests not only the first page, but also later pages of the
/// list. The items that the user reads therefore remain in the list. Source: docs/protocol.md,
/// "Refresh at depth".
extension Engine {
    /// The pages that a refresh requests if it begins now.
    var pagesOfRefresh: PageSpan {
        if let page = pageOfRefresh { return PageSpan(skipped: page, count: 1) }
        guard let depth = depthOfRefresh, depth != .first, paging.hasPage,
            options.paging.style != .none
        else { return PageSpan() }
        let (sight, most) = (pagesInSight, options.pagesKeptMax)
        var end = paging.skippedPages + paging.pageCount
        if depth == .keepVisible {
            // Newer items may have moved the items in sight to the next page.
            let isAtStart = sight.lowerBound == 0 && offset <= geometry.restingOffset
            let wanted = sight.upperBound + (isAtStart ? 1 : 2)
            end = paging.hasMore ? wanted : min(end, wanted)
        }
        // A cursor leads only from one page to the next. With cursors, the pages therefore begin
        // with the first page.
        let isBeyond = depth == .keepVisible ? end > most : sight.upperBound >= most
        guard options.paging.style != .cursor, isBeyond else {
            return PageSpan(skipped: 0, count: min(end, most))
        }
        let margin = max(most - sight.count, 0) / 2
        return PageSpan(
            skipped: min(max(sight.lowerBound - margin, 0), end - most), count: most)
    }

    /// The depth of a refresh that begins now. A verification removes no item that the user sees.
    private var depthOfRefresh: RefreshDepth? {
        let depth = options.refresh?.depth
        return depth == .first && refresh.background.contains(.isVerification)
            ? .keepVisible : depth
    }

    /// The pages of the feed that the viewport shows, counted from 0. They are estimated from the
    /// offset and the mean length of the list's pages.
    private var pagesInSight: ClosedRange<Int> { pagesInSight(of: paging.pageCount) }

    /// The same, if the list consists of `count` pages.
    private func pagesInSight(of count: Int) -> ClosedRange<Int> {
        let first = paging.skippedPages
        let length = geometry.contentLength / Double(max(count, 1))
        guard geometry.isMeasured, length > 0 else { return first...first }
        let last = Double(max(count, 1) - 1)
        let lower = min(max((offset / length).rounded(.down), 0), last)
        let end = ((offset + geometry.viewportLength) / length).rounded(.up) - 1
        return (first + Int(lower))...(first + Int(min(max(end, lower), last)))
    }

    /// Whether the list is away from its start. If it is, it has more than one page. In addition,
    /// it shows a page after the first page of the feed, or is more than a viewport away from its
    /// resting place.
    var isAwayFromStart: Bool {
        let count = paging.shownPageCount
        guard paging.skippedPages + count > 1 else { return false }
        return pagesInSight(of: count).upperBound > 0
            || offset > geometry.restingOffset + geometry.viewportLength
    }

    /// Whether a refresh for a change would remove pages in sight, in a view for which `keepsPlace`
    /// is true.
    var wouldLosePlace: Bool {
        guard keepsPlace, !hasRandomAccess, isAwayFromStart else { return false }
        guard depthOfRefresh != .first else { return true }
        let (pages, sight) = (pagesOfRefresh, pagesInSight)
        // A verification keeps the beginning of the list too.
        if options.refresh?.depth == .first, pages.skipped > 0 { return true }
        return sight.lowerBound < Int(pages.skipped)
            || sight.upperBound >= Int(pages.skipped) + Int(pages.count)
    }

    /// Records the accepted answer to a refresh.
    mutating func acceptRefresh(_ ending: LoadEnding) {
        if acceptRows(ending) { return }
        var ending = ending
        let size = Int(refresh.size)
        if hasRandomAccess { ending.skipped = Int(refreshPages.skipped) }
        if options.isClientBacked {
            ending.divide(into: refreshPages, of: size, hasCursor: options.paging.style == .cursor)
        }
        paging.accept(ending, of: .refresh, requestedCount: size)
    }
}

/// Consecutive pages of a feed, which one refresh requests.
struct PageSpan: UsualValue {
    /// The number of pages of the feed before these pages.
    var skipped: UInt16 = 0
    /// The number of these pages, at least 1.
    var count: UInt16 = 1

    init() {}

    init(skipped: Int, count: Int) {
        self.skipped = UInt16(clamping: skipped)
        self.count = UInt16(clamping: max(count, 1))
    }

    static var usual: Self { Self() }
}

extension LoadEnding {
    /// Divides the items of an answer into pages, because a client answers a request for several
    /// pages with one answer. `size` is the number of items of a page.
    fileprivate mutating func divide(into span: PageSpan, of size: Int, hasCursor: Bool) {
        skipped = Int(span.skipped)
        guard span.count > 1, size > 0 else { return }
        pages = min(Int(span.count), max(1, (count - 1) / size + 1))
        lastCount = count - (pages - 1) * size
        if more == nil, !hasCursor { more = count >= Int(span.count) * size }
    }
}
