package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A backend that reads items from workers that connect to the daemon. One instance serves all
/// feeds of the kind `worker`.
///
/// A `WorkerBackend` does not handle sockets or tokens. The server authenticates workers and
/// forwards their messages. All methods may be called from any thread. Source: docs/backends.md,
/// "worker".
package final class WorkerBackend: Backend {
    package let options: WorkerOptions
    /// Reads and reports the changes of workers.
    package let notices: FeedNotices
    private let mailbox = Mailbox<WorkerBackendLoop.Message>()
    private let published = PublishedWorkerCounters()
    private let backlog = BusBacklog()
    private let lastWorker = Atomic<UInt64>(0)
    /// The workers' thread. It can outlive the backend.
    package let thread: WorkerThread

    /// The grace period in milliseconds. A revoked (cancelled or timed-out) load occupies a place
    /// of its worker for this time, or until the worker answers it.
    private static let graceMs = 1000

    package init(
        _ options: WorkerOptions, notices: FeedNotices
    ) throws(BackendConfigurationError) {
        try options.check()
        self.options = options
        self.notices = notices
        let offers = LoadOffers(feeds: options.busFeeds) { .random(in: .min ... .max) }
        let pool = WorkerPool(
            feeds: options.feeds, graceMs: Self.graceMs, overdue: .freePlace, offers: offers)
        let dispatch = LoadDispatch(pool, notices: notices, lineBytesMax: options.lineBytesMax)
        // The thread's closure captures these values instead of the backend, so that the backend
        // can be released.
        let (mailbox, published, backlog) = (mailbox, published, backlog)
        let thread = WorkerThread(mailbox) {
            var loop = WorkerBackendLoop(
                dispatch, mailbox: mailbox, published: published, backlog: backlog)
            loop.run()
        }
        guard let thread else {
            throw BackendConfigurationError("backend", "The system could not create a thread.")
        }
        self.thread = thread
    }

    deinit { mailbox.post(.post(.stop)) }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let mailbox = mailbox
        return try await PendingLoad(.load(call)).page { mailbox.post(.post($0)) }
    }

    package func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        let mailbox = mailbox
        return try await PendingLoad(.edit(call)).editedItem { mailbox.post(.post($0)) }
    }

    /// Sends `bye` to all workers. When this method returns, every load has ended.
    package func stop() { thread.stop() }

    /// The counters as the workers' thread published them after its last event.
    package var counters: WorkerCounters { published.value }

    /// The feeds for which at least one worker is connected, in ascending order.
    package var connectedFeeds: [String] { published.feeds.sorted() }

    // MARK: Events from the server

    /// Registers a worker for `feeds`, which must all be in `options.feeds`. The worker may then
    /// receive loads, and edits if `edits` is true. If the backend has been stopped, the worker
    /// receives only `bye`.
    package func register(
        _ channel: any WorkerChannel, feeds: Set<String>, capacity: Int, edits: Bool = false
    ) -> WorkerID {
        let (_, number) = lastWorker.wrappingAdd(1, ordering: .relaxed)
        let worker = WorkerID(number)
        let isPosted = mailbox.post(
            .joined(worker, channel, feeds: feeds, capacity: capacity, edits: edits))
        if !isPosted { channel.close(sending: WorkerOrder.bye.text) }
        return worker
    }

    /// Handles a message of a registered worker.
    package func handle(_ message: WorkerMessage, from worker: WorkerID) {
        mailbox.post(.post(.received(worker, message)))
    }

    /// Handles an invalid message of a worker. As a result, the worker's channel closes the
    /// connection.
    package func handle(_ fault: WorkerMessageFault, from worker: WorkerID) {
        mailbox.post(.post(.receivedInvalid(worker, fault)))
    }

    /// Handles the loss of a worker's connection. It must be called once for each `register`.
    package func handleLoss(of worker: WorkerID) { mailbox.post(.post(.lost(worker))) }

    // MARK: The message bus

    /// Offers loads of `options.busFeeds` on the bus from now on, while it is connected.
    package func connect(to bus: any WorkerBus) { mailbox.post(.bus(bus)) }

    /// Handles an input of the bus. A message is dropped if too many bytes wait. Returns false if
    /// the backend has been stopped.
    @discardableResult
    package func handle(_ input: BusWorkerInput) -> Bool { handle(input, before: []) }

    /// Passes an answer to the backend that has made its offer. An answer to an unknown offer is
    /// dropped, and counted by the last of the backends.
    package static func pass(_ answer: BusWorkerInput, to backends: [WorkerBackend]) {
        for (index, backend) in backends.enumerated()
        where backend.handle(answer, before: Array(backends[(index + 1)...])) { return }
    }

    /// Handles an input. An answer to an unknown offer is passed to the `next` backends.
    private func handle(_ input: BusWorkerInput, before next: [WorkerBackend]) -> Bool {
        if let bytes = input.bytes, !backlog.add(bytes) { return true }
        return mailbox.post(next.isEmpty ? .post(.bus(input)) : .answer(input, next: next))
    }
}

/// The thread of a `WorkerBackend`. Its loads may still be ending after the backend was released.
package final class WorkerThread: Sendable {
    private let mailbox: Mailbox<WorkerBackendLoop.Message>
    private let state: State
    /// Nil after `stop`.
    private let thread: Mutex<ServiceThread?>

    private final class State: Sendable {
        let hasEnded = Atomic<Bool>(false)
    }

    /// Starts a thread that runs `body`, which ends after it has received `stop` from `mailbox`.
    /// Returns nil if the system cannot create a thread.
    fileprivate init?(
        _ mailbox: Mailbox<WorkerBackendLoop.Message>, _ body: @escaping @Sendable () -> Void
    ) {
        let state = State()
        let thread = ServiceThread {
            body()
            state.hasEnded.store(true, ordering: .releasing)
        }
        guard let thread else { return nil }
        self.mailbox = mailbox
        self.state = state
        self.thread = Mutex(thread)
    }

    deinit { thread.withLock { $0?.detach() } }

    /// Whether every load has ended, because the backend was stopped or released.
    package var hasEnded: Bool { state.hasEnded.load(ordering: .acquiring) }

    /// Stops the backend. When this method returns, every load has ended.
    package func stop() {
        mailbox.post(.post(.stop))
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }
}

/// A connection to a worker that has connected to the daemon. Its methods may be called from any
/// thread and do not block.
package protocol WorkerChannel: AnyObject, Sendable {
    /// Sends one message. The message is JSON, and is sent as one text frame.
    func send(_ message: [UInt8])

    /// Closes the connection, because a message of the worker is invalid.
    func reject(_ fault: WorkerMessageFault)

    /// Sends a last message and closes the connection. The backend sends no load after this call.
    func close(sending message: [UInt8])
}
