import RefreshBroker
import RefreshEngine
import RefreshProtocol

extension LoadEnding {
    /// Converts a broker's answer for the engine.
    init(_ outcome: LoadOutcome, removed: Int = 0) {
        switch outcome {
        case .page(let page):
            self.init(
                page.count == 0 ? .empty : .success, count: page.count, more: page.more,
                cursor: page.cursor, kept: page.count - removed)
            total = page.total
            if let parts = page.parts {
                pages = parts.pages
                lastCount = parts.lastCount
                skipped = parts.skipped
            }
        case .failed: self.init(LoadResult.failed)
        case .cancelled: self.init(LoadResult.cancelled)
        case .timedOut: self.init(LoadResult.timedOut)
        }
    }

    /// Converts a client's answer for the engine.
    init(_ report: LoadReport) {
        self.init(
            report.result, count: report.count, more: report.more, cursor: report.cursor)
    }
}
