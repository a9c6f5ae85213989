import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// A bus in memory, with one worker that a test scripts.
private final class ScriptedBus: WorkerBus {
    typealias Script =
        @Sendable (_ load: JSONValue, _ offer: LoadOfferID, _ feed: String) -> Bool

    /// The maximum size of a load in bytes.
    let bytesMax: Int
    /// Receives each load. Returns false if the message cannot be sent.
    private let script: Script
    private let sent = Mutex<[(text: String, worker: BusWorkerID)]>([])

    init(bytesMax: Int = .max, _ script: @escaping Script) {
        self.bytesMax = bytesMax
        self.script = script
    }

    /// The messages to workers so far.
    var messages: [(text: String, worker: BusWorkerID)] { sent.withLock { $0 } }

    func offer(
        _ load: [UInt8], as id: LoadOfferID, feed: String, isEdit: Bool
    ) -> OfferDelivery {
        guard load.count <= bytesMax else { return .tooLarge }
        guard let value = try? JSONValue(parsing: load) else {
            Issue.record("a load is not JSON")
            return .notSent
        }
        #expect(value["id"]?.string == String(id.number))
        return script(value, id, feed) ? .sent : .notSent
    }

    func send(_ message: [UInt8], to worker: BusWorkerID) {
        sent.withLock { $0.append((String(decoding: message, as: UTF8.self), worker)) }
    }
}

/// The backend `worker` with workers on a simulated bus.
@Suite("worker: on the bus", .limit)
struct BusWorkerBackendTests {
    private let notices = FeedNotices()
    private let backend: WorkerBackend
    private let ada = BusWorkerID(bits: 1)

    init() throws {
        var options = WorkerOptions(feeds: ["songs", "films"])
        options.busFeeds = ["songs"]
        options.lineBytesMax = 1024
        backend = try WorkerBackend(options, notices: notices)
    }

    private func connect(
        bytesMax: Int = .max, _ script: @escaping ScriptedBus.Script
    ) -> ScriptedBus {
        let bus = ScriptedBus(bytesMax: bytesMax, script)
        backend.connect(to: bus)
        backend.handle(.connected)
        return bus
    }

    private func load(
        _ id: UInt64 = 1, withinMs: Double = 60_000,
        report: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(LoadFailure) -> String {
        let request = LoadRequest(feed: "songs", kind: .refresh, page: 1, offset: 0, size: 10)
        let page = try await backend.load(
            BackendCall(
                id: CallID(id), request, idempotencyKey: "k", attempt: 3,
                deadline: MonotonicTime.now.advanced(byMilliseconds: withinMs), report: report))
        return String(decoding: page.items, as: UTF8.self)
    }

    private func code(_ id: UInt64 = 1, withinMs: Double = 60_000) async -> FaultCode? {
        do throws(LoadFailure) {
            _ = try await load(id, withinMs: withinMs)
            return nil
        } catch {
            return error.code
        }
    }

    private func answer(_ text: String, to offer: LoadOfferID, from worker: BusWorkerID? = nil) {
        let line = text.replacing("ID", with: String(offer.number))
        backend.handle(.answer(Array(line.utf8), to: offer, from: worker ?? ada))
    }

    @Test("A worker on the bus answers a load with the messages of the line protocol")
    func answers() async throws {
        defer { backend.stop() }
        let reports = Mutex<[Double]>([])
        let bus = connect { load, offer, feed in
            #expect(feed == "songs")
            #expect(load["type"]?.string == "load")
            #expect(load["key"]?.string == "k")
            #expect(load["attempt"]?.number == 3)
            answer(#"{"type":"progress","id":"ID","progress":0}"#, to: offer)
            answer(#"{"type":"progress","id":"ID","progress":0.5}"#, to: offer)
            answer(#"{"type":"page","id":"ID","items":[1,2],"more":false}"#, to: offer)
            return true
        }
        let items = try await load { value in reports.withLock { $0.append(value) } }
        #expect(items == "[1,2]")
        #expect(reports.withLock { $0 } == [0.5])
        #expect(bus.messages.isEmpty)
        await eventually("it is counted") { backend.counters.offers == [.taken: 1] }
    }

    @Test("If a load cannot be sent, or there is no worker, it is offered again with its attempt")
    func noWorker() async throws {
        defer { backend.stop() }
        let count = Mutex(0)
        let bus = connect { load, offer, _ in
            #expect(load["attempt"]?.number == 3)
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: return false
            case 2: backend.handle(.noWorker(offer))
            default: answer(#"{"type":"page","id":"ID","items":[]}"#, to: offer)
            }
            return true
        }
        #expect(try await load() == "[]")
        await eventually("all are counted") {
            backend.counters.offers == [.noWorker: 2, .taken: 1]
        }
        #expect(bus.messages.isEmpty)
    }

    @Test("A load without a worker on the bus ends as unavailable")
    func unavailable() async {
        defer { backend.stop() }
        let bus = connect { _, offer, _ in
            backend.handle(.noWorker(offer))
            return true
        }
        #expect(await code(withinMs: 1000) == .backendUnavailable)
        #expect(bus.messages.isEmpty)
    }

    @Test("A load that is larger than the bus accepts ends at once")
    func tooLarge() async {
        defer { backend.stop() }
        let bus = connect(bytesMax: 10) { _, _, _ in true }
        #expect(await code() == .backendUnavailable)
        #expect(backend.counters.offers == [:])
        #expect(bus.messages.isEmpty)
    }

    @Test("If its worker is silent, a load goes to another one, with the next attempt and its key")
    func silence() async throws {
        defer { backend.stop() }
        let keys = Mutex<[String?]>([])
        let bob = BusWorkerID(bits: 2)
        let bus = connect { load, offer, _ in
            keys.withLock { $0.append(load["key"]?.string) }
            if load["attempt"]?.number == 3 {
                answer(#"{"type":"progress","id":"ID","progress":0}"#, to: offer)
            } else {
                #expect(load["attempt"]?.number == 4)
                answer(#"{"type":"page","id":"ID","items":[4]}"#, to: offer, from: bob)
            }
            return true
        }
        #expect(try await load() == "[4]")
        #expect(keys.withLock { $0 } == ["k", "k"])
        #expect(bus.messages.count == 1)
        #expect(bus.messages.first?.worker == ada)
        #expect(bus.messages.first?.text.hasPrefix(#"{"type":"cancel","id":""#) == true)
        await eventually("all are counted") { backend.counters.offers == [.taken: 2, .lost: 1] }
    }

    @Test(
        "A message that is not understood fails the load",
        arguments: [
            (#"{"type":"page","id":"ID","items":{}}"#, FaultCode.backendAnswerMalformed),
            (#"{"type":"page","id":"1","items":[]}"#, .backendAnswerMalformed),
            (#"{"type":"page","id":"ID","items":[""#, .backendAnswerMalformed),
            ("\u{0}", .backendAnswerMalformed),
            (String(repeating: " ", count: 2000), .backendAnswerTooLarge),
        ])
    func faults(_ text: String, _ expected: FaultCode) async {
        defer { backend.stop() }
        let bus = connect { _, offer, _ in
            answer(text, to: offer)
            return true
        }
        #expect(await code() == expected)
        #expect(bus.messages.isEmpty)
    }

    @Test("Messages of other workers, about other loads, or without a worker are dropped")
    func foreign() async throws {
        defer { backend.stop() }
        let bus = connect { _, offer, _ in
            answer(#"{"type":"progress","id":"ID","progress":0}"#, to: offer)
            answer(#"{"type":"page","id":"ID","items":[2]}"#, to: offer, from: BusWorkerID(bits: 2))
            answer("garbage", to: offer, from: BusWorkerID(bits: 2))
            let other = LoadOfferID(offer.number ^ 1)
            answer(#"{"type":"page","id":"ID","items":[3]}"#, to: other)
            let page = #"{"type":"page","id":"\#(offer.number)","items":[4]}"#
            backend.handle(.answer(Array(page.utf8), to: offer, from: nil))
            answer(page, to: offer)
            return true
        }
        #expect(try await load() == "[4]")
        await eventually("they are counted") { backend.counters.droppedBusMessages == 4 }
        #expect(bus.messages.isEmpty)
    }

    @Test("Of several backends, the one that has made the offer receives the answer")
    func severalBackends() async throws {
        var options = WorkerOptions(feeds: ["songs"])
        options.busFeeds = ["songs"]
        let next = try WorkerBackend(options, notices: notices)
        @Sendable func pass(_ text: String, to offer: LoadOfferID) {
            let line = text.replacing("ID", with: String(offer.number))
            WorkerBackend.pass(
                .answer(Array(line.utf8), to: offer, from: ada), to: [backend, next])
        }
        let unknown = #"{"type":"page","id":"ID","items":[2]}"#
        let bus = connect { _, offer, _ in
            pass(#"{"type":"progress","id":"ID","progress":0}"#, to: offer)
            pass(unknown, to: LoadOfferID(offer.number ^ 1))
            pass(#"{"type":"page","id":"ID","items":[1]}"#, to: offer)
            return true
        }
        #expect(try await load() == "[1]")
        backend.stop()
        // A backend that has stopped is left out.
        pass(unknown, to: LoadOfferID(1))
        next.stop()
        #expect(backend.counters.droppedBusMessages == 0)
        #expect(next.counters.droppedBusMessages == 2)
        #expect(bus.messages.isEmpty)
    }

    @Test("If a load is not needed any more, its worker receives `cancel`")
    func cancel() async throws {
        defer { backend.stop() }
        let isTaken = Mutex(false)
        let bus = connect { _, offer, _ in
            answer(#"{"type":"progress","id":"ID","progress":0}"#, to: offer)
            isTaken.withLock { $0 = true }
            return true
        }
        let task = Task { await code() }
        await eventually("the load is taken") {
            isTaken.withLock { $0 } && backend.counters.running == 1
        }
        task.cancel()
        await eventually("the load is cancelled") { bus.messages.count == 1 }
        #expect(bus.messages.first?.worker == ada)
        _ = await task.value
    }

    @Test("A change is announced if its feed is the one of the subject and has workers on the bus")
    func changes() async {
        let announced = Mutex<[FeedChange]>([])
        notices.setListener { change in announced.withLock { $0.append(change) } }
        backend.handle(.change(Array(#"{"type":"changed","feed":"films"}"#.utf8), feed: "songs"))
        backend.handle(.change(Array(#"{"type":"changed","feed":"films"}"#.utf8), feed: "films"))
        backend.handle(.change(Array("[]".utf8), feed: "songs"))
        backend.handle(
            .change(Array(#"{"type":"changed","feed":"songs","count":2}"#.utf8), feed: "songs"))
        await eventually("the change is announced") { announced.withLock { !$0.isEmpty } }
        #expect(announced.withLock { $0 } == [FeedChange("songs", count: NewerCount(2))])
        await eventually("the others are counted") { backend.counters.droppedBusMessages == 3 }
    }

    @Test("More than 64 MiB of waiting messages are dropped and counted")
    func backlog() {
        let backlog = BusBacklog()
        var accepted = 0
        while backlog.add(1 << 20) { accepted += 1 }
        #expect(accepted == 63)
        #expect(backlog.droppedCount == 1)
        backlog.remove(1 << 20)
        #expect(backlog.add(1 << 20))
    }

    @Test("A backend that has been stopped accepts no input of the bus")
    func stopped() {
        backend.stop()
        #expect(!backend.handle(.connected))
    }
}
