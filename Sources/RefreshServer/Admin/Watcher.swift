internal import RefreshSession
internal import Synchronization

/// The bounded queue of events of one watcher. A watcher is an operator's WebSocket connection that
/// receives the events of live sessions. Loops add events and never wait. The watcher's connection
/// removes them on its own loop.
///
///     LoopWatch -> enqueue -> Watcher -> wake -> mailbox of its loop -> dequeueFrame -> socket
package final class Watcher: Sendable {
    private struct State {
        var events: [[UInt8]] = []
        var bytes = 0
        /// The number of events lost since the queue became full.
        var lost = 0
        /// Whether `wake` was called and the queue has not been emptied since.
        var isNotified = false
    }

    /// The maximum number of bytes of events in the queue.
    static let waitingBytesMax = 262_144
    /// The maximum number of bytes of events in one frame. A longer event has a separate frame.
    static let frameBytesMax = 16_384
    /// The maximum number of events in one frame.
    static let frameEventsMax = 1024

    let filter: WatchFilter
    private let state = Mutex(State())
    /// The number of loops that do not send events yet.
    private let missingLoops: Atomic<Int>
    private let notifyConnection: @Sendable () -> Void

    /// `loops`: the number of loops that will send events. `wake` is called on any thread when an
    /// event is added to the empty queue.
    init(_ filter: WatchFilter, loops: Int, wake: @escaping @Sendable () -> Void) {
        self.filter = filter
        missingLoops = Atomic(loops)
        self.notifyConnection = wake
    }

    /// Records that one more loop sends events. Any thread may call it.
    func recordLoopJoined() {
        if missingLoops.subtract(1, ordering: .relaxed).newValue == 0 {
            enqueue(SessionEvent.watching)
        }
    }

    /// Adds an event; it is lost if the queue is full. Any thread may call it.
    func enqueue(_ event: [UInt8]) {
        let isFirst = state.withLock { state in
            // After a loss, later events are dropped too until the loss is reported, so that the
            // order is kept.
            if state.lost > 0 || state.bytes + event.count > Self.waitingBytesMax {
                state.lost += 1
            } else {
                state.bytes += event.count
                state.events.append(event)
            }
            defer { state.isNotified = true }
            return !state.isNotified
        }
        if isFirst { notifyConnection() }
    }

    /// Returns the next frame: one event, or an array of several events. Nil if there is nothing to
    /// send.
    func dequeueFrame() -> [UInt8]? { dequeueEvents().map { Self.frame($0[...]) } }

    /// Returns the events of the next frame. After the last queued event, an event reports how many
    /// events were lost. Nil if there is nothing to send.
    func dequeueEvents() -> [[UInt8]]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                guard state.lost > 0 else {
                    state.isNotified = false
                    return nil
                }
                defer { state.lost = 0 }
                return [SessionEvent.lost(state.lost)]
            }
            var count = 1
            var bytes = state.events[0].count
            while count < state.events.count, count < Self.frameEventsMax,
                bytes + state.events[count].count <= Self.frameBytesMax
            {
                bytes += state.events[count].count
                count += 1
            }
            state.bytes -= bytes
            defer { state.events.removeFirst(count) }
            return Array(state.events[..<count])
        }
    }

    private static func frame(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        if events.count == 1, let event = events.first { return event }
        return [0x5B] + events.joined(separator: [0x2C]) + [0x5D]
    }
}
