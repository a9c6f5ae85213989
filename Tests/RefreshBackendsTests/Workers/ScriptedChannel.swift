import RefreshProtocol
import Synchronization
import Testing
import WireContract

@testable import RefreshBackends

/// A worker in memory. It records the messages that it receives, and answers them by a rule.
final class ScriptedChannel: WorkerChannel {
    struct Received: Sendable {
        var messages: [String] = []
        var fault: WorkerMessageFault?
        var last: String?
    }

    private struct State {
        var received = Received()
        /// The worker's id; nil until `register` has returned it.
        var worker: WorkerID?
        /// The messages that arrived before the id was known.
        var early: [JSONValue] = []
    }

    /// Checks that every message to a worker conforms to the contract and has no other fields.
    private static let contract = MessageCheck(SchemaStyle(isClosed: true))

    private let all = Mutex(State())
    private let rule: @Sendable (ScriptedChannel, JSONValue) -> Void

    /// Creates a worker. As soon as the worker has its id, `rule` is called with every message.
    init(_ rule: @escaping @Sendable (ScriptedChannel, JSONValue) -> Void = { _, _ in }) {
        self.rule = rule
    }

    var state: Received { all.withLock { $0.received } }

    var worker: WorkerID? {
        get { all.withLock { $0.worker } }
        set {
            let early = all.withLock { state in
                state.worker = newValue
                defer { state.early = [] }
                return state.early
            }
            for message in early { rule(self, message) }
        }
    }

    func send(_ message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        Self.check(text)
        guard let value = try? JSONValue(parsing: text) else {
            Issue.record("the broker sent invalid JSON")
            return
        }
        let isNamed = all.withLock { state in
            state.received.messages.append(text)
            if state.worker == nil { state.early.append(value) }
            return state.worker != nil
        }
        if isNamed { rule(self, value) }
    }

    func reject(_ fault: WorkerMessageFault) { all.withLock { $0.received.fault = fault } }

    func close(sending message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        Self.check(text)
        all.withLock { $0.received.last = text }
    }

    private static func check(_ text: String) {
        for finding in contract.violations(inFrame: text, from: .broker) {
            Issue.record("the message violates the contract: \(finding)")
        }
    }
}
