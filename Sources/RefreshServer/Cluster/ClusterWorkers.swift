internal import MessageBus
internal import RefreshBackends
internal import RefreshBroker
internal import RefreshCluster
internal import RefreshProtocol
internal import Synchronization

/// The workers on the bus: passes loads of the worker backends to them, and their messages to the
/// backends. Any thread may call any method. Source: docs/cluster.md, "Workers on the bus".
final class ClusterWorkers: Sendable {
    private struct State: Sendable {
        var subjects: WorkerSubjects
        weak var bus: BusConnection?
        var isConnected = false
        /// Whether answers are subscribed to.
        var isSubscribed = false
        /// The feeds of the current backend that workers on the bus serve.
        var feeds: Set<String> = []
        /// The current backend, and replaced ones whose loads have not ended.
        var backends: [ServedBackend] = []

        /// The backends that still exist, in the order of their creation.
        var running: [WorkerBackend] { backends.compactMap(\.backend) }
    }

    /// A backend that is released with its last load. Its thread sends the last messages then.
    private struct ServedBackend: Sendable {
        weak let backend: WorkerBackend?
        let thread: WorkerThread

        init(_ backend: WorkerBackend) {
            self.backend = backend
            thread = backend.thread
        }
    }

    /// The maximum size of a change that is relayed, in bytes.
    private static let changeBytesMax = 65_536

    private let state: Mutex<State>
    private let received = Atomic<Int>(0)
    private let published = Atomic<Int>(0)
    private let relay: @Sendable (FeedChange) -> Void

    /// `relay` is called with a change of a feed that no backend of this node serves any more. This
    /// node still receives its share of the changes, because a subscription does not end.
    init(cluster name: String, own: NodeID, relay: @escaping @Sendable (FeedChange) -> Void) {
        self.relay = relay
        state = Mutex(State(subjects: WorkerSubjects(cluster: name, own: own)))
    }

    /// The number of bytes of all messages from workers.
    var bytesReceived: Int { received.load(ordering: .relaxed) }
    /// The number of bytes of all messages to workers.
    var bytesPublished: Int { published.load(ordering: .relaxed) }

    /// Offers loads of the backend on the bus, if it has feeds with workers there. A second call
    /// with the same backend has no effect. `backend` is nil if there is none any more.
    func serve(_ backend: WorkerBackend?, on bus: BusConnection) {
        let feeds = backend?.options.busFeeds.sorted() ?? []
        state.withLock { state in
            state.feeds = Set(feeds)
            guard let backend, !feeds.isEmpty else { return }
            guard !state.backends.contains(where: { $0.backend === backend }) else { return }
            state.bus = bus
            for feed in feeds {
                guard let subject = state.subjects.addChanges(of: feed) else { continue }
                try? bus.subscribe(subject, group: WorkerSubjects.nodeGroup)
            }
            if !state.isSubscribed {
                try? bus.subscribe(state.subjects.answers, receivesReplies: true)
            }
            state.isSubscribed = true
            backend.connect(to: self)
            if state.isConnected { backend.handle(.connected) }
            state.backends.removeAll { $0.thread.hasEnded }
            state.backends.append(ServedBackend(backend))
        }
    }

    /// Handles an event of the bus. Returns whether it is a message from a worker. Other events
    /// must also be handled elsewhere.
    func handle(_ event: BusEvent) -> Bool {
        switch event {
        case .connected:
            state.withLock { $0.isConnected = true }
            pass(.connected)
        case .disconnected:
            state.withLock { $0.isConnected = false }
            pass(.disconnected)
        case .failed: break
        case .received(let bytes, let subject, let replySubject):
            let arrival = state.withLock { state in
                state.isSubscribed
                    ? state.subjects.arrival(on: subject, replySubject: replySubject) : nil
            }
            guard let arrival else { return false }
            received.add(bytes.count, ordering: .relaxed)
            switch arrival {
            case .answer(let offer, nil) where bytes.isEmpty: pass(.noWorker(LoadOfferID(offer)))
            case .answer(let offer, let worker):
                pass(.answer(bytes, to: LoadOfferID(offer), from: worker.map(BusWorkerID.init)))
            case .change(let feed):
                if state.withLock({ $0.feeds.contains(feed) }) {
                    pass(.change(bytes, feed: feed))
                } else if bytes.count <= Self.changeBytesMax,
                    case .changed(let change) = try? WorkerMessageReader.read(bytes.span),
                    change.feed == feed
                {
                    relay(FeedChange(feed, count: change.count))
                }
            }
            return true
        }
        return false
    }

    /// Ends the loads of all backends: their workers receive `cancel`. Waits until it is done.
    func stop() {
        // The backends publish messages while they stop, so this must not hold the lock.
        for backend in state.withLock({ $0.backends }) { backend.thread.stop() }
    }

    /// Passes an input to the backends. An answer is for the one that has made the offer, and a
    /// change for the current one.
    private func pass(_ input: BusWorkerInput) {
        state.withLock { state in
            switch input {
            case .answer: WorkerBackend.pass(input, to: state.running)
            case .change: _ = state.backends.last?.backend?.handle(input)
            case .connected, .disconnected, .noWorker, .tooLarge:
                for backend in state.running { backend.handle(input) }
                state.backends.removeAll { $0.thread.hasEnded }
            }
        }
    }

    private func publish(_ bytes: [UInt8], to subject: String, reply: String? = nil) -> Bool {
        let bus = state.withLock { $0.bus }
        let isSent = bus?.publish(bytes, to: subject, BusEnvelope(replySubject: reply)) ?? false
        if isSent { published.add(bytes.count, ordering: .relaxed) }
        return isSent
    }
}

extension ClusterWorkers: WorkerBus {
    func offer(
        _ load: [UInt8], as id: LoadOfferID, feed: String, isEdit: Bool
    ) -> OfferDelivery {
        let (subjects, bus) = state.withLock { ($0.subjects, $0.bus) }
        let answers = subjects.answer(to: id.number)
        let subject = isEdit ? subjects.edits(of: feed) : subjects.work(of: feed)
        if publish(load, to: subject, reply: answers) { return .sent }
        // The size is 0 before the first connection.
        let bytesMax = bus?.payloadMax ?? 0
        return bytesMax > 0 && load.count > bytesMax ? .tooLarge : .notSent
    }

    func send(_ message: [UInt8], to worker: BusWorkerID) {
        _ = publish(message, to: state.withLock { $0.subjects }.worker(worker.bits))
    }
}
