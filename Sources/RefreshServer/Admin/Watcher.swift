internal import Synchronization

/// Somebody who watches sessions: what waits for him, bounded. Loops tell him of events and never
/// wait; he takes them on the loop of his connection.
///
///     LoopWatch -> tell -> Watcher -> wake -> mailbox of his loop -> take -> socket
package final class Watcher: Sendable {
    private struct State {
        var events: [[UInt8]] = []
        var bytes = 0
        /// Events since `events` was full.
        var lost = 0
        /// Whether he was woken and has not taken all yet.
        var isAwake = false
    }

    /// Bytes of events that may wait for one watcher.
    static let waitingBytesMax = 262_144
    /// Bytes of events in one frame; one that is longer stands alone.
    static let frameBytesMax = 16_384

    let filter: WatchFilter
    private let state = Mutex(State())
    /// Loops that do not tell him yet.
    private let absent: Atomic<Int>
    private let wake: @Sendable () -> Void

    /// `loops`: how many will tell him of events; `wake` is called on any thread when there is
    /// something to take again.
    init(_ filter: WatchFilter, loops: Int, wake: @escaping @Sendable () -> Void) {
        self.filter = filter
        absent = Atomic(loops)
        self.wake = wake
    }

    /// One loop more tells him of what happens. From any thread.
    func begun() {
        if absent.subtract(1, ordering: .relaxed).newValue == 0 { tell(SessionEvent.watching) }
    }

    /// Something has happened; lost if too much waits. From any thread.
    func tell(_ event: [UInt8]) {
        let isFirst = state.withLock { state in
            // What comes behind a loss is lost as well until that is told, so that all stands in
            // order.
            if state.lost > 0 || state.bytes + event.count > Self.waitingBytesMax {
                state.lost += 1
            } else {
                state.bytes += event.count
                state.events.append(event)
            }
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if isFirst { wake() }
    }

    /// The next frame: one event, or an array of some; nil when nothing waits.
    func take() -> [UInt8]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                guard state.lost > 0 else {
                    state.isAwake = false
                    return nil
                }
                defer { state.lost = 0 }
                return SessionEvent.lost(state.lost)
            }
            var count = 1
            var bytes = state.events[0].count
            while count < state.events.count,
                bytes + state.events[count].count <= Self.frameBytesMax
            {
                bytes += state.events[count].count
                count += 1
            }
            state.bytes -= bytes
            defer { state.events.removeFirst(count) }
            return Self.frame(state.events[..<count])
        }
    }

    private static func frame(_ events: ArraySlice<[UInt8]>) -> [UInt8] {
        if events.count == 1, let event = events.first { return event }
        return [0x5B] + events.joined(separator: [0x2C]) + [0x5D]
    }
}
