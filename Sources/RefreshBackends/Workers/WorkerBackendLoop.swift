internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of a `WorkerBackend`'s thread. It passes events from the mailbox to the
/// `WorkerPool` and performs the resulting actions.
struct WorkerBackendLoop {
    enum Message: Sendable {
        case joined(WorkerID, any WorkerChannel, feeds: Set<String>, capacity: Int)
        case post(WorkerEvent)
    }

    private let mailbox: Mailbox<Message>
    private let published: PublishedWorkerCounters
    private var dispatch: LoadDispatch
    private var channels: [WorkerID: any WorkerChannel] = [:]
    /// The feeds of each connected worker.
    private var feeds: [WorkerID: Set<String>] = [:] {
        didSet { published.feeds = feeds.values.reduce(into: Set()) { $0.formUnion($1) } }
    }
    private var actions: [LoadDispatch.Action] = []

    init(
        _ dispatch: LoadDispatch, mailbox: Mailbox<Message>, published: PublishedWorkerCounters
    ) {
        self.dispatch = dispatch
        self.mailbox = mailbox
        self.published = published
    }

    /// Runs until `stop` is received. When this method returns, every load has ended.
    mutating func run() {
        var isRunning = true
        while isRunning {
            let messages = mailbox.receive(until: dispatch.nextDeadline)
            let now = MonotonicTime.now
            if messages.isEmpty { dispatch.advanceClock(to: now, into: &actions) }
            for message in messages { isRunning = receive(message, now) && isRunning }
            perform()
            published.value = dispatch.counters
        }
        // Loads that were posted while the loop handled `stop` also end.
        for message in mailbox.close() { _ = receive(message, MonotonicTime.now) }
        perform()
        published.value = dispatch.counters
    }

    /// Handles one message. Returns false for `stop`.
    private mutating func receive(_ message: Message, _ now: Instant) -> Bool {
        switch message {
        case .joined(let worker, let channel, let feeds, let capacity):
            channels[worker] = channel
            self.feeds[worker] = feeds
            let post = WorkerEvent.joined(worker, feeds: feeds, capacity: capacity)
            dispatch.handle(post, at: now, into: &actions)
        case .post(let post):
            dispatch.handle(post, at: now, into: &actions)
            switch post {
            case .lost(let worker):
                channels[worker] = nil
                feeds[worker] = nil
            case .stop: return false
            case .started, .cancelled, .joined, .received, .receivedInvalid: break
            }
        }
        return true
    }

    private mutating func perform() {
        for action in actions {
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
            }
        }
        actions.removeAll(keepingCapacity: true)
    }
}
