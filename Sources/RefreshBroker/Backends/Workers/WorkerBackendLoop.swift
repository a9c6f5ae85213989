internal import RefreshProtocol

/// What the thread of a `WorkerBackend` does: facts from the mailbox into the pool, its deeds done.
struct WorkerBackendLoop {
    enum Message: Sendable {
        case joined(WorkerID, any WorkerChannel, feeds: Set<String>, capacity: Int)
        case post(WorkerPost)
    }

    private let mailbox: Mailbox<Message>
    private let published: PublishedWorkerCounters
    private var dispatch: LoadDispatch
    private var channels: [WorkerID: any WorkerChannel] = [:]
    private var deeds: [LoadDispatch.Deed] = []

    init(
        _ dispatch: LoadDispatch, mailbox: Mailbox<Message>, published: PublishedWorkerCounters
    ) {
        self.dispatch = dispatch
        self.mailbox = mailbox
        self.published = published
    }

    /// Until `stop` came; every load has ended then.
    mutating func run() {
        var isRunning = true
        while isRunning {
            let messages = mailbox.take(until: dispatch.nextDeadline)
            let now = MonotonicTime.now
            if messages.isEmpty { dispatch.passTime(to: now, into: &deeds) }
            for message in messages { isRunning = receive(message, now) && isRunning }
            perform()
            published.value = dispatch.counters
        }
        // What was posted meanwhile: its loads still end.
        for message in mailbox.close() { _ = receive(message, MonotonicTime.now) }
        perform()
        published.value = dispatch.counters
    }

    /// False for `stop`.
    private mutating func receive(_ message: Message, _ now: Instant) -> Bool {
        switch message {
        case .joined(let worker, let channel, let feeds, let capacity):
            channels[worker] = channel
            let post = WorkerPost.joined(worker, feeds: feeds, capacity: capacity)
            dispatch.take(post, at: now, into: &deeds)
        case .post(let post):
            dispatch.take(post, at: now, into: &deeds)
            switch post {
            case .lost(let worker): channels[worker] = nil
            case .stop: return false
            case .started, .cancelled, .joined, .said, .misspoke: break
            }
        }
        return true
    }

    private mutating func perform() {
        for deed in deeds {
            switch deed {
            case .write(let message, let worker):
                channels[worker]?.send(message)
            case .bye(let worker):
                channels.removeValue(forKey: worker)?.part(saying: WorkerOrder.bye.text)
            case .dismiss(let worker, .notUnderstood(let fault)):
                channels.removeValue(forKey: worker)?.refuse(fault)
            case .dismiss(_, .overdue):
                // Such a worker just has its place again: the pool was made to forget.
                break
            }
        }
        deeds.removeAll(keepingCapacity: true)
    }
}
