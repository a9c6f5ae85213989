package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// The backend of the demo's feed `uploads`: a list that can be searched, filtered and sorted, and
/// that changes every few seconds. Source: docs/backends.md, "The feed uploads".
package final class UploadsBackend: Backend {
    private let feed: String
    private let list: UploadList
    private let first: Int
    private let notices: FeedNotices
    private let wallMilliseconds: @Sendable () -> Int64
    private let reports = Mutex(UploadReports())

    /// Creates the backend. `packages` is a JSON array of the packages that are uploaded.
    /// `firstPage` is the number of the first page. The backend reports newer data of `feed`
    /// through `notices`. `wallMilliseconds` returns the time since 1970.
    package init(
        feed: String, packages: [UInt8], firstPage: Int, notices: FeedNotices,
        wallMilliseconds: @escaping @Sendable () -> Int64
    ) throws(BackendConfigurationError) {
        do {
            list = UploadList(packages: try DebianPackage.packages(inJSON: packages))
        } catch {
            throw BackendConfigurationError("demo", "The bundled list is \(error.message).")
        }
        self.feed = feed
        first = firstPage
        self.notices = notices
        self.wallMilliseconds = wallMilliseconds
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        // This call starts on the broker's thread. After `yield`, it makes the page on another
        // thread.
        await Task.yield()
        let now = wallMilliseconds()
        if reports.withLock({ $0.recordLoad(at: now) }) { beginReports() }
        return list.page(for: call.request, first: first, at: now)
    }

    package func stop() {
        reports.withLock { $0.stop() }
    }

    /// Reports each upload until the reports end. The task has no strong reference to the backend.
    private func beginReports() {
        Task { [weak self] in
            while let delay = self?.nextDelay() {
                do { try await Task.sleep(for: .milliseconds(delay)) } catch { return }
                self?.report()
            }
        }
    }

    private func nextDelay() -> Int64? {
        let now = wallMilliseconds()
        return reports.withLock { $0.nextDelay(at: now) }
    }

    private func report() {
        notices.reportFeedChange(FeedChange(feed, count: NewerCount(1)))
    }
}
