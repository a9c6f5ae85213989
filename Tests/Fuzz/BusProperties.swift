import Foundation
import RefreshProtocol

@testable import RefreshBroker
@testable import RefreshCluster

/// The properties of every message of the bus: a message of another node, an entry of a session, or
/// an answer of JetStream.
enum BusProperties {
    private static let own = NodeID(bits: 1)
    private static let other = NodeID(bits: 2)
    /// The time for which the machines run after the message, in milliseconds, and the maximum
    /// number of their deadlines in this time.
    private static let (lifeMs, deadlinesMax) = (5000.0, 200)

    private static let reports = ChangeReader(
        feeds: ["news": .init(itemKey: JSONPointer("/id"), parameters: ["q"])],
        hashedBy: SipHash(key: 1, 2))

    static func check(_ input: [UInt8]) {
        checkMessage(input)
        checkMachine(input)
        checkEntry(input)
        checkFence(input)
    }

    // MARK: - Messages of nodes

    private static func message(
        _ input: [UInt8]
    ) -> Result<BusMessage, BusMessageDrop> {
        do throws(BusMessageDrop) {
            return .success(try BusMessage(reading: input, reports: reports))
        } catch {
            return .failure(error)
        }
    }

    private static func checkMessage(_ input: [UInt8]) {
        let result = message(input)
        require(message(input) == result, "the same message is read equally twice")
        guard case .success(let message) = result else { return }
        guard let bytes = message.bytes else {
            // Escapes and integers can be longer in the form in which they are written.
            return require(
                input.count > BusMessageLimits.headBytesMax / 8, "a short message can be written")
        }
        require(
            Self.message(bytes) == .success(message), "a written message is read as it was before")
    }

    /// A node that knows another one, has asked it for a load, and is asked by it.
    private static func machine() -> ClusterMachine {
        var machine = ClusterMachine(own: own, name: "web-1", version: "1.0.0", seed: 7)
        let request = LoadRequest(feed: "news", kind: .refresh, page: 1, offset: 0, size: 20)
        let load = AskedLoad(request, idempotencyKey: "k", keptPages: .any, deadlineMs: 4000)
        let state = NodeState(name: "web-2", version: "1.0.0", changes: ["news": 3])
        var effects: [ClusterMachine.Effect] = []
        for event: ClusterMachine.Event in [
            .feeds(["news"]), .changeReader(reports), .connected,
            .received(BusMessage(from: other, .state(state)).bytes ?? []),
            .received(BusMessage(from: other, .load(load, number: 1)).bytes ?? []),
            .ask(
                other,
                RemoteOrder(
                    id: CallID(1), request, idempotencyKey: "k", keptPages: .any,
                    deadline: Instant(milliseconds: 4000))),
            .list(after: nil, id: 1), .watch(EventSelection(), id: 1),
        ] {
            machine.handle(event, at: .origin, into: &effects)
        }
        return machine
    }

    private static func checkMachine(_ input: [UInt8]) {
        var machine = machine()
        let before = machine.counters
        var effects: [ClusterMachine.Effect] = []
        machine.handle(.received(input), at: Instant(milliseconds: 1), into: &effects)
        let received = total(machine.counters.received) - total(before.received)
        let dropped = total(machine.counters.dropped) - total(before.dropped)
        switch message(input) {
        case .failure(let reason):
            require(
                received == 0 && dropped == 1
                    && machine.counters.dropped[reason] == (before.dropped[reason] ?? 0) + 1,
                "a message that cannot be read is counted once, with its reason")
            require(effects.isEmpty, "a message that cannot be read has no effect")
        case .success(let message):
            let isOwn = message.sender == own
            require(dropped == 0 && received == (isOwn ? 0 : 1), "a message is counted once")
            require(!isOwn || effects.isEmpty, "a message from this node has no effect")
        }
        run(until: lifeMs) {
            machine.nextDeadline
        } advance: { now in
            machine.handle(.clockAdvanced, at: now, into: &effects)
        }
    }

    private static func total<Key>(_ counts: [Key: Int]) -> Int { counts.values.reduce(0, +) }

    /// Lets a machine handle its deadlines.
    private static func run(
        until endMs: Double, _ nextDeadline: () -> Instant?, advance: (Instant) -> Void
    ) {
        var count = 0
        while let next = nextDeadline(), next <= Instant(milliseconds: endMs) {
            advance(next)
            count += 1
            require(count <= deadlinesMax, "the deadlines of five seconds come to an end")
        }
    }

    // MARK: - Entries and answers of the store

    private static func checkEntry(_ input: [UInt8]) {
        let entry = StoredHead(reading: input)
        require(StoredHead(reading: input) == entry, "the same entry is read equally twice")
        if let entry {
            require(
                StoredHead(reading: entry.bytes) == entry,
                "a written entry is read as it was before")
        }
        require(
            StoreAnswer(reading: input) == StoreAnswer(reading: input),
            "the same answer is read equally twice")
    }

    private static let head = SessionHead(ResumeHistory([.init("a", 1)]), received: 1)

    /// Gives the input to a fence as the answer to its first, second and third request, and as the
    /// message about an entry.
    private static func checkFence(_ input: [UInt8]) {
        guard let head else { return }
        let entry = StoredHead(node: other, head).bytes
        for number in 0..<3 {
            var fence = SessionFence(
                own: own, store: HeadStore(cluster: "web", own: own, lifetimeMs: 60_000))
            var effects: [SessionFence.Effect] = []
            var replies = 0
            fence.handle(.connected, at: .origin, into: &effects)
            fence.handle(
                .claim(1, session: "s", head, askedAt: .origin), at: .origin, into: &effects)
            while replies <= number, let message = sent(effects, after: replies) {
                let answer = replies == number ? input : replies == 0 ? bucket : found(entry)
                replies += 1
                guard let arrival = fence.store.arrival(on: message.replySubject) else { continue }
                fence.handle(.received(arrival, answer), at: .origin, into: &effects)
            }
            fence.handle(
                .received(.entry(session: "s"), input), at: .origin, into: &effects)
            run(until: lifeMs) {
                fence.nextDeadline
            } advance: { now in
                fence.handle(.clockAdvanced, at: now, into: &effects)
            }
            let answers = effects.count { if case .answer = $0 { true } else { false } }
            require(answers == 1, "a claim has one answer")
        }
    }

    /// The message to the store that follows these ones.
    private static func sent(
        _ effects: [SessionFence.Effect], after count: Int
    ) -> HeadStore.Message? {
        effects.lazy.compactMap { if case .send(let message) = $0 { message } else { nil } }
            .dropFirst(count).first
    }

    private static let bucket = Array(
        #"{"created":"2026-11-30T00:00:00Z","state":{"last_seq":5}}"#.utf8)

    private static func found(_ entry: [UInt8]) -> [UInt8] {
        let text = Data(entry).base64EncodedString()
        return Array(
            #"{"message":{"subject":"$KV.refreshd_web.s","seq":5,"data":"\#(text)"}}"#.utf8)
    }
}
