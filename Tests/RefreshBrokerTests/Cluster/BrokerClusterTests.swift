import BrokerBench
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// The broker with its thread, in a cluster. The owner of a request is the node that performs it
/// for all nodes.
@Suite("The broker on its thread, in a cluster")
struct BrokerClusterTests {
    private let backend = ScriptedBackend()
    private let log = OutcomeLog()
    private let link = RecordingLink()
    private let load = RemoteLoadID(node: .second, number: 1)

    private func makeBroker(_ policy: FeedPolicy = FeedPolicy()) -> Broker<Int> {
        let feed = BrokerPlan.Feed(backend, group: "list", policy: policy)
        let broker = Broker<Int>(
            plan: BrokerPlan(feeds: ["list": feed]), seed: 1, itemHash: SipHash(key: 1, 2),
            deliver: log.deliver)
        broker.connect(to: link)
        return broker
    }

    private func start(_ broker: Broker<Int>, _ load: RemoteLoadID, feed: String = "list") {
        broker.start(
            BrokerRequest(.page(1, feed: feed), idempotencyKey: "remote"), for: load,
            deadlineMs: 120_000)
    }

    // MARK: - Asking

    @Test("The broker asks the owner, and delivers the owner's page")
    func asking() async {
        let broker = makeBroker()
        broker.apply(RequestOwners.list(ownedBy: .second))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the owner is asked") { link.orders.count == 1 }
        let order = link.orders[0]
        #expect(link.asked == [.second])
        #expect(order.request == .page(1) && order.idempotencyKey == "key")
        broker.handle(.waiting, of: order.id)
        broker.handle(.page(.of(2), RemainingLifetime(freshMs: 0, coolDownMs: 0)), of: order.id)
        await eventually("the page is delivered") { log.all == [1: .page(.of(2))] }
        #expect(backend.begun.isEmpty)
        broker.handle(.waiting, of: order.id)
        await eventually("a late event is counted") { broker.counters.lateOwnerEvents == 1 }
        #expect(broker.counters.feeds["list"]?.asks.ended == [.page: 1])
        broker.stop()
        #expect(link.withdrawn.isEmpty)
    }

    @Test("A load that is cancelled withdraws its ask, and a refused ask becomes a call")
    func withdrawing() async {
        let broker = makeBroker()
        broker.apply(RequestOwners.list(ownedBy: .second))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        broker.cancel(1)
        await eventually("the ask is withdrawn") { link.withdrawn == [CallID(1)] }
        broker.start(.page(1), for: 2, deadlineMs: 120_000)
        await eventually("the owner is asked again") { link.orders.count == 2 }
        broker.handle(.refused(.stopping), of: link.orders[1].id)
        await eventually("the backend is called") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(3)))
        await eventually("the page is delivered") { log.all[2] == .page(.of(3)) }
        broker.stop()
    }

    @Test("The keys of an owner's items are read with the secret key of this node")
    func itemKeys() async throws {
        var policy = FeedPolicy()
        let pointer = try #require(JSONPointer("/id"))
        policy.itemKey = pointer
        let broker = makeBroker(policy)
        broker.apply(RequestOwners.list(ownedBy: .second))
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the owner is asked") { link.orders.count == 1 }
        var page = Page(items: Array(#"[{"id":1},{"id":2}]"#.utf8), count: 2)
        page.itemKeys = ItemKeys(of: page, at: pointer, hashedBy: SipHash(key: 8, 9))
        broker.handle(
            .page(page, RemainingLifetime(freshMs: 0, coolDownMs: 0)), of: link.orders[0].id)
        await eventually("the page is delivered") { log.all.count == 1 }
        page.itemKeys = ItemKeys(of: page, at: pointer, hashedBy: SipHash(key: 1, 2))
        #expect(log.all == [1: .page(page)])
        broker.stop()
    }

    // MARK: - Loads for other nodes

    @Test("A load of a node that has just learned of a change does not get the outdated page")
    func announcedChange() async {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 60_000)
        let broker = makeBroker(policy)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        await eventually("the backend is called") { backend.runningCount == 1 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the page is cached") { log.all == [1: .page(.of(2))] }
        // The other node asks as soon as the change is announced to it.
        broker.reportFeedChange("list") { [self] in start(broker, load) }
        await eventually("the backend is called again, or the node has the cached page") {
            backend.begun.count == 2 || !link.events(of: load).isEmpty
        }
        #expect(backend.begun.count == 2 && link.events(of: load).isEmpty)
        backend.answer(.page(1), .success(.of(3)))
        await eventually("the node receives the new page") {
            link.events(of: load)
                == [.page(.of(3), RemainingLifetime(freshMs: 60_000, coolDownMs: 0))]
        }
        broker.stop()
    }

    @Test("A load of another node shares a call with a session, and learns the page's lifetime")
    func sharing() async {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 60_000)
        let broker = makeBroker(policy)
        broker.start(.page(1), for: 1, deadlineMs: 120_000)
        start(broker, load)
        // A request that the bus delivers twice is performed once.
        start(broker, load)
        await eventually("both loads wait") { broker.counters.waiters == 2 }
        backend.answer(.page(1), .success(.of(2)))
        await eventually("the node receives the page") { !link.events(of: load).isEmpty }
        #expect(backend.begun == [.page(1)])
        #expect(
            link.events(of: load)
                == [.page(.of(2), RemainingLifetime(freshMs: 60_000, coolDownMs: 0))])
        await eventually("the session receives the page") { log.all == [1: .page(.of(2))] }
        let later = RemoteLoadID(node: .third, number: 1)
        start(broker, later)
        await eventually("the cached page is delivered") { !link.events(of: later).isEmpty }
        guard case .page(let page, let remaining) = link.events(of: later).first else {
            Issue.record("\(link.events(of: later))")
            return
        }
        #expect(page == .of(2))
        #expect(remaining.freshMs > 0 && remaining.freshMs <= 60_000)
        #expect(remaining.freshMs + remaining.ageMs <= 60_000)
        #expect(broker.counters.feeds["list"]?.remote == 2)
        broker.stop()
    }

    @Test("A load of another node is not forwarded, and ends without an event if it is cancelled")
    func cancelling() async {
        let broker = makeBroker()
        broker.apply(RequestOwners.list(ownedBy: .second))
        start(broker, load)
        await eventually("the call begins") { backend.runningCount == 1 }
        broker.cancel(load)
        await eventually("the call is cancelled") { backend.cancelledCount == 1 }
        await eventually("no load is left") { broker.counters.waiters == 0 }
        broker.stop()
        #expect(link.events(of: load).isEmpty && link.orders.isEmpty)
    }

    @Test("A load of another node fails if its deadline passes or the backend fails")
    func failing() async {
        let broker = makeBroker()
        broker.start(
            BrokerRequest(.page(1), idempotencyKey: "remote"), for: load, deadlineMs: 20)
        await eventually("the deadline passes") { !link.events(of: load).isEmpty }
        guard case .failed(let late) = link.events(of: load).first else {
            Issue.record("\(link.events(of: load))")
            return
        }
        #expect(late.code == .backendTimedOut)
        let other = RemoteLoadID(node: .second, number: 2)
        start(broker, other)
        await eventually("the call begins") { backend.runningCount == 1 }
        let failure = LoadFailure(.backendRejected, "no")
        backend.answer(.page(1), .failure(failure))
        await eventually("the failure is delivered") {
            link.events(of: other) == [.failed(failure)]
        }
        broker.stop()
    }

    @Test("A load of a feed that is unknown or not shared is refused")
    func unknownFeed() async {
        var policy = FeedPolicy()
        policy.isClustered = false
        let broker = makeBroker(policy)
        start(broker, load)
        await eventually("the load is refused") {
            link.events(of: load) == [.refused(.unknownFeed)]
        }
        let other = RemoteLoadID(node: .second, number: 2)
        start(broker, other, feed: "nosuch")
        await eventually("the other load is refused") {
            link.events(of: other) == [.refused(.unknownFeed)]
        }
        #expect(backend.begun.isEmpty)
        broker.stop()
    }

    @Test("A request with a subject is refused if this node shares the feed")
    func foreignSubject() async {
        var policy = FeedPolicy()
        policy.isShared = true
        let broker = makeBroker(policy)
        var request = LoadRequest.page(1, feed: "list")
        request.subject = "anna"
        broker.start(
            BrokerRequest(request, idempotencyKey: "remote"), for: load, deadlineMs: 120_000)
        await eventually("the load is refused") {
            link.events(of: load) == [.refused(.unknownFeed)]
        }
        #expect(backend.begun.isEmpty)
        let other = RemoteLoadID(node: .second, number: 2)
        start(broker, other)
        await eventually("a request without a subject is performed") { backend.begun.count == 1 }
        broker.stop()
    }

    @Test(
        "If the owner has no free call or an open circuit breaker, it refuses the load as busy",
        arguments: [FaultCode.backendBusy, .backendSuspended, .backendUnavailable])
    func busy(code: FaultCode) {
        var loads = RemoteLoads()
        loads.link = link
        loads.add(load, .page(1))
        let failure = LoadFailure(code, "It fails.")
        loads.deliver(.ended(.failed(failure)), .over, to: load)
        let expected: OwnerEvent =
            code == .backendUnavailable ? .failed(failure) : .refused(.busy)
        #expect(link.events(of: load) == [expected])
        #expect(loads.request(of: load) == nil)
    }

    @Test("When the broker stops, it refuses the loads of other nodes, running and later ones")
    func stopping() async {
        let broker = makeBroker()
        start(broker, load)
        broker.stop()
        #expect(link.events(of: load) == [.refused(.stopping)])
        let later = RemoteLoadID(node: .second, number: 2)
        start(broker, later)
        #expect(link.events(of: later) == [.refused(.stopping)])
        broker.cancel(later)
        #expect(log.all.isEmpty)
    }

    @Test("If two nodes request the same page, one call is made, and both have the page cached")
    func twoNodes() async {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 60_000)
        let owner = makeBroker(policy)
        let asking = makeBroker(policy)
        let bus = DirectLink(from: .own, to: owner, back: asking)
        owner.connect(to: bus)
        asking.connect(to: bus)
        asking.apply(RequestOwners.list(ownedBy: .second))
        for waiter in 1...3 { asking.start(.page(1), for: waiter, deadlineMs: 120_000) }
        owner.start(.page(1), for: 4, deadlineMs: 120_000)
        await eventually("all loads wait") {
            asking.counters.waiters == 3 && owner.counters.waiters == 2
        }
        backend.answer(.page(1), .success(.of(7)))
        await eventually("all waiters have the page") { log.all.count == 4 }
        #expect(Set(log.all.values) == [.page(.of(7))])
        #expect(backend.begun == [.page(1)])
        asking.start(.page(1), for: 5, deadlineMs: 120_000)
        await eventually("the cached page is delivered") { log.all[5] == .page(.of(7)) }
        #expect(asking.counters.feeds["list"]?.hits.fresh == 1)
        asking.stop()
        owner.stop()
    }
}

/// A bus without loss or delay between two brokers. One of them owns all requests.
private final class DirectLink: ClusterLink {
    private let node: NodeID
    private let owner: Broker<Int>
    private let asking: Broker<Int>

    init(from node: NodeID, to owner: Broker<Int>, back asking: Broker<Int>) {
        self.node = node
        self.owner = owner
        self.asking = asking
    }

    func ask(_: NodeID, _ order: RemoteOrder) {
        owner.start(
            BrokerRequest(
                order.request, idempotencyKey: order.idempotencyKey, keptPages: order.keptPages),
            for: RemoteLoadID(node: node, number: order.id.number), deadlineMs: 120_000)
    }

    func withdraw(_ id: CallID, from _: NodeID) {
        owner.cancel(RemoteLoadID(node: node, number: id.number))
    }

    func deliver(_ event: OwnerEvent, to load: RemoteLoadID) {
        asking.handle(event, of: CallID(load.number))
    }
}
