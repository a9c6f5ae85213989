package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// The backend of the demo's feeds `cards` and `messages`: lists in memory that clients edit, and
/// that all of them share. Source: docs/backends.md, "The feeds cards and messages".
package final class DemoListBackend: Backend {
    package enum Kind: String, Hashable, Sendable {
        case board, messages
    }

    private struct State: Sendable {
        let kind: Kind
        var board = DemoBoard()
        var messages: DemoMessages
        var performed = PerformedEdits()
        /// The time after a load or an edit in which uploads are announced is an hour, because the
        /// page of the messages loads nothing while it follows the list.
        var reports = UploadReports(reportedMs: 3_600_000)

        var list: DemoList { kind == .board ? board.list : messages.list }

        /// Performs an edit, unless it was performed before.
        mutating func perform(_ edit: EditRequest, at time: Int64) throws(LoadFailure) -> [UInt8]? {
            if let answer = performed[edit.idempotencyKey] { return answer }
            let item =
                switch kind {
                case .board: try board.perform(edit.operation)
                case .messages: try messages.perform(edit.operation, at: time)
                }
            performed.record(item, of: edit.idempotencyKey)
            return item
        }
    }

    private let feed: String
    private let first: Int
    private let notices: FeedNotices
    private let wallMilliseconds: @Sendable () -> Int64
    private let state: Mutex<State>

    /// Creates the backend. `packages` is a JSON array of the packages that are uploaded.
    /// `firstPage` is the number of the first page. The backend reports the changes of `feed` that
    /// no client has made through `notices`. `wallMilliseconds` returns the time since 1970.
    package init(
        _ kind: Kind, feed: String, packages: [UInt8], firstPage: Int, notices: FeedNotices,
        wallMilliseconds: @escaping @Sendable () -> Int64
    ) throws(BackendConfigurationError) {
        let uploads: UploadList
        do {
            uploads = UploadList(packages: try DebianPackage.packages(inJSON: packages))
        } catch {
            throw BackendConfigurationError("demo", "The bundled list is \(error.message).")
        }
        state = Mutex(State(kind: kind, messages: DemoMessages(of: uploads)))
        self.feed = feed
        first = firstPage
        self.notices = notices
        self.wallMilliseconds = wallMilliseconds
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        // This call starts on the broker's thread. After `yield`, it runs on another thread.
        await Task.yield()
        announce()
        return state.withLock { $0.list.page(for: call.request, first: first) }
    }

    package func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        await Task.yield()
        // The message of a user is newer than the announcements before it.
        announce()
        let now = wallMilliseconds()
        return try state.withLock { state throws(LoadFailure) in
            try state.perform(call.request, at: now)
        }
    }

    package func stop() {
        state.withLock { $0.reports.stop() }
    }

    /// Announces the uploads since the last call, and those of the next hour when they are made.
    private func announce() {
        let now = wallMilliseconds()
        let begins = state.withLock { state in
            state.kind == .messages && state.reports.recordLoad(at: now)
        }
        report()
        guard begins else { return }
        // The task has no strong reference to the backend.
        Task { [weak self] in
            while let delay = self?.nextDelay() {
                do { try await Task.sleep(for: .milliseconds(delay)) } catch { return }
                self?.report()
            }
        }
    }

    private func nextDelay() -> Int64? {
        let now = wallMilliseconds()
        return state.withLock { $0.reports.nextDelay(at: now) }
    }

    /// Adds the uploads that were made since the last call, and reports them. The lock is held
    /// until they are reported, so that reports are in the order of the list.
    private func report() {
        let now = wallMilliseconds()
        state.withLock { state in
            guard state.kind == .messages, let operations = state.messages.announce(at: now) else {
                return
            }
            let texts = operations.joined(separator: [UInt8(ascii: ",")])
            let report = Array(#"{"operations":["#.utf8) + texts + Array("]}".utf8)
            // More operations than a report can have are a change without operations.
            let change = try? notices.change(of: feed, in: report.span)
            notices.reportFeedChange(change ?? FeedChange(feed))
        }
    }
}

/// The answers of the newest edits, by their idempotency keys. An edit that is repeated has no
/// further effect.
struct PerformedEdits: Sendable {
    static let countMax = 1000

    private var answers: [String: [UInt8]?] = [:]
    private var keys: [String] = []

    /// The answer of an edit; nil if it was not performed, or long ago.
    subscript(key: String) -> [UInt8]?? { answers[key] }

    mutating func record(_ item: [UInt8]?, of key: String) {
        answers[key] = .some(item)
        keys.append(key)
        if keys.count > Self.countMax { answers[keys.removeFirst()] = nil }
    }
}
