import Foundation
import MessageBus
import Synchronization

/// A handler of events that a test can stop and continue.
final class Gate: Sendable {
    private struct State: Sendable {
        var events: [BusEvent] = []
        var large = 0
        var isBlocked = false
    }

    private let state = Mutex(State())

    func handle(_ event: BusEvent) {
        while state.withLock({ $0.isBlocked }) { usleep(1000) }
        state.withLock { state in
            if case .received(let bytes, _) = event, bytes.count > 1000 {
                state.large += 1
            } else {
                state.events.append(event)
            }
        }
    }

    func block() { state.withLock { $0.isBlocked = true } }
    func open() { state.withLock { $0.isBlocked = false } }

    /// All events but large messages.
    var events: [BusEvent] { state.withLock { $0.events } }

    var isConnected: Bool {
        events.contains { if case .connected = $0 { true } else { false } }
    }
    var messages: Int {
        events.count { if case .received = $0 { true } else { false } }
    }
    var failures: [String] {
        events.compactMap { if case .failed(let reason) = $0 { reason } else { nil } }
    }
    var largeMessages: Int { state.withLock { $0.large } }
}
