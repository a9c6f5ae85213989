internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of a `WorkerBackend`'s thread. It passes events from the mailbox to the
/// `WorkerPool` and performs the resulting actions.
struct WorkerBackendLoop {
    enum Message: Sendable {
        case joined(
            WorkerID, any WorkerChannel, feeds: Set<String>, capacity: Int, edits: Bool)
        case bus(any WorkerBus)
        /// An answer on the bus, which belongs to one of the `next` backends if its offer is not
        /// known here.
        case answer(BusWorkerInput, next: [WorkerBackend])
        case post(WorkerEvent)
    }

    private let mailbox: Mailbox<Message>
    private let published: PublishedWorkerCounters
    private let backlog: BusBacklog
    private var bus: (any WorkerBus)?
    private var dispatch: LoadDispatch
    private var channels: [WorkerID: any WorkerChannel] = [:]
    /// The feeds of each connected worker.
    private var feeds: [WorkerID: Set<String>] = [:] {
        didSet { published.feeds = feeds.values.reduce(into: Set()) { $0.formUnion($1) } }
    }
    private var actions: [LoadDispatch.Action] = []

    init(
        _ dispatch: LoadDispatch, mailbox: Mailbox<Message>,
        published: PublishedWorkerCounters, backlog: BusBacklog
    ) {
        self.dispatch = dispatch
        self.mailbox = mailbox
        self.published = published
        self.backlog = backlog
    }

    /// Runs until `stop` is received. When this method returns, every load has ended.
    mutating func run() {
        var isRunning = true
        while isRunning {
            let messages = mailbox.receive(until: dispatch.nextDeadline)
            let now = MonotonicTime.now
            if messages.isEmpty { dispatch.advanceClock(to: now, into: &actions) }
            for message in messages { isRunning = receive(message, now) && isRunning }
            perform(now)
            publish()
        }
        // Loads that were posted while the loop handled `stop` also end.
        for message in mailbox.close() { _ = receive(message, MonotonicTime.now) }
        perform(MonotonicTime.now)
        publish()
    }

    private func publish() {
        var counters = dispatch.counters
        counters.droppedBusMessages += backlog.droppedCount
        published.value = counters
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: Message, _ now: Instant) -> Bool {
        switch message {
        case .joined(let worker, let channel, let feeds, let capacity, let edits):
            channels[worker] = channel
            self.feeds[worker] = feeds
            let post = WorkerEvent.joined(
                worker, feeds: feeds, capacity: capacity, edits: edits)
            dispatch.handle(post, at: now, into: &actions)
        case .bus(let bus): self.bus = bus
        case .answer(let input, let next):
            if dispatch.hasOffer(of: input) { return receive(.post(.bus(input)), now) }
            if let bytes = input.bytes { backlog.remove(bytes) }
            WorkerBackend.pass(input, to: next)
        case .post(let post):
            dispatch.handle(post, at: now, into: &actions)
            switch post {
            case .lost(let worker):
                channels[worker] = nil
                feeds[worker] = nil
            case .bus(let input): if let bytes = input.bytes { backlog.remove(bytes) }
            case .stop: return false
            case .started, .cancelled, .joined, .received, .receivedInvalid: break
            }
        }
        return true
    }

    private mutating func perform(_ now: Instant) {
        // An offer that cannot be sent appends further actions.
        var next = 0
        while next < actions.count {
            let action = actions[next]
            next += 1
            switch action {
            case .write(let message, let worker):
                channels[worker]?.send(message)
            case .bye(let worker):
                feeds[worker] = nil
                channels.removeValue(forKey: worker)?.close(sending: WorkerOrder.bye.text)
            case .dismiss(let worker, .invalidMessage(let fault)):
                feeds[worker] = nil
                channels.removeValue(forKey: worker)?.reject(fault)
            case .dismiss(_, .overdue):
                // There is nothing to do. This pool uses `Overdue.freePlace`, so the place of the
                // revoked load is already free.
                break
            case .offer(let load, let offer, let kind):
                let delivery = bus?.offer(
                    load, as: offer, feed: kind.feed, isEdit: kind.isForEdits)
                switch delivery {
                case .sent: break
                case .tooLarge:
                    dispatch.handle(.bus(.tooLarge(offer)), at: now, into: &actions)
                case .notSent, nil:
                    dispatch.handle(.bus(.noWorker(offer)), at: now, into: &actions)
                }
            case .sendOnBus(let message, let worker): bus?.send(message, to: worker)
            }
        }
        actions.removeAll(keepingCapacity: true)
    }
}
