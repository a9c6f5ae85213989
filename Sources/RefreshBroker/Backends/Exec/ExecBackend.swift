internal import RefreshProtocol
internal import Synchronization

/// Items from long-lived processes of our own that speak the line protocol on standard input and
/// output.
///
/// One thread a backend carries all lines and looks after the processes; they are started with the
/// backend and again when they end. Source: docs/backends.md, "exec".
package final class ExecBackend: Backend {
    private let inbox: ExecInbox
    private let published = PublishedWorkerCounters()
    /// Taken by the one who ends it.
    private let thread: Mutex<ServiceThread?>

    /// `feeds` are the names of those that it stands behind. `log` is called on the backend's
    /// thread and must not block.
    package init(
        _ options: ExecOptions, feeds: Set<String>, notices: FeedNotices,
        log: @escaping @Sendable (ExecNews) -> Void
    ) throws(BackendConfigurationError) {
        try options.check()
        guard let inbox = ExecInbox() else {
            throw BackendConfigurationError("command", "The system gave no pipe.")
        }
        let pool = WorkerPool(feeds: feeds, graceMs: options.graceMs, overdue: .dismiss)
        let dispatch = LoadDispatch(pool, notices: notices)
        // The thread holds these, not the backend, so that the backend can go.
        let published = published
        let thread = ServiceThread {
            var loop = ExecLoop(
                options, dispatch, inbox: inbox, published: published, log: log)
            loop.run()
        }
        guard let thread else {
            throw BackendConfigurationError("command", "The system gave no thread.")
        }
        self.inbox = inbox
        self.thread = Mutex(thread)
    }

    deinit {
        _ = inbox.post(.stop)
        thread.withLock { $0?.detach() }
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let inbox = inbox
        return try await PendingLoad(call).answer { inbox.post($0) }
    }

    /// Says `bye` to the processes, and kills those that are not gone after the grace; on return
    /// every load has ended and no process is left.
    package func stop() {
        _ = inbox.post(.stop)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The numbers as of the last event.
    package var counters: WorkerCounters { published.value }
}
