package import RefreshProtocol
internal import Synchronization

/// The counts of one event loop's sessions since the process began.
///
/// Only the loop's thread may call the record methods, so no locked instructions are needed. Any
/// thread may read `snapshot`. Each of its numbers is correct, but the numbers are read one after
/// the other, and can belong to slightly different times. Source: docs/operations.md, "Metrics".
package final class SessionMetrics: Sendable {
    // The first numbers are used for every message, so they are stored inline, without an
    // indirection.
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
    private let detachedEvictions = Atomic<Int>(0)
    private let voidFrames = Atomic<Int>(0)
    private let repeatedMessages = Atomic<Int>(0)
    private let mispredictions = Atomic<Int>(0)
    private let coalescedUpdates = Atomic<Int>(0)
    private let coalescedSamples = Atomic<Int>(0)
    private let latencySum = Atomic<Int>(0)

    private let transitions: [Counter]
    private let faults: [Counter]
    private let diagnostics: [Counter]
    private let diagnosticsDropped = Counter()
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

    /// The metrics of the sessions' loads.
    package let loads: LoadMetrics

    /// - Parameter feeds: The feeds whose loads are counted by name.
    package init(feeds: [MeasuredFeed] = []) {
        loads = LoadMetrics(feeds: feeds)
        transitions = Counter.row(EdgeRole.allCases.count * EdgeState.allCases.count)
        faults = Counter.row(FaultCode.allCases.count)
        diagnostics = Counter.row(DiagnosticCode.allCases.count)
        resumes = Counter.row(SessionCounts.resumeResults.count)
        latencies = Counter.row(LatencyBuckets.microseconds.count + 1)
    }

    // MARK: Recording, on the loop's thread

    /// Counts one complete client message of `bytes` bytes.
    @inline(__always)
    package func recordReceived(bytes: Int) {
        messagesReceived.add(1)
        bytesReceived.add(bytes)
    }

    /// Counts one frame of `bytes` bytes that was passed to the socket.
    @inline(__always)
    package func recordSent(bytes: Int) {
        messagesSent.add(1)
        bytesSent.add(bytes)
    }

    package func recordSessionOpened() { sessionsOpened.add(1) }
    package func recordSessionClosed() { sessionsClosed.add(1) }
    /// Counts a session that lost its connection and waits for its client.
    package func recordSessionDetached() { sessionsDetached.add(1) }

    /// Counts a session that has stopped waiting for its client, for any reason.
    package func recordSessionReclaimed() { sessionsReclaimed.add(1) }

    /// Counts detached sessions that were evicted because a limit was exceeded.
    package func recordDetachedEvictions(_ count: Int) { detachedEvictions.add(count) }

    /// Counts an attempt to resume a session. If `refusal` is nil, the attempt succeeded.
    package func recordResumeAttempt(_ refusal: ResumeRefusal?) {
        resumes[SessionCounts.row(of: refusal)].add(1)
    }

    /// Counts a dropped frame of a connection that was already closed.
    package func recordVoidFrame() { voidFrames.add(1) }

    /// Counts a repeated message that the session had handled before its client resumed.
    package func recordRepeatedMessage() { repeatedMessages.add(1) }

    package func recordViewAttached() { viewsAttached.add(1) }
    package func recordViewDetached() { viewsDetached.add(1) }

    /// Counts a fault that was sent to a client.
    package func recordFault(_ code: FaultCode) {
        faults[SessionCounts.row(of: code)].add(1)
    }

    /// Counts a part of a client's message that was ignored, by reason.
    package func recordDiagnostic(_ code: DiagnosticCode, count: Int = 1) {
        diagnostics[SessionCounts.row(of: code)].add(count)
    }

    /// Counts ignored members of messages.
    package func recordIgnored(_ members: IgnoredMembers) {
        recordDiagnostic(.unknownField, count: members.unknownFields)
        recordDiagnostic(.unknownOption, count: members.unknownOptions)
        recordDiagnostic(.notConfigurable, count: members.notConfigurable)
    }

    /// Counts diagnostics that were not sent because their session exceeded its limit.
    package func recordDroppedDiagnostics(_ count: Int) { diagnosticsDropped.add(count) }

    /// Counts a transition of an edge of `role` into `state`.
    package func recordTransition(to state: EdgeState, at role: EdgeRole) {
        transitions[SessionCounts.row(of: state, at: role)].add(1)
    }

    /// Counts a state of a refresh edge that a client predicted wrongly.
    package func recordMisprediction() { mispredictions.add(1) }

    /// Counts an unsent update into which newer changes were merged.
    package func recordCoalescedUpdate() { coalescedUpdates.add(1) }

    /// Counts a scroll sample that was followed by another sample of the same view in the same
    /// frame.
    package func recordCoalescedSample() { coalescedSamples.add(1) }

    /// Counts how long a message has waited for its client's socket. It is called when the message
    /// is sent.
    package func recordQueueAge(microseconds: Int64) { queueAges.add(microseconds: microseconds) }

    /// Counts a sealed snapshot that was sent. If `isSealed` is false, counts a snapshot that was
    /// not sealed because it would have been too large.
    package func recordSnapshot(isSealed: Bool) {
        (isSealed ? snapshotsSealed : snapshotsTooLarge).add(1)
    }

    /// Counts a frame that waits for its snapshot because its session has reached its rate of
    /// snapshots.
    package func recordSnapshotDelayed() { snapshotsDelayed.add(1) }

    /// Counts keys of sent items that were removed because their view has reached its limit.
    package func recordForgottenItemKeys(_ count: Int) { itemKeysForgotten.add(count) }

    /// Counts a session whose clock-driven frames must wait because they have reached their rate
    /// limit.
    package func recordFramesDeferred() { framesDeferred.add(1) }

    /// Counts a connected session that was evicted for lack of memory.
    package func recordSessionShed() { shed.add(1) }

    /// Counts a session whose input is paused because too much output waits for its client.
    package func recordReadingPaused() { holdsBegun.add(1) }

    /// Counts the end of a pause that `recordReadingPaused` counted.
    package func recordReadingResumed() { holdsEnded.add(1) }

    /// Counts `count` updates that were sent `microseconds` after their messages were received. If
    /// latencies are sampled, one latency counts for several updates.
    package func recordUpdateLatency(microseconds: Int64, count: Int = 1) {
        latencies[LatencyBuckets.index(of: microseconds)].add(count)
        latencySum.add(Int(clamping: microseconds) &* count)
    }

    // MARK: Reading, from any thread

    package var snapshot: SessionCounts {
        var result = SessionCounts(feeds: loads.feeds)
        loads.read(into: &result)
        result.messagesReceived = messagesReceived.value
        result.bytesReceived = bytesReceived.value
        result.messagesSent = messagesSent.value
        result.bytesSent = bytesSent.value
        result.sessionsClosed = sessionsClosed.value
        result.sessionsOpened = sessionsOpened.value
        result.viewsDetached = viewsDetached.value
        result.viewsAttached = viewsAttached.value
        result.sessionsReclaimed = sessionsReclaimed.value
        result.detachedSessionsEvicted = detachedEvictions.value
        result.sessionsDetached = sessionsDetached.value
        result.voidFrames = voidFrames.value
        result.repeatedMessages = repeatedMessages.value
        result.resumes = resumes.map(\.value)
        result.mispredictions = mispredictions.value
        result.coalescedUpdates = coalescedUpdates.value
        result.coalescedSamples = coalescedSamples.value
        result.queueAges = queueAges.snapshot
        result.transitions = transitions.map(\.value)
        result.faults = faults.map(\.value)
        result.diagnostics = diagnostics.map(\.value)
        result.diagnosticsDropped = diagnosticsDropped.value
        result.snapshotsSealed = snapshotsSealed.value
        result.snapshotsTooLarge = snapshotsTooLarge.value
        result.snapshotsDelayed = snapshotsDelayed.value
        result.itemKeysForgotten = itemKeysForgotten.value
        result.framesDeferred = framesDeferred.value
        result.sessionsShed = shed.value
        result.holdsEnded = holdsEnded.value
        result.holdsBegun = holdsBegun.value
        result.latencies = latencies.map(\.value)
        result.latencySumMicroseconds = latencySum.value
        return result
    }
}
