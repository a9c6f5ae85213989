package import RefreshProtocol

/// The counts of one loop's sessions, or the sum of several loops, at one moment.
package struct SessionCounts: Equatable, Sendable {
    package var messagesReceived = 0
    package var bytesReceived = 0
    package var messagesSent = 0
    package var bytesSent = 0
    package var sessionsOpened = 0
    package var sessionsClosed = 0
    package var viewsAttached = 0
    package var viewsDetached = 0
    package var sessionsDetached = 0
    package var sessionsReclaimed = 0
    package var detachedSessionsEvicted = 0
    package var voidFrames = 0
    package var repeatedMessages = 0
    /// Dropped answers to loads that had ended.
    package var lateAnswers = 0
    /// Dropped answers whose session had ended.
    package var lateAnswersWithoutSession = 0
    package var stalledCursors = 0
    package var mispredictions = 0
    package var coalescedUpdates = 0
    package var coalescedSamples = 0
    package var latencySumMicroseconds = 0

    /// One count per role and state, in the order of `EdgeRole` and `EdgeState`.
    package var transitions: [Int]
    /// One count per fault code, in the order of `FaultCode`.
    package var faults: [Int]
    /// One count per code of `DiagnosticCode`, in its order.
    package var diagnostics: [Int]
    package var diagnosticsDropped = 0
    /// One count per result of `resumeResults`.
    package var resumes: [Int]
    package var itemKeysForgotten = 0
    /// Snapshots that were sent to clients. `snapshotsTooLarge` counts those that were not sealed
    /// because they would have been too large.
    package var snapshotsSealed = 0
    package var snapshotsTooLarge = 0
    /// Frames that had to wait for their snapshots.
    package var snapshotsDelayed = 0
    /// How often clock-driven frames had to wait.
    package var framesDeferred = 0
    /// Connected sessions that were evicted for lack of memory.
    package var sessionsShed = 0
    /// How often reading from a client was paused because too much output waited for the client.
    /// `holdsEnded` is how often reading was resumed.
    package var holdsBegun = 0
    package var holdsEnded = 0
    /// One count per bucket of `LatencyBuckets`, then one count for longer latencies. The counts
    /// are not cumulative.
    package var latencies: [Int]
    /// How long messages waited for a client's socket.
    package var queueAges = CallDurations.Snapshot()
    /// The times from the start of a load until its items were sent.
    package var loadDurations: [LoadDurations.Row]
    /// The feeds to which the counts in `loadsStarted` and `loadsEnded` belong, in the same order.
    package let feeds: [MeasuredFeed]
    package var loadsStarted: [Int]
    /// For each feed, one count per result, in the order of `LoadResult`.
    package var loadsEnded: [Int]

    /// - Parameter feeds: The feeds that label the counts of loads.
    package init(feeds: [MeasuredFeed]) {
        self.feeds = feeds
        transitions = [Int](repeating: 0, count: EdgeRole.allCases.count * EdgeState.allCases.count)
        faults = [Int](repeating: 0, count: FaultCode.allCases.count)
        diagnostics = [Int](repeating: 0, count: DiagnosticCode.allCases.count)
        resumes = [Int](repeating: 0, count: Self.resumeResults.count)
        latencies = [Int](repeating: 0, count: LatencyBuckets.microseconds.count + 1)
        loadDurations = LoadDurations(feeds: feeds).snapshot
        loadsStarted = [Int](repeating: 0, count: feeds.count)
        loadsEnded = [Int](repeating: 0, count: feeds.count * LoadResult.allCases.count)
    }

    /// The number of open sessions.
    package var sessions: Int { sessionsOpened - sessionsClosed }
    /// The number of detached sessions, which wait for their clients.
    package var detached: Int { sessionsDetached - sessionsReclaimed }
    /// The number of attached views.
    package var views: Int { viewsAttached - viewsDetached }

    /// Returns how often the fault `code` was sent to clients.
    package func count(of code: FaultCode) -> Int { faults[Self.row(of: code)] }

    /// Returns how often input was ignored for the reason `code`.
    package func count(of code: DiagnosticCode) -> Int { diagnostics[Self.row(of: code)] }

    /// Returns how many attempts to resume a session failed for the reason `refusal`. For nil,
    /// returns how many succeeded.
    package func count(of refusal: ResumeRefusal?) -> Int { resumes[Self.row(of: refusal)] }

    /// Returns how often an edge of `role` entered `state`.
    package func count(of state: EdgeState, at role: EdgeRole) -> Int {
        transitions[Self.row(of: state, at: role)]
    }

    /// Returns how many loads of `feed` ended with that result. For nil, returns the number for
    /// loads that clients performed.
    package func count(of result: LoadResult, feed: String?) -> Int {
        guard let row = row(of: feed) else { return 0 }
        return loadsEnded[row * LoadResult.allCases.count + Self.row(of: result)]
    }

    /// Returns how many loads of `feed` began. For nil, returns the number for loads that clients
    /// performed.
    package func loadsStarted(feed: String?) -> Int {
        row(of: feed).map { loadsStarted[$0] } ?? 0
    }

    private func row(of feed: String?) -> Int? {
        feed.map { name in feeds.dropFirst().firstIndex { $0.name == name } } ?? 0
    }

    /// Adds the counts of another loop with the same feeds.
    package static func += (sum: inout SessionCounts, other: SessionCounts) {
        sum.messagesReceived += other.messagesReceived
        sum.bytesReceived += other.bytesReceived
        sum.messagesSent += other.messagesSent
        sum.bytesSent += other.bytesSent
        sum.sessionsOpened += other.sessionsOpened
        sum.sessionsClosed += other.sessionsClosed
        sum.viewsAttached += other.viewsAttached
        sum.viewsDetached += other.viewsDetached
        sum.sessionsDetached += other.sessionsDetached
        sum.sessionsReclaimed += other.sessionsReclaimed
        sum.detachedSessionsEvicted += other.detachedSessionsEvicted
        sum.voidFrames += other.voidFrames
        sum.repeatedMessages += other.repeatedMessages
        sum.lateAnswers += other.lateAnswers
        sum.lateAnswersWithoutSession += other.lateAnswersWithoutSession
        sum.stalledCursors += other.stalledCursors
        sum.mispredictions += other.mispredictions
        sum.coalescedUpdates += other.coalescedUpdates
        sum.coalescedSamples += other.coalescedSamples
        sum.queueAges += other.queueAges
        sum.loadDurations += other.loadDurations
        sum.latencySumMicroseconds += other.latencySumMicroseconds
        add(other.transitions, to: &sum.transitions)
        add(other.faults, to: &sum.faults)
        add(other.diagnostics, to: &sum.diagnostics)
        sum.diagnosticsDropped += other.diagnosticsDropped
        add(other.resumes, to: &sum.resumes)
        sum.snapshotsSealed += other.snapshotsSealed
        sum.snapshotsTooLarge += other.snapshotsTooLarge
        sum.snapshotsDelayed += other.snapshotsDelayed
        sum.framesDeferred += other.framesDeferred
        sum.sessionsShed += other.sessionsShed
        sum.itemKeysForgotten += other.itemKeysForgotten
        sum.holdsBegun += other.holdsBegun
        sum.holdsEnded += other.holdsEnded
        add(other.latencies, to: &sum.latencies)
        add(other.loadsStarted, to: &sum.loadsStarted)
        add(other.loadsEnded, to: &sum.loadsEnded)
    }

    private static func add(_ other: [Int], to sum: inout [Int]) {
        for (index, value) in other.enumerated() where index < sum.count { sum[index] += value }
    }
}

extension SessionCounts {
    /// The results of attempts to resume a session.
    package static let resumeResults = ["resumed"] + ResumeRefusal.allCases.map(\.rawValue)

    private static let refusalRows = rows(ResumeRefusal.allCases)
    private static let faultRows = rows(FaultCode.allCases)
    private static let diagnosticRows = rows(DiagnosticCode.allCases)
    private static let resultRows = rows(LoadResult.allCases)
    private static let stateRows = rows(EdgeState.allCases)

    private static func rows<Value: Hashable>(_ values: [Value]) -> [Value: Int] {
        Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
    }

    /// Returns the row of a refusal. For nil, returns the row of attempts that succeeded.
    static func row(of refusal: ResumeRefusal?) -> Int {
        refusal.map { 1 + (refusalRows[$0] ?? 0) } ?? 0
    }

    static func row(of code: FaultCode) -> Int { faultRows[code] ?? 0 }
    static func row(of code: DiagnosticCode) -> Int { diagnosticRows[code] ?? 0 }
    static func row(of result: LoadResult) -> Int { resultRows[result] ?? 0 }

    static func row(of state: EdgeState, at role: EdgeRole) -> Int {
        let row = stateRows[state] ?? 0
        return role == .refresh ? row : EdgeState.allCases.count + row
    }
}
