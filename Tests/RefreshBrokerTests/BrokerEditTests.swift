import BrokerBench
import Foundation
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// A backend that answers each edit with `answer`.
private final class EditingBackend: Backend {
    private let answer: @Sendable (EditCall) -> Result<[UInt8]?, LoadFailure>

    init(_ answer: @escaping @Sendable (EditCall) -> Result<[UInt8]?, LoadFailure>) {
        self.answer = answer
    }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page { .of(1) }

    func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        try answer(call).get()
    }
}

/// A backend whose edits end when the test lets them.
private final class HeldBackend: Backend {
    private let state = Mutex<(calls: Int, waiting: [CheckedContinuation<Void, Never>])>((0, []))

    var calls: Int { state.withLock { $0.calls } }

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page { .of(1) }

    func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.calls += 1
                $0.waiting.append(continuation)
            }
        }
        return nil
    }

    func release() {
        for continuation in state.withLock({ $0.waiting }) { continuation.resume() }
        state.withLock { $0.waiting = [] }
    }
}

/// Source: docs/backends.md, "Edits".
@Suite("Edits on the broker's thread")
struct BrokerEditTests {
    private enum Notice: Hashable, Sendable {
        case outcome(EditOutcome)
        case change(FeedChange)
    }

    private static let hash = SipHash(key: 1, 2)

    /// Performs an edit and returns its outcome and the reported change, in their order.
    private func perform(
        _ edit: EditRequest, isShared: Bool = false, forwardsHeaders: Bool = false,
        _ answer: Result<[UInt8]?, LoadFailure>
    ) -> [Notice] {
        perform(edit, isShared: isShared, forwardsHeaders: forwardsHeaders) { _ in answer }
    }

    private func perform(
        _ edit: EditRequest, isShared: Bool = false, forwardsHeaders: Bool = false,
        attempts: Int = 1, answer: @escaping @Sendable (EditCall) -> Result<[UInt8]?, LoadFailure>
    ) -> [Notice] {
        var policy = FeedPolicy.editable
        policy.isShared = isShared
        policy.forwardsHeaders = forwardsHeaders
        let notices = FeedNotices()
        let log = NoticeLog()
        notices.setListener { change in log.add(.change(change)) }
        let backend = EditingBackend(answer)
        var calls = BackendPolicy()
        calls.retry.attempts = attempts
        let broker = Broker<Int>(
            plan: BrokerPlan(
                feeds: ["list": .init(backend, group: "list", policy: policy)],
                backends: ["list": calls]),
            seed: 1, itemHash: Self.hash, notices: notices
        ) { _, _ in }
        let ending = DispatchSemaphore(value: 0)
        broker.edit(edit, deadlineMs: 120_000) { outcome in
            log.add(.outcome(outcome))
            ending.signal()
        }
        #expect(ending.wait(timeout: .now() + .seconds(30 * patience)) == .success)
        broker.stop()
        let ended = broker.counters.edits["list"] ?? [:]
        #expect(ended.values.reduce(0, +) == 1, "the edit is not counted once")
        return log.all
    }

    private final class NoticeLog: Sendable {
        private let notices = Mutex<[Notice]>([])
        var all: [Notice] { notices.withLock { $0 } }
        func add(_ notice: Notice) { notices.withLock { $0.append(notice) } }
    }

    @Test("A confirmed edit is reported as a change after its outcome", arguments: [false, true])
    func confirmed(isShared: Bool) {
        var edit = EditRequest.insert("a", subject: "ada")
        edit.sequence = "view"
        var change = FeedChange(
            "list", count: NewerCount(1),
            items: [ItemChange(subject: isShared ? nil : "ada", [edit.operation])])
        change.reporter = "edits of view"
        #expect(
            perform(edit, isShared: isShared, .success(nil))
                == [.outcome(.confirmed), .change(change)])
    }

    @Test("A change is marked if an earlier attempt may have made it")
    func repeatedAttempt() {
        for (code, isRepeated) in [(FaultCode.backendFailed, true), (.backendBusy, false)] {
            let notices = perform(.insert("a"), attempts: 2) { call in
                call.attempt == 1
                    ? .failure(LoadFailure(code, "no", retryAfterMs: 1)) : .success(nil)
            }
            guard case .change(let change)? = notices.last else {
                Issue.record("no change was reported")
                continue
            }
            #expect(change.isRepeated == isRepeated, "\(code)")
        }
    }

    @Test(
        "If answers can differ by forwarded headers, an edit is a change without operations",
        arguments: [false, true])
    func forwardedHeaders(isShared: Bool) {
        var edit = EditRequest.insert("a", subject: "ada")
        edit.headers = [HeaderField(name: "x-tenant", value: "one")]
        guard case .change(let change)? = perform(edit, isShared: isShared, .success(nil)).last
        else {
            Issue.record("no change was reported")
            return
        }
        #expect((change.items == nil) == !isShared)
        #expect(change.count == NewerCount(1))
    }

    @Test("The sessions of a feed that forwards headers get no item of a session without headers")
    func headerOfOthers() {
        let edit = EditRequest.insert("a")
        for (isShared, isPublic) in [(false, false), (true, true)] {
            let notices = perform(
                edit, isShared: isShared, forwardsHeaders: true, .success(nil))
            guard case .change(let change)? = notices.last else {
                Issue.record("no change was reported")
                continue
            }
            #expect((change.items != nil) == isPublic && change.count == NewerCount(1))
        }
    }

    @Test("A returned item takes the place of the edit's item")
    func replaced() throws {
        let edit = EditRequest.insert("a")
        let text = Array(#"{"id": 7}"#.utf8)
        let item = EditedItem(
            ItemOperation.Key(Array("7".utf8), hashedBy: Self.hash), text, hashedBy: Self.hash)
        let notices = perform(edit, .success(text))
        #expect(notices.first == .outcome(.replaced(item)))
        guard case .change(let change)? = notices.last else {
            Issue.record("no change was reported")
            return
        }
        let operation = try #require(change.items?.first?.operations.first)
        #expect(operation.kind == .insert && operation.place == .start)
        #expect(operation.key == item.key && operation.item == text)
    }

    @Test(
        "An item without a plain key at `itemKey` is malformed, and a change is reported",
        arguments: [#"{"key":1}"#, #"{"id":"\u0061"}"#, #"{"id":1.5}"#, #"{"id":null}"#])
    func badItem(text: String) {
        let notices = perform(.insert("a"), .success(Array(text.utf8)))
        guard case .outcome(.unknown(let failure))? = notices.first else {
            Issue.record("the outcome is not unknown: \(notices)")
            return
        }
        #expect(failure.code == .backendAnswerMalformed)
        #expect(Array(notices.dropFirst()) == [.change(FeedChange("list"))])
    }

    @Test(
        "An edit that the backend may have performed is a change without operations",
        arguments: [FaultCode.backendTimedOut, .backendFailed, .backendAnswerTooLarge])
    func unknown(code: FaultCode) {
        let failure = LoadFailure(code, "no")
        #expect(
            perform(.insert("a", subject: "ada"), .failure(failure))
                == [.outcome(.unknown(failure)), .change(FeedChange("list"))])
    }

    @Test("After a reload, an edit is refused if its item has another key")
    func otherItemKey() {
        var policy = FeedPolicy.editable
        let insert = EditRequest.insert("a").operation
        #expect(policy.accepts(insert))
        policy.itemKey = JSONPointer("/name")
        #expect(!policy.accepts(insert))
        policy.itemKey = JSONPointer("/id")
        policy.edits = [.remove]
        #expect(!policy.accepts(insert))
        var remove = insert
        remove.kind = .remove
        remove.item = []
        #expect(policy.accepts(remove))
    }

    @Test("A failed edit changes nothing")
    func failed() {
        let failure = LoadFailure(.backendRejected, "no")
        #expect(perform(.insert("a"), .failure(failure)) == [.outcome(.failed(failure))])
    }

    @Test("An edit that waits for its call while the configuration is reloaded is checked again")
    func reloaded() {
        let backend = HeldBackend()
        func plan(_ edits: Set<ItemOperation.Kind>) -> BrokerPlan {
            var policy = FeedPolicy.editable
            policy.edits = edits
            return BrokerPlan(feeds: ["list": .init(backend, group: "list", policy: policy)])
        }
        let broker = Broker<Int>(plan: plan([.insert]), seed: 1, itemHash: Self.hash) { _, _ in }
        let log = NoticeLog()
        let ending = DispatchSemaphore(value: 0)
        for key in ["a", "b"] {
            var edit = EditRequest.insert(key)
            edit.sequence = "view"
            broker.edit(edit, deadlineMs: 120_000) { outcome in
                log.add(.outcome(outcome))
                ending.signal()
            }
        }
        broker.apply(plan([.remove]))
        let barrier = DispatchSemaphore(value: 0)
        broker.enqueueBarrier { barrier.signal() }
        #expect(barrier.wait(timeout: .now() + .seconds(30 * patience)) == .success)
        backend.release()
        for _ in 0..<2 {
            #expect(ending.wait(timeout: .now() + .seconds(30 * patience)) == .success)
        }
        broker.stop()
        #expect(log.all == [.outcome(.confirmed), .outcome(.failed(.editNotAccepted))])
        #expect(backend.calls == 1)
    }

    @Test("An item with another key replaces the item that was updated or moved")
    func otherKey() {
        var edit = EditRequest.insert("a")
        let key = ItemOperation.Key(Array("7".utf8), hashedBy: Self.hash)
        let item = EditedItem(key, Array(#"{"id":7}"#.utf8), hashedBy: Self.hash)
        let old = edit.operation.key
        edit.operation.kind = .update
        edit.operation.place = nil
        #expect(edit.operations(replacedBy: item).map(\.kind) == [.insert, .remove])
        #expect(edit.operations(replacedBy: item).first?.place == .after(old))
        edit.operation.kind = .move
        edit.operation.place = .end
        #expect(edit.operations(replacedBy: item).map(\.kind) == [.move, .insert, .remove])
        edit.operation.place = nil
        edit.operation.kind = .refresh
        #expect(edit.operations(replacedBy: item).map(\.kind) == [.insert, .remove])
        let gone = edit.operations(replacedBy: nil)
        #expect(gone.map(\.kind) == [.remove] && gone.first?.key == old)
        edit.operation.kind = .remove
        #expect(edit.operations(replacedBy: item) == [edit.operation])
    }

    @Test("An outcome is equal to itself after encoding and decoding")
    func codable() throws {
        let key = ItemOperation.Key(Array("7".utf8), hashedBy: Self.hash)
        for outcome in [
            EditOutcome.confirmed, .cancelled,
            .replaced(EditedItem(key, Array(#"{"id":7}"#.utf8), hashedBy: Self.hash)),
            .failed(LoadFailure(.backendBusy, "no", retryAfterMs: 5)),
            .failed(LoadFailure(.backendFailed, "no")),
            .unknown(LoadFailure(.backendTimedOut, "no", retryAfterMs: 7)),
        ] {
            let data = try JSONEncoder().encode(outcome)
            #expect(try JSONDecoder().decode(EditOutcome.self, from: data) == outcome)
        }
    }

    @Test("After the broker has stopped, an edit ends as cancelled")
    func stopped() {
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: [:]), seed: 1, itemHash: Self.hash
        ) { _, _ in }
        broker.stop()
        let log = NoticeLog()
        broker.edit(.insert("a"), deadlineMs: 1000) { log.add(.outcome($0)) }
        #expect(log.all == [.outcome(.cancelled)])
    }
}
