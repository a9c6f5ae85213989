import RefreshProtocol
import Synchronization
import Testing
import WireContract

@testable import RefreshBroker

/// A worker in memory: keeps what it is sent, and answers by a rule.
final class ScriptedChannel: WorkerChannel {
    struct Told: Sendable {
        var messages: [String] = []
        var fault: WorkerMessageFault?
        var last: String?
    }

    private struct State {
        var told = Told()
        /// Nil until `join` has returned its name.
        var worker: WorkerID?
        /// What came before that.
        var early: [JSONValue] = []
    }

    /// Whatever a worker is sent in a test must be in the contract, and no more.
    private static let contract = MessageCheck(SchemaStyle(isClosed: true))

    private let all = Mutex(State())
    private let rule: @Sendable (ScriptedChannel, JSONValue) -> Void

    /// `rule` is called with every message once the worker has its name.
    init(_ rule: @escaping @Sendable (ScriptedChannel, JSONValue) -> Void = { _, _ in }) {
        self.rule = rule
    }

    var state: Told { all.withLock { $0.told } }

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
        Self.hold(text)
        guard let value = try? JSONValue(parsing: text) else {
            Issue.record("the daemon said what is no JSON")
            return
        }
        let isNamed = all.withLock { state in
            state.told.messages.append(text)
            if state.worker == nil { state.early.append(value) }
            return state.worker != nil
        }
        if isNamed { rule(self, value) }
    }

    func reject(_ fault: WorkerMessageFault) { all.withLock { $0.told.fault = fault } }

    func close(sending message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        Self.hold(text)
        all.withLock { $0.told.last = text }
    }

    private static func hold(_ text: String) {
        for finding in contract.violations(inFrame: text, from: .broker) {
            Issue.record("said what the contract does not know: \(finding)")
        }
    }
}
