package import RefreshProtocol

/// The order of the operations that the views of a daemon apply. Source: docs/backends.md, "What
/// has changed".
///
/// The operations of one reporter come in the order in which the backend has performed them. Those
/// of two reporters can overtake each other on their way. If their order matters, a view may then
/// show another list than the backend has. `ReportOrder` notices this, and lets the views be
/// verified some time later.
package struct ReportOrder: Sendable {
    /// Reports of two reporters whose times differ by less than this, in milliseconds, may have
    /// overtaken each other. A node that is silent for longer counts as gone.
    package static let windowMs = 5000.0
    /// The time in milliseconds from a report whose order is uncertain to the verification.
    package static let delayMs = 1000.0
    /// The shortest time between two verifications of a feed, in milliseconds.
    package static let intervalMs = 5000.0
    /// The maximum number of recent reports that are kept for a feed. If there are more, the oldest
    /// is dropped.
    static let reportsMax = 64
    /// The maximum number of subjects whose views are verified alone. If there are more, the views
    /// of all subjects are verified.
    static let subjectsMax = 100

    private struct Report {
        var reporter: String
        var at: Instant
        var isStructural = true
        /// The keys of the changed items; nil: any item can have changed.
        var keys: Set<UInt64>?
        /// The subjects whose lists have changed; nil: those of all.
        var subjects: Set<String>?

        /// Whether the list of a view depends on the order in which it applies the two reports.
        func conflicts(with later: Report) -> Bool {
            guard reporter != later.reporter else { return false }
            if let subjects, let others = later.subjects, subjects.isDisjoint(with: others) {
                return false
            }
            guard let keys, let others = later.keys else { return true }
            return isStructural && later.isStructural || !keys.isDisjoint(with: others)
        }
    }

    private struct Feed {
        var reports: [Report] = []
        var verifiedAt = Instant.origin
        /// When the views must be verified; `never` if they need not be.
        var due = Instant.never
        /// The subjects whose views must be verified; nil: those of all.
        var subjects: Set<String>? = []

        mutating func append(_ report: Report) {
            if reports.count == ReportOrder.reportsMax { reports.removeFirst() }
            reports.append(report)
        }

        mutating func schedule(_ report: Report, at now: Instant) {
            if let known = subjects, let more = report.subjects,
                known.count + more.count <= ReportOrder.subjectsMax
            {
                subjects = known.union(more)
            } else {
                subjects = nil
            }
            guard due == .never else { return }
            due = max(
                now.advanced(byMilliseconds: ReportOrder.delayMs),
                verifiedAt.advanced(byMilliseconds: ReportOrder.intervalMs))
        }
    }

    private var feeds: [String: Feed] = [:]

    package init() {}

    /// Records a change that the views are notified of.
    package mutating func record(_ change: FeedChange, at now: Instant) {
        var feed = feeds[change.feed] ?? Feed()
        feed.reports.removeAll { now.milliseconds(since: $0.at) >= Self.windowMs }
        defer { feeds[change.feed] = feed }
        guard let items = change.items, !items.isEmpty else {
            // The views refresh after this change, or are notified of it. The page that they get
            // can be newer than operations of another reporter that arrive later.
            feed.append(Report(reporter: change.reporter, at: now))
            return
        }
        let report = Report(
            reporter: change.reporter, at: now,
            isStructural: items.contains { $0.operations.contains { $0.place != nil } },
            keys: Set(items.flatMap { $0.operations.flatMap(\.touchedKeys) }),
            subjects: Self.subjects(of: items))
        let isUncertain =
            change.isRepeated || feed.reports.contains { $0.conflicts(with: report) }
        feed.append(report)
        if isUncertain { feed.schedule(report, at: now) }
    }

    /// When the views of a feed must be verified next; nil if they need not be.
    package var nextDeadline: Instant? {
        feeds.values.lazy.map(\.due).min().flatMap { $0 == .never ? nil : $0 }
    }

    /// Returns the changes, without operations, that let views verify their lists now, in the order
    /// of the feeds. A change names the subjects of these views. If it names none, it concerns all
    /// views.
    package mutating func removeDue(at now: Instant) -> [FeedChange] {
        let due = feeds.filter { $0.value.due <= now }.keys.sorted()
        return due.map { name in
            let subjects = feeds[name]?.subjects
            feeds[name]?.due = .never
            feeds[name]?.verifiedAt = now
            feeds[name]?.subjects = []
            let items = subjects?.sorted().map { ItemChange(subject: $0, []) } ?? []
            return FeedChange(name, count: .none, items: items)
        }
    }

    private static func subjects(of items: [ItemChange]) -> Set<String>? {
        let subjects = items.compactMap(\.subject)
        return subjects.count == items.count ? Set(subjects) : nil
    }
}

extension ItemOperation {
    /// The hashes of the keys that the operation names.
    fileprivate var touchedKeys: [UInt64] {
        switch place {
        case .before(let neighbour), .after(let neighbour): [key.hash, neighbour.hash]
        case .start, .end, nil: [key.hash]
        }
    }
}

/// The changes of feeds that the views of a daemon are notified of.
package struct ViewChanges: Sendable {
    private var budget = ChangeBudget()
    private var order = ReportOrder()

    package init() {}

    /// Records a change of a feed. Returns true if the views must be notified now, and false if
    /// `removeDue` will return the change later.
    package mutating func record(_ change: FeedChange, at now: Instant) -> Bool {
        order.record(change, at: now)
        return budget.record(change, at: now)
    }

    /// The time at which `removeDue` returns something.
    package var nextDeadline: Instant? {
        guard let order = order.nextDeadline else { return budget.nextDeadline }
        return budget.nextDeadline.map { min($0, order) } ?? order
    }

    /// Returns the changes of which the views must be notified now.
    package mutating func removeDue(at now: Instant) -> [FeedChange] {
        budget.removeDue(at: now)
            + order.removeDue(at: now)
    }
}
