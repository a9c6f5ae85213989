package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A stream of changes of one feed, for its log and its metrics.
package final class ChangeStreamReporter: Sendable {
    /// What happens to the connection.
    package enum Event: Hashable, Sendable {
        case opened
        /// The server has ended the stream.
        case closed(reason: String)
        /// The stream could not be opened, or was lost.
        case failed(reason: String)
        /// The server has no changes to report. The daemon does not connect again.
        case stopped
    }

    package let feed: String
    let notices: FeedNotices
    private let log: @Sendable (Event) -> Void
    private let faultCount = Atomic<Int>(0)
    private let connectedCount = Atomic<Int>(0)

    /// `log` is called on the thread of the HTTP client.
    package init(
        feed: String, notices: FeedNotices, log: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.feed = feed
        self.notices = notices
        self.log = log
    }

    /// The number of lines, events and reports that were not as described.
    package var faults: Int { faultCount.load(ordering: .relaxed) }
    package var isConnected: Bool { connectedCount.load(ordering: .relaxed) > 0 }

    func countFault() { faultCount.wrappingAdd(1, ordering: .relaxed) }
    func setConnected(_ isConnected: Bool) {
        connectedCount.store(isConnected ? 1 : 0, ordering: .relaxed)
    }
    func report(_ event: Event) { log(event) }

    /// Reports a change. In a cluster, each node has a stream of its own.
    func report(_ change: FeedChange) {
        var change = change
        change.reachesEveryNode = true
        notices.reportFeedChange(change)
    }
}

/// A stream of changes on the thread of the HTTP client. It decides when to connect, and passes
/// the events on.
struct ChangeStream {
    /// What the thread must do.
    enum Order: Hashable {
        case connect(HTTPRequest)
        case close
    }

    /// The options of the feed's backend.
    let options: HTTPOptions
    private let url: String
    private let headers: [HeaderField]
    private let reporter: ChangeStreamReporter
    private var machine: ChangeStreamMachine
    /// The pace of the reports.
    private var budget = ChangeBudget()
    private var effects: [ChangeStreamMachine.Effect] = []

    init(
        url: String, options: HTTPOptions, reporter: ChangeStreamReporter, seed: UInt64,
        at now: Instant
    ) {
        self.url = url
        self.options = options
        headers = options.headers.filter {
            !["accept", "last-event-id"].contains($0.name.lowercased())
        }
        self.reporter = reporter
        machine = ChangeStreamMachine(seed: seed, at: now)
    }

    /// The identity of the stream's reporter.
    var id: ObjectIdentifier { ObjectIdentifier(reporter) }

    var nextDeadline: Instant? {
        [machine.nextDeadline, budget.nextDeadline].compactMap(\.self).min()
    }

    /// Returns what the thread must do, in order.
    mutating func handle(_ input: ChangeStreamMachine.Input, at now: Instant) -> [Order] {
        machine.handle(input, at: now, into: &effects)
        var orders: [Order] = []
        for effect in effects {
            if let order = perform(effect, at: now) { orders.append(order) }
        }
        effects.removeAll(keepingCapacity: true)
        for change in budget.removeDue(at: now) { reporter.report(change) }
        return orders
    }

    /// The daemon does not need the stream any more. The changes that wait are reported.
    mutating func end() {
        for change in budget.removeDue(at: .never) { reporter.report(change) }
        reporter.setConnected(false)
    }

    private mutating func perform(
        _ effect: ChangeStreamMachine.Effect, at now: Instant
    ) -> Order? {
        switch effect {
        case .connect(let lastID): return .connect(request(lastID))
        case .close: return .close
        case .report(let data): record(change(in: data), at: now)
        case .missed: record(FeedChange(reporter.feed), at: now)
        case .fault: reporter.countFault()
        case .opened:
            reporter.setConnected(true)
            reporter.report(.opened)
        case .closed(let reason):
            reporter.setConnected(false)
            reporter.report(.closed(reason: reason))
        case .failed(let reason):
            reporter.setConnected(false)
            reporter.report(.failed(reason: reason))
        case .stopped: reporter.report(.stopped)
        }
        return nil
    }

    private func change(in data: [UInt8]) -> FeedChange {
        do throws(ChangeReportFault) {
            return try reporter.notices.change(of: reporter.feed, in: data.span)
        } catch {
            reporter.countFault()
            return FeedChange(reporter.feed)
        }
    }

    /// Reports a change now, or lets it wait for its time.
    private mutating func record(_ change: FeedChange, at now: Instant) {
        if budget.record(change, at: now) { reporter.report(change) }
    }

    private func request(_ lastID: [UInt8]) -> HTTPRequest {
        var headers = headers
        headers.append(HeaderField(name: "Accept", value: "text/event-stream"))
        if !lastID.isEmpty {
            let value = String(decoding: lastID, as: UTF8.self)
            headers.append(HeaderField(name: "Last-Event-ID", value: value))
        }
        return HTTPRequest(method: .get, url: url, headers: headers, timeoutMs: 0)
    }
}
