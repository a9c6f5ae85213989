package import RefreshProtocol
internal import Synchronization
package import WebSocketTransport

/// What one event loop has counted since the process began.
///
/// One writer: all recording happens on the loop's thread, so no instruction is locked. Any thread
/// may take a `snapshot`; its numbers are each right, and together as close as relaxed reads are.
/// Source: docs/operations.md, "Metrics".
package final class LoopMetrics: Sendable {
    // On the path of each message: inline, without an indirection.
    private let messagesReceived = Atomic<Int>(0)
    private let bytesReceived = Atomic<Int>(0)
    private let messagesSent = Atomic<Int>(0)
    private let bytesSent = Atomic<Int>(0)

    private let sessionsOpened = Atomic<Int>(0)
    private let sessionsClosed = Atomic<Int>(0)
    private let viewsAttached = Atomic<Int>(0)
    private let viewsDetached = Atomic<Int>(0)
    private let sessionsDetached = Atomic<Int>(0)
    private let sessionsReclaimed = Atomic<Int>(0)
    private let crowdedOut = Atomic<Int>(0)
    private let voidFrames = Atomic<Int>(0)
    private let repeatedMessages = Atomic<Int>(0)
    private let staleLoads = Atomic<Int>(0)
    private let orphanedLoads = Atomic<Int>(0)
    private let stalledCursors = Atomic<Int>(0)
    private let mispredictions = Atomic<Int>(0)
    private let coalescedUpdates = Atomic<Int>(0)
    private let coalescedSamples = Atomic<Int>(0)
    private let latencySum = Atomic<Int>(0)

    private let transitions: [Counter]
    private let faults: [Counter]
    private let diagnostics: [Counter]
    private let diagnosticsDropped = Counter()
    private let refusals: [Counter]
    private let connectionRefusals: [Counter]
    private let acceptFailures: [Counter]
    private let breaches: [Counter]
    private let itemKeysForgotten = Counter()
    private let snapshotsSealed = Counter()
    private let snapshotsTooLarge = Counter()
    private let snapshotsDelayed = Counter()
    private let framesDeferred = Counter()
    private let shed = Counter()
    private let holdsBegun = Counter()
    private let holdsEnded = Counter()
    private let resumes: [Counter]
    private let latencies: [Counter]
    private let queueAges = LoopDurations()
    private let timesToItems: TimesToItems
    private let loadsStarted: [Counter]
    private let loadsEnded: [Counter]

    /// The client's own loads first, then the configured feeds, then all others.
    private let feeds: [MeasuredFeed]
    private let feedRow: [String: Int]

    /// - Parameter feeds: the feeds whose loads are counted by name.
    package init(feeds: [MeasuredFeed] = []) {
        let rows = [.client] + feeds + [.other]
        self.feeds = rows
        feedRow = Dictionary(
            feeds.enumerated().map { ($1.name, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        timesToItems = TimesToItems(feeds: feeds)
        transitions = Self.counters(EdgeRole.allCases.count * EdgeState.allCases.count)
        faults = Self.counters(FaultCode.allCases.count)
        diagnostics = Self.counters(DiagnosticCode.allCases.count)
        refusals = Self.counters(RefusalRow.all.count)
        connectionRefusals = Self.counters(ConnectionRefusal.allCases.count)
        breaches = Self.counters(MessageBreach.allCases.count)
        acceptFailures = Self.counters(Shortage.allCases.count)
        resumes = Self.counters(MetricsSnapshot.resumeResults.count)
        latencies = Self.counters(LatencyBuckets.microseconds.count + 1)
        loadsStarted = Self.counters(rows.count)
        loadsEnded = Self.counters(rows.count * LoadResult.allCases.count)
    }

    private static func counters(_ count: Int) -> [Counter] {
        (0..<count).map { _ in Counter() }
    }

    // MARK: Recording, on the loop's thread

    /// One whole client message of `bytes` arrived.
    @inline(__always)
    package func received(bytes: Int) {
        messagesReceived.add(1)
        bytesReceived.add(bytes)
    }

    /// One frame of `bytes` was handed to the socket.
    @inline(__always)
    package func sent(bytes: Int) {
        messagesSent.add(1)
        bytesSent.add(bytes)
    }

    package func sessionOpened() { sessionsOpened.add(1) }
    package func sessionClosed() { sessionsClosed.add(1) }
    /// A session's connection is gone, and it waits for its client.
    package func sessionDetached() { sessionsDetached.add(1) }

    /// A session waits for its client no more, for whatever reason.
    package func sessionReclaimed() { sessionsReclaimed.add(1) }

    /// There was no room for so many of them any more.
    func sessionsCrowdedOut(_ count: Int) { crowdedOut.add(count) }

    /// A client wanted to go on with a session; nil: it does.
    package func resumeEnded(_ refusal: ResumeRefusal?) {
        resumes[MetricsSnapshot.row(of: refusal)].add(1)
    }

    /// A frame came on a connection that was closed already, and was dropped.
    package func voidFrame() { voidFrames.add(1) }

    /// A message came again that the session had handled before its client came back.
    package func repeatedMessage() { repeatedMessages.add(1) }

    package func viewAttached() { viewsAttached.add(1) }
    package func viewDetached() { viewsDetached.add(1) }

    /// A client was told of `code`.
    package func fault(_ code: FaultCode) {
        faults[MetricsSnapshot.row(of: code)].add(1)
    }

    /// What a client has sent was ignored, for that reason.
    package func diagnostic(_ code: DiagnosticCode, count: Int = 1) {
        diagnostics[MetricsSnapshot.row(of: code)].add(count)
    }

    /// Members of messages were passed over.
    package func ignored(_ members: IgnoredMembers) {
        diagnostic(.unknownField, count: members.unknownFields)
        diagnostic(.unknownOption, count: members.unknownOptions)
        diagnostic(.notConfigurable, count: members.notConfigurable)
    }

    /// So many diagnostics were not sent, because their session has had too many.
    package func diagnosticsDropped(_ count: Int) { diagnosticsDropped.add(count) }

    /// The edge of `role` of some view came into `state` from another one.
    package func entered(_ state: EdgeState, at role: EdgeRole) {
        transitions[MetricsSnapshot.row(of: state, at: role)].add(1)
    }

    /// A load began; without a `feed` the client performs it.
    package func loadStarted(feed: String?) {
        loadsStarted[row(of: feed)].add(1)
    }

    /// A load that was counted by `loadStarted` ended.
    package func loadEnded(feed: String?, result: LoadResult) {
        let row = row(of: feed) * LoadResult.allCases.count
        loadsEnded[row + MetricsSnapshot.row(of: result)].add(1)
    }

    /// An answer came for a load that is no longer current, and was dropped.
    package func staleLoad() { staleLoads.add(1) }

    /// An answer came for a session that is gone, and was dropped.
    package func orphanedLoad() { orphanedLoads.add(1) }

    /// A list ended because the cursor of its pages does not advance.
    package func stalledCursor() { stalledCursors.add(1) }

    /// A client showed a state of its refresh edge that did not hold.
    package func misprediction() { mispredictions.add(1) }

    /// What a newer update took up had not been sent.
    package func coalescedUpdate() { coalescedUpdates.add(1) }

    /// A sample was followed by another one of the same view in the same frame.
    package func coalescedSample() { coalescedSamples.add(1) }

    /// What had to wait for the socket of its client is sent, after so long.
    package func queueAge(microseconds: Int64) { queueAges.add(microseconds: microseconds) }

    /// The items of a load are on their way to the client, so long after its begin.
    package func timeToItems(microseconds: Int64, feed: String) {
        timesToItems.add(microseconds: microseconds, feed: feed)
    }

    /// Other feeds are configured from now on. How long their items take is told by their backends;
    /// their loads count as `other`, for those rows are made once.
    func adopt(feeds: [MeasuredFeed]) { timesToItems.adopt(feeds) }

    /// An upgrade was refused by the gate.
    package func upgradeRefused(_ refusal: GateRefusal) {
        refusals[RefusalRow.index(of: refusal)].add(1)
    }

    /// An upgrade was refused with `status` by the transport itself.
    package func upgradeRefused(status: Int) {
        refusals[RefusalRow.index(ofTransportStatus: status)].add(1)
    }

    /// A connection was not served.
    package func connectionRefused(_ refusal: ConnectionRefusal) {
        connectionRefusals[MetricsSnapshot.row(of: refusal)].add(1)
    }

    /// The transport closed a connection for a message.
    package func breached(_ breach: MessageBreach) {
        breaches[MetricsSnapshot.row(of: breach)].add(1)
    }

    /// A client was given a sealed snapshot, or told that it would be too large.
    package func snapshotTold(isSealed: Bool) {
        (isSealed ? snapshotsSealed : snapshotsTooLarge).add(1)
    }

    /// A frame waits for its snapshot, because its session was sealed too often.
    package func snapshotWaits() { snapshotsDelayed.add(1) }

    /// So many keys of shown items were forgotten, because a view may not remember more.
    package func itemKeysForgotten(_ count: Int) { itemKeysForgotten.add(count) }

    /// A connection could not be accepted.
    package func acceptFailed(_ shortage: Shortage) {
        acceptFailures[MetricsSnapshot.row(of: shortage)].add(1)
    }

    /// A session was sent so many frames by the clock that the next ones have to wait.
    package func framesDefer() { framesDeferred.add(1) }

    /// A session that had a connection ended because there was no memory for it.
    func sessionShed() { shed.add(1) }

    /// From now on nothing is read of a session, because too much waits for its client.
    package func heldBack() { holdsBegun.add(1) }

    /// That is over.
    package func letGo() { holdsEnded.add(1) }

    /// `count` updates left `microseconds` after the message that caused them was received. A
    /// sampled latency stands for several.
    package func updateLatency(microseconds: Int64, count: Int = 1) {
        latencies[LatencyBuckets.index(of: microseconds)].add(count)
        latencySum.add(Int(clamping: microseconds) &* count)
    }

    private func row(of feed: String?) -> Int {
        guard let feed else { return 0 }
        return feedRow[feed] ?? feeds.count - 1
    }

    // MARK: Reading, from any thread

    package var snapshot: MetricsSnapshot {
        var result = MetricsSnapshot(feeds: feeds)
        result.messagesReceived = messagesReceived.value
        result.bytesReceived = bytesReceived.value
        result.messagesSent = messagesSent.value
        result.bytesSent = bytesSent.value
        result.sessionsClosed = sessionsClosed.value
        result.sessionsOpened = sessionsOpened.value
        result.viewsDetached = viewsDetached.value
        result.viewsAttached = viewsAttached.value
        result.sessionsReclaimed = sessionsReclaimed.value
        result.sessionsCrowdedOut = crowdedOut.value
        result.sessionsDetached = sessionsDetached.value
        result.voidFrames = voidFrames.value
        result.repeatedMessages = repeatedMessages.value
        result.resumes = resumes.map(\.value)
        result.staleLoads = staleLoads.value
        result.orphanedLoads = orphanedLoads.value
        result.stalledCursors = stalledCursors.value
        result.mispredictions = mispredictions.value
        result.coalescedUpdates = coalescedUpdates.value
        result.coalescedSamples = coalescedSamples.value
        result.queueAges = queueAges.snapshot
        result.timesToItems = timesToItems.snapshot
        result.transitions = transitions.map(\.value)
        result.faults = faults.map(\.value)
        result.diagnostics = diagnostics.map(\.value)
        result.diagnosticsDropped = diagnosticsDropped.value
        result.refusals = refusals.map(\.value)
        result.connectionRefusals = connectionRefusals.map(\.value)
        result.acceptFailures = acceptFailures.map(\.value)
        result.breaches = breaches.map(\.value)
        result.snapshotsSealed = snapshotsSealed.value
        result.snapshotsTooLarge = snapshotsTooLarge.value
        result.snapshotsDelayed = snapshotsDelayed.value
        result.itemKeysForgotten = itemKeysForgotten.value
        result.framesDeferred = framesDeferred.value
        result.sessionsShed = shed.value
        result.holdsEnded = holdsEnded.value
        result.holdsBegun = holdsBegun.value
        result.loadsStarted = loadsStarted.map(\.value)
        result.loadsEnded = loadsEnded.map(\.value)
        result.latencies = latencies.map(\.value)
        result.latencySumMicroseconds = latencySum.value
        return result
    }
}
