internal import RefreshProtocol
internal import Synchronization

/// Items from workers that connect in: one value for all feeds of the kind `worker`.
///
/// It knows no sockets and no tokens: the server lets workers in and tells what they say. Any
/// thread may call anything. Source: docs/backends.md, "worker".
package final class WorkerBackend: Backend {
    package let options: WorkerOptions
    private let mailbox = Mailbox<WorkerBackendLoop.Message>()
    private let published = PublishedWorkerCounters()
    private let lastWorker = Atomic<UInt64>(0)
    /// Taken by the one who ends it.
    private let thread: Mutex<ServiceThread?>

    /// A load that was taken back takes a worker's place for so long, unless it is answered,
    /// milliseconds.
    private static let graceMs = 1000

    package init(
        _ options: WorkerOptions, notices: FeedNotices
    ) throws(BackendConfigurationError) {
        try options.check()
        self.options = options
        let pool = WorkerPool(feeds: options.feeds, graceMs: Self.graceMs, overdue: .forget)
        let dispatch = LoadDispatch(pool, notices: notices)
        // The thread holds these, not the backend, so that the backend can go.
        let (mailbox, published) = (mailbox, published)
        let thread = ServiceThread {
            var loop = WorkerBackendLoop(dispatch, mailbox: mailbox, published: published)
            loop.run()
        }
        guard let thread else {
            throw BackendConfigurationError("backend", "The system gave no thread.")
        }
        self.thread = Mutex(thread)
    }

    deinit {
        mailbox.post(.post(.stop))
        thread.withLock { $0?.detach() }
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let mailbox = mailbox
        return try await PendingLoad(call).answer { mailbox.post(.post($0)) }
    }

    /// Says `bye` to all workers; on return every load has ended.
    package func stop() {
        mailbox.post(.post(.stop))
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The numbers as of the last event.
    package var counters: WorkerCounters { published.value }

    // MARK: What the server tells

    /// A worker has registered, for feeds that are all among `options.feeds`. It may get loads from
    /// now on. Once the backend was stopped it just parts.
    package func join(
        _ channel: any WorkerChannel, feeds: Set<String>, capacity: Int
    ) -> WorkerID {
        let (_, number) = lastWorker.wrappingAdd(1, ordering: .relaxed)
        let worker = WorkerID(number)
        let isHeard = mailbox.post(
            .joined(worker, channel, feeds: feeds, capacity: capacity))
        if !isHeard { channel.part(saying: WorkerOrder.bye.text) }
        return worker
    }

    /// The worker said that, after it was let in.
    package func received(_ message: WorkerMessage, from worker: WorkerID) {
        mailbox.post(.post(.said(worker, message)))
    }

    /// The worker said what is not understood: its channel is told to refuse it.
    package func received(_ fault: WorkerMessageFault, from worker: WorkerID) {
        mailbox.post(.post(.misspoke(worker, fault)))
    }

    /// The worker's connection is gone. Once for each `join`.
    package func lost(_ worker: WorkerID) { mailbox.post(.post(.lost(worker))) }
}
