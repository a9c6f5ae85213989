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
    /// Handlers that are stopped wait for this condition.
    private let opened = NSCondition()

    func handle(_ event: BusEvent) {
        opened.withLock { while state.withLock({ $0.isBlocked }) { opened.wait() } }
        state.withLock { state in
            if case .received(let bytes, _, _) = event, bytes.count > 1000 {
                state.large += 1
            } else {
                state.events.append(event)
            }
        }
    }

    func block() { state.withLock { $0.isBlocked = true } }
    func open() {
        opened.withLock {
            state.withLock { $0.isBlocked = false }
            opened.broadcast()
        }
    }

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
    var isDisconnected: Bool {
        events.contains { if case .disconnected = $0 { true } else { false } }
    }
    var largeMessages: Int { state.withLock { $0.large } }
}
